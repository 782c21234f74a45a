"""Sentences that many notes share, each in several wordings, and the names of invented staff."""

from __future__ import annotations

PHRASES = {
    # Headings
    "h_cc": "[Chief complaint|Presenting complaint|CC|Reason for visit]",
    "h_hpi": "[History of present illness|HPI|History of presenting illness|HPI]",
    "h_pmh": "[Past medical history|PMH|Past history|Past medical history]",
    "h_meds": "[Medications|Current medications|Home medications|Meds]",
    "h_all": "[Allergies|Drug allergies]",
    "h_soc": "[Social history|Social]",
    "h_fam": "[Family history|FH|Family history]",
    "h_ros": "[Review of systems|ROS]",
    "h_exam": "[Physical examination|Physical exam|Examination|Exam|On examination]",
    "h_res": "[Results|Labs and imaging|Investigations|Data]",
    "h_ed": "[ED course|Emergency department course|Medical decision making|Course and decision making]",
    "h_ap": "[Assessment and plan|A/P|Assessment/Plan|A&P|Impression and plan]",
    "h_sub": "[Subjective|Interval history|S|Subjective]",
    "h_obj": "[Objective|O|Examination|Exam]",
    "h_disp": "[Disposition|Plan and disposition|Disposition]",
    "h_dx": "[Discharge diagnoses|Diagnoses|Final diagnoses|Diagnoses at discharge]",
    "h_course": "[Hospital course|Brief hospital course|Course in hospital|Summary of stay]",
    "h_dmeds": "[Discharge medications|Medications on discharge|Medications at discharge]",
    "h_cond": "[Condition at discharge|Condition on discharge|Discharge condition]",
    "h_inst": "[Discharge instructions|Instructions|Instructions to the patient|Patient instructions]",
    "h_fu": "[Follow-up|Follow up|Follow-up appointments|Pending and follow-up]",
    "h_adm": "[Reason for admission|Presentation|History of present illness|Admission history]",
    "h_ind": "[Indication|Clinical history|Clinical information|Reason for exam|History|Indication]",
    "h_tech": "[Technique|Procedure|Technique]",
    "h_comp": "[Comparison|Comparison|Comparison studies]",
    "h_find": "[Findings|Findings|Findings|Report|Description]",
    "h_imp": "[Impression|Impression|Impression|Conclusion|Opinion]",
    "h_op": "[Description of procedure|Details of procedure|Operative technique|Procedure in detail]",
    # Examination
    "vit_ok": "[Afebrile. BP {n:114-136}/{n:66-82}, HR {n:64-84}, RR {n:14-18}, SpO2 {n:96-99}% on room air.|"
    "T {f:97.6-98.8} F, BP {n:118-138}/{n:68-84}, pulse {n:62-86}, saturating {n:96-99}% on RA.|"
    "Vital signs stable: BP {n:112-134}/{n:64-80}, heart rate {n:62-82}, SpO2 {n:96-99}% RA.|"
    "Obs: BP {n:116-138}/{n:66-84}, HR {n:60-84}, RR {n:12-16}, temp {f:97.7-98.7} F, sats {n:96-99}% on air.]",
    "lungs_clear": "[Lungs clear to auscultation bilaterally.|Chest clear, with no wheeze or crackles.|"
    "Good air entry throughout and no added sounds.|Breath sounds vesicular; no crackles, no rhonchi.|"
    "Respirations unlabored. CTAB.]",
    "heart_ok": "[Heart sounds normal, no murmur.|No murmurs, rubs or gallops.|S1 and S2 normal; JVP not raised.|"
    "Heart sounds clear, JVP flat.]",
    "belly_ok": "[Abdomen soft and nontender.|Abdomen soft, no masses, no organomegaly.|"
    "Soft, non-distended abdomen with normal bowel sounds; no guarding.|Abdomen benign.]",
    "legs_ok": "[No peripheral edema.|No leg swelling and no calf tenderness.|"
    "Extremities warm, without edema or cyanosis.|"
    "Calves soft. No pitting edema.]",
    "neuro_ok": "[Alert and oriented, no focal deficit.|Neurologically intact.|"
    "Cranial nerves intact; strength 5/5 throughout.|"
    "Awake, conversant, moving all four limbs.]",
    "ros_ok": "[All other systems reviewed and negative.|Otherwise negative in ten systems.|"
    "Remainder of the review is unremarkable.|No other complaints.]",
    "wound_ok": "[The wound is clean and dry, with no erythema or discharge.|Incision well approximated, no drainage.|"
    "Wound healing well; no signs of infection.|Dressing dry, and the wound edges are opposed without redness.]",
    # Chest radiographs
    "pa_lat": "[PA and lateral views of the chest.|Two views of the chest.|Frontal and lateral chest radiographs.|"
    "Upright PA and lateral chest.]",
    "ap_port": "[Single portable AP view of the chest.|AP chest radiograph, portable, semi-upright.|"
    "Portable frontal view.|One portable upright view of the chest.]",
    "heart_cxr": "[The cardiomediastinal silhouette is within normal limits.|Heart size is normal.|"
    "Cardiac and mediastinal contours are unremarkable.|Normal heart size and pulmonary vascularity.]",
    "bones_old": "[Degenerative changes of the thoracic spine.|No acute osseous abnormality.|"
    "The bones are osteopenic, without acute fracture.|Mild multilevel spondylosis is noted.|"
    "No displaced rib fracture.]",
    "bones_young": "[The visualized bones are unremarkable.|No acute bony abnormality.|Osseous structures are intact.|"
    "No rib fracture is seen.]",
    "noprior": "[None available.|None.|No prior studies are available for comparison.|No previous imaging.]",
    # Sending home
    "well": "[Stable.|Good.|Stable, ambulating independently and tolerating a regular diet.|"
    "Improved; afebrile and comfortable on room air.]",
    "diet": "[Resume a regular diet.|Diet as tolerated.|Eat and drink normally.|Heart-healthy diet.]",
    "close": "[Thank you for involving us in {his} care.|"
    "Please do not hesitate to contact us with any concerns.|We are grateful for your continued care of {him}.|]",
    "bye": "[Sincerely,|With kind regards,|Yours sincerely,|Best regards,]",
    "sign_rad": "[Electronically signed: {rad}|Dictated by {rad}|Reported by {rad}|Read by: {rad}|||]",
    # Staff, all invented
    "rad": "[L. Marchetto, MD|K. Osterhaus, MD|P. Vanterpole, MD|S. Iyerani, MD|M. Quillfeather, MD|A. Brandtsen, MD]",
    "md": "[Dr. T. Averskog|Dr. N. Pellworthy|Dr. H. Adeyinko|Dr. J. Castellane|Dr. R. Mirzavand|Dr. C. Dunmorrow|"
    "Dr. Y. Takamine-Holt|Dr. E. Brisewell]",
}

