"""A tree is written back as it was read, but for what is replaced."""

from pathlib import Path

import pytest

from sinbin.policy.parser import parse_bytes, parse_text
from sinbin.policy.write import write

TEXT = "<?xml version=\"1.0\"?>\r\n<policies>\r\n\t<!-- a --><inbound  x = '1'><base/> text <![CDATA[<]]>\r\n</inbound></policies>\r\n"


def test_an_unmodified_tree_gives_the_same_bytes():
    data = b"\xef\xbb\xbf" + TEXT.encode()
    document = parse_bytes(data)
    assert document.source.to_bytes(write(document)) == data


def test_nodes_are_replaced_where_they_stand():
    document = parse_text(TEXT)
    [inbound] = document.named("inbound")
    [base] = document.named("base")
    replaced = {inbound.attributes[0]: 'y="2"', base: "<trace />"}
    assert write(document, replaced) == TEXT.replace("x = '1'", 'y="2"').replace("<base/>", "<trace />")


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parent.parent / "data" / "policies").rglob("*.xml")), ids=lambda p: p.name
)
def test_every_stored_policy_survives_reading_and_writing(path):
    data = path.read_bytes()
    document = parse_bytes(data, path.name)
    assert document.source.to_bytes(write(document)) == data
