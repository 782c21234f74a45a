"""Short forms of the surgical fields that mean several things, as a line tells them."""

from __future__ import annotations

import pytest

from search_stack.query.nodes import Finding
from search_stack.query.tree import leaves
from search_stack.query.understand import Understanding


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("pes planus", "flat foot"),
        ("FWB", "full weight bearing"),
        ("ETV", "endoscopic third ventriculostomy"),
        ("RSI", "rapid sequence intubation"),
        ("RSI wrist", "repetitive strain injury"),
        ("bladder TCC", "bladder cancer"),
        ("Charcot TCC", "total contact cast"),
        ("TEP", "totally extraperitoneal hernia repair"),
        ("laryngectomy leaking TEP", "voice prosthesis"),
        ("CMO", "comfort measures only"),
        ("pseudophakic eye CMO", "cystoid macular edema"),
        ("PPV", "pars plana vitrectomy"),
        ("CSE", "combined spinal epidural"),
        ("epidural", "epidural anesthesia"),
        ("urgency", "urinary urgency"),
        ("hesitancy", "urinary hesitancy"),
        ("stone in the ureter", "ureteral stone"),
    ],
)
def test_a_line_tells_what_is_meant(understanding: Understanding, line: str, name: str) -> None:
    found = understanding.understand(line).query
    assert name in {leaf.name for leaf in leaves(found) if isinstance(leaf, Finding)}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("fecal urgency", "urinary urgency"),
        ("hypertensive urgency", "urinary urgency"),
        ("urgency of surgery", "urinary urgency"),
        ("vaccine hesitancy", "urinary hesitancy"),
        ("epidural abscess", "epidural anesthesia"),
        ("pes cavus", "pulmonary embolism"),
    ],
)
def test_what_goes_with_it_may_mean_something_else(understanding: Understanding, line: str, name: str) -> None:
    found = understanding.understand(line).query
    assert name not in {leaf.name for leaf in leaves(found) if isinstance(leaf, Finding)}
