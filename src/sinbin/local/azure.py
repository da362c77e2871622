"""A local Azure: its services, run until a signal comes; in this process or in one in the background."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sinbin.errors import EXIT_FAULT, SinbinError
from sinbin.local.clock import Clock
from sinbin.local.control_plane.plane import DEFAULT_SUBSCRIPTION, DEFAULT_TENANT, ControlPlane
from sinbin.local.control_plane.server import create_app
from sinbin.local.control_plane.store import Store
from sinbin.local.foundry.service import RegionsService
from sinbin.local.gateway.service import REPORTS, GatewaysService
from sinbin.local.page.service import PageService
from sinbin.local.provider.server import ProviderService
from sinbin.local.services import HttpService, Service
from sinbin.local.state_dir import AlreadyRunningError, Running, StateDir

ARM_PORT, PROVIDER_PORT, REGIONS_PORT, PAGE_PORT, GATEWAY_PORT = 4680, 4681, 4682, 4683, 4690
_START_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a local Azure runs; a port of 0 is any that is free."""

    arm_port: int = ARM_PORT
    provider_port: int = PROVIDER_PORT
    regions_port: int = REGIONS_PORT
    """Of the server that is asked about the regions; with 0 the regions too take any ports that are free."""
    page_port: int = PAGE_PORT
    """Of the page that people open in a browser."""
    speed: float = 1.0
    """How many times faster time passes in gateways and regions; the control plane keeps the time of the wall."""
    gateway_port: int = GATEWAY_PORT
    """Of the first API Management service; with 0 all of them take any ports that are free."""
    gateway_instances: int = 1
    policy_delay_s: float = 0.0
    """How long a change of the configuration takes to reach the gateways, on their clock."""
    trace_all: bool = False
    provisioning_s: float = 0.2
    quota: Mapping[str, int] = field(default_factory=dict)

    def words(self) -> list[str]:
        """Return the words of the command line that say the same."""
        words = ["--port", str(self.arm_port), "--provider-port", str(self.provider_port)]
        words += ["--regions-port", str(self.regions_port), "--page-port", str(self.page_port)]
        words += ["--speed", str(self.speed)]
        words += ["--provisioning", str(self.provisioning_s), "--gateway-port", str(self.gateway_port)]
        words += ["--gateway-instances", str(self.gateway_instances), "--policy-delay", str(self.policy_delay_s)]
        words += ["--trace"] if self.trace_all else []
        return words + [word for name, units in self.quota.items() for word in ("--quota", f"{name}={units}")]


def run(state: StateDir, options: Options, ready: Callable[[Running], None]) -> None:
    """Serve until SIGTERM or SIGINT; `ready` is told when everything listens.

    Raises:
        SinbinError: the folder, the state or a port can't be had.
    """
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    with state.locked():
        store = Store(state.database)
        started: list[Service] = []
        try:
            plane = ControlPlane(store, time.time, provisioning_s=options.provisioning_s, quota=options.quota)
            ports = _start_all(state, options, plane, started)
            running = Running(
                pid=os.getpid(), ports=ports, subscription=DEFAULT_SUBSCRIPTION, tenant=DEFAULT_TENANT
            )
            state.announce(running)
            ready(running)
            ended.wait()
        finally:
            for service in reversed(started):
                service.stop()
            store.close()


def _start_all(state: StateDir, options: Options, plane: ControlPlane, started: list[Service]) -> dict[str, int]:
    """Start every service, put it into `started`, and return the ports by name."""
    clock = Clock(options.speed)
    regions = RegionsService(state.database, state.region_ports, clock, options.regions_port)
    regions_port = _start(regions, started)
    gateways = GatewaysService(
        state.database,
        state.gateway_ports,
        clock,
        options.gateway_port,
        regions.servers,
        regions.thread,
        instances=options.gateway_instances,
        policy_delay_s=options.policy_delay_s,
        trace_all=options.trace_all,
    )
    gateway_port = _start(gateways, started)
    page = PageService(regions.servers, gateways.servers, clock, regions.thread, options.page_port)
    ports = {"gateway": gateway_port, "page": _start(page, started)}
    app = create_app(plane, dict.fromkeys(REPORTS, gateways.report))
    arm_port = _start(HttpService("arm", app, options.arm_port, "--port"), started)
    provider = ProviderService(f"http://127.0.0.1:{arm_port}", DEFAULT_SUBSCRIPTION, options.provider_port)
    provider_port = _start(provider, started)
    return ports | {"arm": arm_port, "provider": provider_port, "regions": regions_port}


def start(state: StateDir, options: Options) -> Running:
    """Start a process in the background and return it when everything listens.

    Raises:
        AlreadyRunningError: another process serves from the folder.
        SinbinError: it ended instead; the message is its own.
        RuntimeError: it ended by a fault of sinbin; the text is all that it wrote.
    """
    running = state.running()
    if running is not None:
        raise AlreadyRunningError(state.path, running)
    made = state.make()
    try:
        return _start_process(state, options)
    except BaseException:
        state.take_back(made)
        raise


def _start_process(state: StateDir, options: Options) -> Running:
    command = [sys.executable, "-m", "sinbin", "local", "up", "--foreground", "--state", str(state.path)]
    with state.usable(), state.log.open("a+b") as log:
        offset = log.seek(0, os.SEEK_END)
        child = subprocess.Popen(  # noqa: S603
            [*command, *options.words()],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        until = time.monotonic() + _START_S
        while time.monotonic() < until:
            running = state.running()
            if running is not None and running.pid == child.pid:
                child.returncode = 0  # it lives on without us, and nobody is to wait for it
                return running
            if child.poll() is not None:
                if running is not None:
                    raise AlreadyRunningError(state.path, running)
                log.seek(offset)
                raise _why(child.returncode, log.read().decode(errors="replace").strip())
            time.sleep(0.05)
    child.terminate()
    raise SinbinError(f"the local Azure did not start within {_START_S:g} s; {state.log} says more")


def _why(code: int, said: str) -> Exception:
    """Return the error of a process that ended with `code`, from what it wrote."""
    if code == EXIT_FAULT:
        return RuntimeError(f"the process in the background failed:\n{said}")
    errors = [line.removeprefix("error: ") for line in said.splitlines() if line.startswith("error: ")]
    return SinbinError(errors[-1] if errors else f"the process in the background ended with code {code}: {said}")


def _start(service: Service, started: list[Service]) -> int:
    port = service.start()
    started.append(service)
    return port
