import pytest

from sinbin.simulate.scenario_file import parse_scenario


@pytest.fixture
def scenario():
    """Return a function that makes a scenario: one region unless told otherwise, constant latency."""

    def make(*, rpm=60, tpm=1e9, regions=("a",), median=300, p95=300, **parts):
        quota = rpm if isinstance(rpm, dict) else dict.fromkeys(regions, rpm)
        return parse_scenario(
            {
                "name": "test",
                "regions": {
                    name: {
                        "requestsPerMinute": quota[name],
                        "tokensPerMinute": tpm,
                        "latency": {"medianMs": median, "p95Ms": p95},
                    }
                    for name in quota
                },
                "load": {"kind": "poisson", "requestsPerSecond": 2, "durationSeconds": 300},
                **parts,
            },
            source="test",
        )

    return make
