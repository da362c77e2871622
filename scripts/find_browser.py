"""Says which Chromium the tests of the local page open, and with which driver.

    python scripts/find_browser.py

Exit 2 where there is none.
"""

import shutil
import sys

from scripts.asked import tell
from sinbin.errors import SinbinError

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def find_browser() -> tuple[str, str]:
    """Return the program of the browser and the one of its driver.

    Raises:
        SinbinError: one of them is not on the PATH.
    """
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        missing = "`chromedriver`" if browser else "Chromium"
        raise SinbinError(
            f"there is no {missing} on the PATH; on Debian: apt-get install chromium chromium-driver"
        )
    return browser, driver


def main() -> int:
    """Find them and say where they are."""
    return tell(lambda: " ".join(find_browser()))


if __name__ == "__main__":
    sys.exit(main())
