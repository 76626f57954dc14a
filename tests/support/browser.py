"""A headless Chromium, driven by its DevTools protocol over a pipe."""

import base64
import collections
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-shell")
LIMIT_SECONDS = 120


def find_browser():
    """The path of a Chromium, or None."""
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class BrowserError(Exception):
    pass


class Browser:
    """A browser with one page. `requests`, `faults` hold what the page fetched and what went wrong
    since it was last opened."""

    def __init__(self):
        self.requests, self.faults = [], []
        self._next_id, self._session, self._buffer = 0, None, b""
        self._events = collections.deque()
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._start()
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target,
                                   flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self._call(domain + ".enable")

    def _start(self):
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def place_pipe():  # the browser reads from 3 and writes to 4
            read, write = (fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (to_browser, from_browser))
            os.dup2(read, 3)
            os.dup2(write, 4)

        self._process = subprocess.Popen(
            [find_browser(), "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self._profile.name}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=place_pipe, close_fds=False)
        os.close(to_browser)
        os.close(from_browser)

    def close(self):
        os.close(self._write)
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        self._profile.cleanup()

    def _receive(self, deadline):
        """The next message of the browser."""
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], max(0, deadline - time.monotonic()))[0]:
                raise BrowserError(f"no answer within {LIMIT_SECONDS} s")
            piece = os.read(self._read, 1 << 16)
            if not piece:
                raise BrowserError("the browser ended")
            self._buffer += piece
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def _note(self, event):
        parameters = event["params"]
        if event["method"] == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif event["method"] == "Runtime.exceptionThrown":
            self.faults.append(parameters["exceptionDetails"])
        elif event["method"] == "Runtime.consoleAPICalled":
            self.faults.append(parameters["args"])
        elif event["method"] == "Log.entryAdded":
            self.faults.append(parameters["entry"])
        self._events.append(event["method"])

    def _call(self, method, **parameters):
        self._next_id += 1
        message = {"id": self._next_id, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + LIMIT_SECONDS
        while True:
            answer = self._receive(deadline)
            if answer.get("id") == self._next_id:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self._note(answer)

    def open(self, path, width=1200, script=True, dark=False):
        """Opens a file and waits until it is loaded."""
        self.requests, self.faults = [], []
        self._events.clear()
        self._call("Emulation.setScriptExecutionDisabled", value=not script)
        self._call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                   deviceScaleFactor=1, mobile=False)
        self._call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        deadline = time.monotonic() + LIMIT_SECONDS
        while "Page.loadEventFired" not in self._events:
            self._note(self._receive(deadline))

    def evaluate(self, expression):
        """The value of a JavaScript expression in the page."""
        result = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise BrowserError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def move_pointer(self, x, y):
        self._call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                       clickCount=1)

    def screenshot(self, path):
        """The whole page as PNG."""
        data = self._call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def print_to_pdf(self, path):
        data = self._call("Page.printToPDF", printBackground=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
