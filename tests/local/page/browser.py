"""A headless Chromium, as a person at a keyboard uses it."""

import time

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from scripts.find_browser import find_browser

PATIENCE_S = 15


class Browser:
    """One window."""

    def __init__(self):
        program, driver = find_browser()
        options = ChromeOptions()
        options.binary_location = program
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        for word in (
            "--headless=new",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
        ):
            options.add_argument(word)
        # A container for tests often has no sandbox to offer, and what is opened here is ours.
        options.add_argument("--no-sandbox")
        self.driver = Chrome(options=options, service=Service(driver))

    def open(self, url, width=1280, height=800):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.get(url)

    def close(self):
        self.driver.quit()

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector, text=""):
        """Wait for the first element that `selector` finds and that says `text`."""
        return self.until(lambda: next((found for found in self.all(selector) if text in found.text), None))

    def until(self, look):
        """Wait until `look` returns something, and return that."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                if found := look():
                    return found
            except StaleElementReferenceException:
                pass  # the page moved on while we looked
            time.sleep(0.05)
        raise AssertionError(f"this did not come within {PATIENCE_S} s; the page says:\n{self.one_text('body')}")

    def one_text(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector).text

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def focused(self):
        return self.driver.switch_to.active_element

    def tab_to(self, name):
        """Press Tab until what has the focus is called `name`; nothing is clicked."""
        for _ in range(80):
            if name in self.focused().accessible_name:
                return self.focused()
            self.press(Keys.TAB)
        raise AssertionError(f'Tab never reaches "{name}"')

    def complaints(self):
        """Return what the browser's console holds: refused scripts and styles, failed requests, errors."""
        return [entry["message"] for entry in self.driver.get_log("browser")]
