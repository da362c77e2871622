"""`sinbin local` as a person types it."""

import json
import re
import signal
import socket
import sys

import pytest

from sinbin.cli import main
from sinbin.local.control_plane.plane import DEFAULT_SUBSCRIPTION, DEFAULT_TENANT
from sinbin.local.state_dir import Running, StateDir

_HANDLERS: dict[int, object] = {}


@pytest.fixture
def sinbin(tmp_path, monkeypatch, capsys):
    """Run a command in this process; what it starts in the background is a process of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SINBIN_CACHE", str(tmp_path / "cache"))  # no engine of ours is found
    for number in (signal.SIGTERM, signal.SIGINT):
        monkeypatch.setitem(_HANDLERS, number, signal.getsignal(number))

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sinbin", "local", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return ended.value.code, said.out, said.err

    yield run
    run("down")
    for number, handler in _HANDLERS.items():
        signal.signal(number, handler)


def test_up_status_env_down(sinbin, tmp_path):
    folder = tmp_path / ".sinbin/local"
    code, out, said = sinbin("up", "--port", "0", "--provider-port", "0")
    match = re.fullmatch(
        r"control plane on http://127\.0\.0\.1:(\d+), provider on port (\d+)\n"
        r'for pulumi: eval "\$\(sinbin local env\)"\n',
        said,
    )
    assert (code, out) == (0, "")
    assert match
    arm, provider = map(int, match.groups())
    code, out, said = sinbin("status", "--format", "json")
    report = json.loads(out)
    pid = report.pop("pid")
    assert (code, said, report) == (
        0,
        "",
        {"running": True, "ports": {"arm": arm, "provider": provider}, "resources": {}, "refused": {}},
    )
    assert sinbin("status") == (
        0,
        f"process {pid}, arm on {arm}, provider on {provider}\nresources: none\nrefused: none\n",
        "",
    )
    assert json.loads(sinbin("env", "--format", "json")[1]) == {
        "PULUMI_DEBUG_PROVIDERS": f"azure-native:{provider}",
        "PULUMI_BACKEND_URL": f"file://{folder}/pulumi",
        "PULUMI_CONFIG_PASSPHRASE_FILE": f"{folder}/passphrase",
        "PULUMI_SKIP_UPDATE_CHECK": "1",
        "ARM_SUBSCRIPTION_ID": DEFAULT_SUBSCRIPTION,
        "ARM_TENANT_ID": DEFAULT_TENANT,
        "ARM_ENDPOINT": f"http://127.0.0.1:{arm}",
    }
    assert sinbin("up")[2].startswith(f"already running as process {pid}\n")
    assert sinbin("down") == (0, "", "stopped\n")
    assert sinbin("down", "--purge") == (0, "", f"nothing runs\nremoved {folder}\n")
    assert not folder.exists()


def test_the_engine_that_sinbin_has_is_put_on_the_path(sinbin, tmp_path, monkeypatch):
    engine = tmp_path / "cache/engine/official/bin/pulumi"
    engine.parent.mkdir(parents=True)
    engine.write_text("#!/bin/sh\necho v3.274.1\n")
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    running = Running(pid=1, ports={"arm": 1, "provider": 2}, subscription="s", tenant="t")
    monkeypatch.setattr(StateDir, "running", lambda _: running)
    monkeypatch.setattr(StateDir, "stop", lambda _: False)
    assert json.loads(sinbin("env", "--format", "json")[1])["PATH"] == f"{engine.parent}:/usr/bin:/bin"


def test_nothing_runs_is_said_with_what_to_do(sinbin, tmp_path):
    folder = tmp_path / ".sinbin/local"
    assert sinbin("status") == (0, f"nothing runs from {folder}\n", "")
    assert sinbin("env") == (2, "", f"error: nothing runs from {folder}; start it with `sinbin local up`\n")


@pytest.mark.parametrize("option", ["--port", "--provider-port"])
def test_a_port_that_is_taken_is_one_clear_message(sinbin, option):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        ports = {"--port": 0, "--provider-port": 0, option: port}
        words = [str(word) for pair in ports.items() for word in pair]
        assert sinbin("up", "--foreground", *words) == (
            2,
            "",
            f"error: port {port} of 127.0.0.1 is taken; choose another with {option}, or 0 for any that is free\n",
        )


def test_a_folder_that_can_not_be_made_is_one_clear_message(sinbin, tmp_path):
    (tmp_path / "file").write_text("")
    assert sinbin("up", "--foreground", "--state", "file/state") == (
        2,
        "",
        f"error: {tmp_path}/file/state: cannot be written (Not a directory); choose a folder with --state\n",
    )


def test_a_quota_that_is_no_quota_is_one_clear_message(sinbin):
    assert sinbin("up", "--quota", "gpt-4o") == (
        2,
        "",
        'error: --quota "gpt-4o": write NAME=UNITS, for example OpenAI.Standard.gpt-4.1-mini=60\n',
    )
