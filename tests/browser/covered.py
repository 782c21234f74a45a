"""Which test opens a page by each template, and holds it to `tests.browser.rules`: a page without one fails
`tests/unit/ui/test_templates.py`."""

from __future__ import annotations

from collections.abc import Mapping

COVERED: Mapping[str, str] = {
    "adjudicate.html": "test_review.py::test_two_reviewers_blind_to_each_other_and_a_third",
    "adjudicated.html": "test_review.py::test_two_reviewers_blind_to_each_other_and_a_third",
    "administration.html": "test_access.py::test_an_admin_watches_and_has_failed_notes_tried_again",
    "agreement.html": "test_review.py::test_two_reviewers_blind_to_each_other_and_a_third",
    "api.html": "test_axe.py::test_a_page_breaks_no_rule_in_light_or_dark",
    "audit.html": "test_access.py::test_who_saw_this_patient",
    "build.html": "test_build.py::test_the_opening_question_by_hand_and_by_line",
    "cohort.html": "test_cohorts.py::test_from_a_search_to_its_files",
    "cohort_changes.html": "test_cohorts.py::test_from_a_search_to_its_files",
    "cohort_delete.html": "test_cohorts.py::test_from_a_search_to_its_files",
    "cohort_export.html": "test_cohorts.py::test_from_a_search_to_its_files",
    "cohort_patients.html": "test_cohorts.py::test_from_a_search_to_its_files",
    "cohorts.html": "test_cohorts.py::test_from_a_search_to_its_files",
    "compare.html": "test_cohorts.py::test_from_a_search_to_its_files",
    "error.html": "test_axe.py::test_a_page_breaks_no_rule_in_light_or_dark",
    "export.html": "test_cohorts.py::test_from_a_search_to_its_files",
    "history.html": "test_access.py::test_from_a_one_time_password_to_a_note_and_out",
    "home.html": "test_axe.py::test_a_page_breaks_no_rule_in_light_or_dark",
    "keep.html": "test_cohorts.py::test_from_a_search_to_its_files",
    "note.html": "test_axe.py::test_a_page_breaks_no_rule_in_light_or_dark",
    "note_beside.html": "test_beside.py::test_the_note_of_the_chosen_hit_stands_beside_the_hits",
    "password.html": "test_access.py::test_from_a_one_time_password_to_a_note_and_out",
    "patient.html": "test_patient.py::test_from_a_search_to_the_record_to_a_note_and_back",
    "purpose.html": "test_access.py::test_from_a_one_time_password_to_a_note_and_out",
    "purposes.html": "test_access.py::test_an_admin_sees_no_search",
    "record_part.html": "test_record.py::test_keys_go_from_passage_to_passage_and_read_the_notes_on_the_way",
    "results.html": "test_axe.py::test_a_page_breaks_no_rule_in_light_or_dark",
    "review.html": "test_review.py::test_two_reviewers_blind_to_each_other_and_a_third",
    "review_done.html": "test_review.py::test_two_reviewers_blind_to_each_other_and_a_third",
    "review_fields.html": "test_review.py::test_two_reviewers_blind_to_each_other_and_a_third",
    "sign_in.html": "test_access.py::test_from_a_one_time_password_to_a_note_and_out",
    "signed_in.html": "test_axe_states.py::test_the_page_between_keeps_the_rules",
    "similar.html": "test_record.py::test_similar_passages_are_found_from_a_record_a_hit_and_a_note",
    "viewing.html": "test_access.py::test_a_viewer_counts_and_reads_without_names",
}
