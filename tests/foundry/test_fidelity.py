"""The claims of the fidelity page."""

from sinbin.foundry.fidelity import CLAIMS


def test_what_is_modelled_names_its_source_and_what_is_assumed_has_none():
    assert [claim for claim in CLAIMS if claim.state == "modelled" and not claim.source] == []
    assert [claim for claim in CLAIMS if claim.state == "assumed" and claim.source] == []


def test_a_claim_is_made_once():
    assert len({(claim.part, claim.behaviour) for claim in CLAIMS}) == len(CLAIMS)
