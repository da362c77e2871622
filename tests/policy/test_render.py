"""Templates render what they are given, and every mistake in one is one message."""

import pytest
from pydantic import BaseModel, ValidationError, computed_field

from sinbin.policy.parser import parse_text
from sinbin.policy.render import TemplateError, TemplateParams, render_template

NAMES = "the parameters are pool, regions, retries, streams"
INSIDE = (
    "a value is put inside the policy expression of `{}`, where XML escaping does not protect it; "
    "pass it through set-variable or a named value"
)


class Region(BaseModel):
    name: str


class Params(TemplateParams):
    pool: str = "pool-chat"
    regions: tuple[Region, ...] = (Region(name="a"), Region(name="b"))
    streams: bool = False

    @computed_field
    @property
    def retries(self) -> int:
        return len(self.regions) - 1


@pytest.fixture
def render(tmp_path):
    def write(text: str, params: TemplateParams | None = None) -> str:
        (tmp_path / "template.xml.j2").write_text(text)
        return render_template(tmp_path, params or Params())

    return write


def test_values_are_escaped_and_blocks_leave_no_empty_lines(render):
    text = """<policies>
  {# a remark #}
  {% for region in regions %}
  <set-header name="x-{{ region.name }}"><value>{{ pool }}</value></set-header>
  {% endfor %}
  {% if streams %}
  <forward-request buffer-response="false" />
  {% endif %}
  <retry count="{{ retries }}" condition="@(context.Response.StatusCode == 429 && 1 < 2)" />
</policies>
"""
    assert (
        render(text, Params(pool='a&b"<'))
        == """<policies>
  <set-header name="x-a"><value>a&amp;b&#34;&lt;</value></set-header>
  <set-header name="x-b"><value>a&amp;b&#34;&lt;</value></set-header>
  <retry count="1" condition="@(context.Response.StatusCode == 429 && 1 < 2)" />
</policies>
"""
    )


def test_an_escaped_value_reads_back_as_it_was(render):
    text = render('<set-variable name="a" value="{{ pool }}" />', Params(pool="a&b\"<'>"))
    [element] = parse_text(text).walk()
    assert element.get("value") == "a&b\"<'>"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<a>\n<b c="{{ pol }}"/></a>', f":2: no parameter `pol`; {NAMES}"),
        ("<a>\n{% if streams %}{{ pol }}{% endif %}</a>", f":2: no parameter `pol`; {NAMES}"),
        (
            "<a>\n\n{% for r in regions %}{{ r.nam }}{% endfor %}</a>",
            f":3: 'Region object' has no attribute 'nam'; {NAMES}",
        ),
        (
            "<a>\n{% if streams %}</a>",
            (
                ":2: Unexpected end of template. Jinja was looking for the following tags: 'elif' or 'else' or "
                "'endif'. The innermost block that needs to be closed is 'if'."
            ),
        ),
        ('<a>\n<when condition="@(context.Api.Name ==\n "{{ pool }}")" /></a>', f":3: {INSIDE.format('when')}"),
        (
            "<a><set-body>@{ return {% if streams %}{{ retries }}{% else %}1{% endif %}; }</set-body></a>",
            f":1: {INSIDE.format('set-body')}",
        ),
        ('<a>\n{% include "secret" %}</a>', ":2: a template reads no other file; use a policy fragment"),
    ],
)
def test_a_mistake_in_a_template_is_one_message(render, tmp_path, text, message):
    with pytest.raises(TemplateError) as caught:
        render(text)
    assert str(caught.value).replace(f"{Region.__module__}.", "") == f"{tmp_path / 'template.xml.j2'}{message}"


def test_a_named_value_inside_an_expression_is_no_interpolation(render):
    text = '<a b=\'@("{% raw %}{{audience}}{% endraw %}" == "x")\' />'
    assert render(text) == '<a b=\'@("{{audience}}" == "x")\' />'


def test_a_missing_template_is_one_message(tmp_path):
    with pytest.raises(TemplateError) as caught:
        render_template(tmp_path / "no", Params())
    assert str(caught.value) == (
        f"{tmp_path / 'no' / 'template.xml.j2'}: cannot be read (No such file or directory); a template folder holds it"
    )


def test_parameters_are_frozen_and_unknown_ones_refused():
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Params(pol="x")
    with pytest.raises(ValidationError, match="frozen"):
        Params().pool = "y"
