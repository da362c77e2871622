"""Generated pages."""

from scripts import docs


def test_every_generated_page_is_current():
    assert docs.main(["--check"]) == 0


def test_a_stale_page_is_named_and_written(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(docs, "DOCS", tmp_path / "docs")
    monkeypatch.setattr(docs, "generated", lambda: {tmp_path / "docs" / "a" / "b.md": "text\n"})
    assert docs.main(["--check"]) == 1
    assert docs.main([]) == 0
    assert docs.main(["--check"]) == 0
    assert capsys.readouterr().out == "stale: docs/a/b.md\nwrote: docs/a/b.md\n"
    assert (tmp_path / "docs" / "a" / "b.md").read_text() == "text\n"
