"""`sinbin local` as a person types it."""

import json
import re
import signal
import socket
import sys
import time

import httpx
import pytest

from sinbin.cli import main
from sinbin.local.control_plane.plane import DEFAULT_SUBSCRIPTION, DEFAULT_TENANT
from sinbin.local.state_dir import Running, StateDir

OPTIONS = ("--port", "--provider-port", "--regions-port", "--page-port", "--gateway-port")
ANY_PORTS = tuple(word for option in OPTIONS for word in (option, "0"))
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
    code, out, said = sinbin("up", *ANY_PORTS)
    match = re.fullmatch(
        r"gateway on http://127\.0\.0\.1:(\d+), control plane on http://127\.0\.0\.1:(\d+), "
        r"provider on port (\d+), regions on http://127\.0\.0\.1:(\d+)\n"
        r"look at it, and make regions fail: http://127\.0\.0\.1:(\d+)/\n"
        r'for pulumi: eval "\$\(sinbin local env\)"\n'
        r"for the OpenAI client: base_url http://127\.0\.0\.1:\d+/openai/v1, api_key \$\(sinbin local key CONSUMER\)\n",
        said,
    )
    assert (code, out) == (0, "")
    assert match
    gateway, arm, provider, regions, page = map(int, match.groups())
    assert httpx.get(f"http://127.0.0.1:{page}/").text.startswith("<!doctype html>")
    code, out, said = sinbin("status", "--format", "json")
    report = json.loads(out)
    pid = report.pop("pid")
    assert (code, said, report) == (
        0,
        "",
        {
            "running": True,
            "ports": {"gateway": gateway, "page": page, "arm": arm, "provider": provider, "regions": regions},
            "resources": {},
            "refused": {},
            "speed": 1.0,
            "gateways": [
                {
                    "service": None,
                    "url": f"http://127.0.0.1:{gateway}",
                    "changes": 0,
                    "refused": [],
                    "notModelled": [],
                    "instances": [],
                    "backends": [],
                    "pools": [],
                    "consumers": [],
                }
            ],
        },
    )
    shown = (
        f"process {pid}, gateway on {gateway}, page on {page}, arm on {arm}, provider on {provider}, regions on {regions}\n"
        f"the page: http://127.0.0.1:{page}/\n"
        f"gateway (no service is deployed yet) on http://127.0.0.1:{gateway}\nresources: none\nrefused: none\n"
    )
    assert sinbin("status") == (0, shown, "")
    assert json.loads(sinbin("env", "--format", "json")[1]) == {
        "PULUMI_DEBUG_PROVIDERS": f"azure-native:{provider}",
        "PULUMI_BACKEND_URL": f"file://{folder}/pulumi",
        "PULUMI_CONFIG_PASSPHRASE": "sinbin-local",
        "PULUMI_SKIP_UPDATE_CHECK": "1",
        "ARM_SUBSCRIPTION_ID": DEFAULT_SUBSCRIPTION,
        "ARM_TENANT_ID": DEFAULT_TENANT,
        "ARM_ENDPOINT": f"http://127.0.0.1:{arm}",
        "AZURE_OPENAI_ENDPOINT": f"http://127.0.0.1:{gateway}",
        "OPENAI_BASE_URL": f"http://127.0.0.1:{gateway}/openai/v1",
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
    running = Running(pid=1, ports={"arm": 1, "provider": 2, "gateway": 3}, subscription="s", tenant="t")
    monkeypatch.setattr(StateDir, "running", lambda _: running)
    monkeypatch.setattr(StateDir, "stop", lambda _: False)
    assert json.loads(sinbin("env", "--format", "json")[1])["PATH"] == f"{engine.parent}:/usr/bin:/bin"


def deploy(arm):
    """Deploy an account with a model, as pulumi would, and wait until its region listens."""
    group = f"http://127.0.0.1:{arm}/subscriptions/{DEFAULT_SUBSCRIPTION}/resourceGroups/rg"
    account = f"{group}/providers/Microsoft.CognitiveServices/accounts/acc"
    model = {"format": "OpenAI", "name": "gpt-4.1-mini", "version": "2025-04-14"}
    sku = {"name": "Standard", "capacity": 60}
    properties = {"customSubDomainName": "acc-uks", "disableLocalAuth": True}
    body = {"location": "uksouth", "kind": "AIServices", "sku": {"name": "S0"}, "properties": properties}
    version = {"api-version": "2025-06-01"}
    bearer = {"authorization": "Bearer local"}
    with httpx.Client(headers=bearer, trust_env=False) as client:
        for url, asked, body_ in (
            (group, {"api-version": "2024-03-01"}, {"location": "uksouth"}),
            (account, version, body),
            (f"{account}/deployments/chat", version, {"sku": sku, "properties": {"model": model}}),
        ):
            until = time.monotonic() + 20
            while (answer := client.put(url, params=asked, json=body_)).status_code == 409:
                assert time.monotonic() < until, answer.text
                time.sleep(0.1)
            assert answer.is_success, answer.text


def test_regions_are_listed_and_made_to_fail(sinbin):
    said = sinbin("up", *ANY_PORTS, "--provisioning", "0.01", "--speed", "60")[2]
    assert sinbin("regions") == (0, "no region is deployed; deploy with `pulumi up`\n", "")
    deploy(re.search(r":(\d+), provider", said)[1])
    until = time.monotonic() + 20
    while "chat" not in (listed := sinbin("regions")[1]):
        assert time.monotonic() < until
        time.sleep(0.1)
    assert re.fullmatch(
        r"acc-uks \(uksouth\) on http://127\.0\.0\.1:\d+, keys off\n"
        r"  chat: gpt-4\.1-mini, 0 of 60 requests, 0 of 60000 tokens\n",
        listed,
    )
    assert sinbin("fault", "acc-uks", "status", "--status", "503", "--calls", "3", "--share", "0.5") == (
        0,
        "",
        "acc-uks: fault 1 begun\n",
    )
    assert sinbin("fault", "acc-uks", "quota", "--quota-share", "0.5")[0] == 0
    assert sinbin("regions")[1].splitlines()[1:] == [
        "  chat: gpt-4.1-mini, 0 of 30 requests, 0 of 30000 tokens",
        "  fault 1: status, status 503, 50% of the calls, 3 calls left",
        "  fault 2: quota, 50% of the quota",
    ]
    assert sinbin("fault", "acc-uks", "delay") == (2, "", "error: fault: delay needs --delay\n")
    assert sinbin("fault", "mars", "dns") == (2, "", 'error: there is no region "mars"; there are: acc-uks\n')
    assert sinbin("fault", "acc-uks", "--clear") == (0, "", "acc-uks: faults ended\n")
    assert sinbin("fault", "acc-uks", "--clear") == (0, "", "acc-uks: there was no fault\n")
    assert [region["faults"] for region in json.loads(sinbin("regions", "--format", "json")[1])["regions"]] == [[]]


def test_a_fault_is_begun_or_cleared_not_both(sinbin):
    for words in (("acc",), ("acc", "dns", "--clear"), ("acc", "--clear", "--calls", "3")):
        assert sinbin("fault", *words) == (
            2,
            "",
            "error: say either a kind of fault or --clear; `sinbin local fault --help` lists the kinds\n",
        )


def test_nothing_runs_is_said_with_what_to_do(sinbin, tmp_path):
    folder = tmp_path / ".sinbin/local"
    assert sinbin("status") == (0, f"nothing runs from {folder}\n", "")
    assert sinbin("env") == (2, "", f"error: nothing runs from {folder}; start it with `sinbin local up`\n")


def test_the_usual_folder_is_that_of_the_project_from_everywhere_in_it(sinbin, tmp_path, monkeypatch):
    (tmp_path / "Pulumi.yaml").write_text("name: p")
    (tmp_path / "stacks/deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "stacks/deep")
    folder = tmp_path / ".sinbin/local"
    assert sinbin("status") == (0, f"nothing runs from {folder}\n", "")
    assert sinbin("down", "--purge") == (0, "", f"nothing runs\nnothing to remove in {folder}\n")
    assert sinbin("env") == (2, "", f"error: nothing runs from {folder}; start it with `sinbin local up`\n")
    named = f"{folder}; start it with `sinbin local up"
    assert sinbin("env", "--state", str(folder)) == (2, "", f"error: nothing runs from {named}`\n")
    assert sinbin("env", "--state", "x")[2].endswith("start it with `sinbin local up --state x`\n")


@pytest.mark.parametrize("option", OPTIONS)
def test_a_port_that_is_taken_is_one_clear_message(sinbin, option):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        ports = {**dict.fromkeys(ANY_PORTS[::2], 0), option: port}
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


EXAMPLE = "write NAME=UNITS with at most nine digits, for example OpenAI.Standard.gpt-4.1-mini=60"


@pytest.mark.parametrize(
    ("quota", "why"),
    [
        ("gpt-4o", EXAMPLE),
        ("OpenAI.Standard.gpt-4o=²", EXAMPLE),
        ("OpenAI.Standard.gpt-4o=1234567890", EXAMPLE),
        (
            "openai.standard.gpt-4.1-mini=5",
            'there is no quota "openai.standard.gpt-4.1-mini"; near it: OpenAI.Standard.gpt-4.1-mini, ',
        ),
        ("Made.Up=5", 'there is no quota "Made.Up"; there are: OpenAI.DataZoneProvisionedManaged, '),
    ],
)
def test_a_quota_that_there_is_not_is_one_clear_message(sinbin, tmp_path, quota, why):
    code, out, said = sinbin("up", "--quota", quota)
    assert (code, out) == (2, "")
    assert said.startswith(f'error: --quota "{quota}": {why}')
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_quota_is_given_once(sinbin):
    name = "OpenAI.Standard.gpt-4.1-mini"
    assert sinbin("up", "--quota", f"{name}=1", "--quota", f"{name}=2") == (
        2,
        "",
        f'error: --quota "{name}=2": {name} is limited twice; say it once\n',
    )


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        (("up", "--speed"), "0.001<=x<=100000"),
        (("up", "--policy-delay"), "0<=x<=3600"),
        (("up", "--provisioning"), "0<=x<=3600"),
        (("fault", "acc", "delay", "--delay"), "x>=0"),
        (("fault", "acc", "dns", "--share"), "x>=0"),
    ],
)
@pytest.mark.parametrize("number", ["nan", "inf"])
def test_a_number_that_is_not_finite_is_refused_before_anything_starts(sinbin, tmp_path, words, allowed, number):
    code, out, said = sinbin(*words, number)
    assert (code, out) == (2, "")
    assert said.splitlines()[-1] == (
        f"Error: Invalid value for '{words[-1]}': {number} is not a finite number in the range {allowed}."
    )
    assert list(tmp_path.iterdir()) == []