GPS = ("Wexcombe", "Larkhurst", "Odenbaugh", "Fairlamb", "Sandrigo", "Kettlewood", "Nwankere", "Prudhoven")
SURGEONS = (
    "Dr. G. Tarleton-Reese",
    "Dr. V. Ostrowicki",
    "Dr. B. Hallingsworth",
    "Dr. D. Menendra",
    "Dr. I. Castlereigh",
)

FIRST = {
    "F": ("Maribel", "Odette", "Thandie", "Ingrid", "Rosalind", "Keiko", "Delphine", "Farrah", "Wilhelmina", "Josefa"),
    "M": ("Leopold", "Cormac", "Anselm", "Hiroki", "Desmond", "Tobias", "Kwabena", "Rafferty", "Emeric", "Silvan"),
}
LAST = (
    *("Abernetho", "Ballantrey", "Corvette-Hill", "Dravensky", "Ellingboro", "Fenwright", "Garibotto", "Hathersmith"),
    *("Ilverton", "Jorvansen", "Kirchwell", "Lindqvale", "Mossgrave", "Nakahara-Bell", "Oyelareni", "Pemberlake"),
    *("Quintrell", "Rosenvelde", "Stanhollow", "Tregarrow", "Umberfield", "Vasquillo", "Winterbourn", "Yarrowby"),
    *("Zielonska", "Ashgrove", "Birkenthal", "Calloway-Rhee", "Dunnavick", "Esterbrooke", "Farnleigh", "Glastonby"),
    *("Hollinrake", "Ibekwere", "Jessamy", "Kovalenda", "Lockspeiser", "Mirabelle", "Northcotte", "Ostrander-Vu"),
    *("Pallister", "Rookhope", "Sunderby", "Thackwell", "Ullathorne", "Vandermeek", "Wrenfield", "Yoshinaga"),
    *("Ambrosell", "Bexwater", "Cadwallen", "Delacorte", "Everhartz", "Fothergale", "Gunnarsby", "Hesketh-Orr"),
)
ALLERGIES = (
    *("No known drug allergies.", "NKDA.", "Sulfonamides (rash).", "Codeine (nausea and vomiting)."),
    "No known allergies.",
    *("None known.", "Latex (contact dermatitis). No drug allergies.", "Adhesive tape only.", "NKDA."),
)
FAMILY = (
    "Mother had breast cancer in her sixties; father had hypertension.",
    "Father died of a stroke at 74. Mother is alive with osteoporosis.",
    "Brother with type 2 diabetes. No family history of cancer.",
    "A sister has asthma. Otherwise noncontributory.",
    "Maternal grandmother had colon cancer; no known family history of heart disease.",
    "Both parents had hypertension. A paternal uncle had lung cancer.",
    "Adopted, family history unknown.",
    "Father had a myocardial infarction at 58 and later heart failure.",
    "Mother had breast cancer. No clotting disorders in the family.",
    "No family history of pulmonary disease, diabetes or early cardiac death.",
)
SOCIAL = {
    "young": (
        "Works in a warehouse and lives with two roommates.",
        "Office worker, lives with a partner and a cat.",
        "Studies part time and works evenings in a bakery.",
        "Line cook. Lives in a ground-floor apartment with {his} sister.",
    ),
    "middle": (
        "Works as a school secretary and lives with {his} spouse.",
        "Long-haul truck driver, married, two grown children.",
        "Self-employed carpenter; lives with {his} partner.",
        "Works night shifts at a distribution center. Divorced, lives alone.",
        "Accountant, married, walks the dog twice daily.",
    ),
    "old": (
        "Retired bus driver, lives with {his} spouse in a single-story house.",
        "Lives alone in a second-floor apartment; a daughter visits daily.",
        "Retired teacher. Independent in all activities of daily living.",
        "Lives with {his} son's family. Walks with a cane outdoors.",
        "Widowed, lives in a senior apartment with an elevator. Gardens.",
        "Retired machinist; lives with {his} spouse, who manages the medications.",
    ),
}
