"""The generated pages of the documentation."""

from scripts.docs import main


def test_every_generated_page_is_what_the_code_says(capsys):
    assert main(["--check"]) == 0, capsys.readouterr().out
