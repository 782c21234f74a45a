from __future__ import annotations

import torch

from encoders.models.bloom import BITS, HASHES, multi_hot, positions


def test_a_name_sets_its_own_bits_whatever_its_case_and_spaces() -> None:
    assert positions("Gout") == positions(" gout ")
    assert positions("gout") != positions("asthma")
    assert len(positions("gout")) == HASHES
    assert all(0 <= p < BITS for p in positions("gout"))


def test_the_code_is_the_same_on_every_machine() -> None:
    assert positions("gout", bits=1 << 20) == [569053, 290849, 978159, 709397, 70288]


def test_rows_are_names() -> None:
    hot = multi_hot(["gout", "", "gout", "asthma"])
    assert hot.shape == (4, BITS)
    assert torch.equal(hot[0], hot[2])
    assert hot[1].sum() == 0
    assert sorted(set(positions("asthma"))) == hot[3].nonzero().flatten().tolist()


def test_few_names_share_a_code() -> None:
    codes = {tuple(sorted(positions(f"disease {n}"))) for n in range(5000)}
    assert len(codes) > 4990
