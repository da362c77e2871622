"""XML in a body is read, and cannot do harm."""

import pytest

from sinbin.csharp.compiler import CsException, compile_source
from sinbin.csharp.context import Context
from sinbin.csharp.messages import Body, Request


def test_a_body_is_read_as_xml():
    compiled = compile_source('context.Request.Body.As<XElement>(true).Element("b").Value', "expression")
    assert compiled.evaluate(Context(request=Request(body=Body(b"<a><b>1</b></a>")))) == "1"


@pytest.mark.parametrize(
    "text",
    [
        "<a",
        '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        '<a xmlns="urn:x"/>',
    ],
)
def test_what_is_no_plain_xml_is_an_exception(text):
    compiled = compile_source("context.Request.Body.As<XElement>().Value", "expression")
    with pytest.raises(CsException) as caught:
        compiled.evaluate(Context(request=Request(body=Body(text.encode()))))
    assert caught.value.type_name == "System.Xml.XmlException"
