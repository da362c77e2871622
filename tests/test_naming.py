"""Names of Azure resources."""

from sinbin import naming


def test_a_dot_never_reaches_a_name_that_cannot_hold_it():
    assert naming.join("pool", "gpt-4.1", "", length=80) == "pool-gpt-4-1"


def test_two_long_names_stay_different_when_they_are_cut():
    one, two = (naming.join("x" * 90, end, length=64) for end in ("uksouth", "ukwest"))
    assert len(one) == len(two) == 64
    assert one[:57] == two[:57]
    assert one != two
