"""Regions that really listen, ended after each test."""

import pytest

from tests.local.foundry.running import Running, make_account


@pytest.fixture
def start():
    running = []

    def begin(speed=1.0):
        running.append(Running(speed))
        return running[-1]

    yield begin
    for entry in running:
        entry.stop()


@pytest.fixture
def regions(start):
    return start()


@pytest.fixture
def url(regions):
    return regions.apply(make_account())[0]
