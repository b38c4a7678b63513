"""Drives WebKitGTK for a test, by WebDriver (https://www.w3.org/TR/webdriver2/), on a screen that
no one sees. Requests and answers are as with browser.py, of which it does only what a visit to each
page needs. It ends after an empty line or at the end of its input."""
import base64
import glob
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

from again import PATIENCE, REST, attempts

# What is wrong with an element only while the page is redrawn around it.
PASSING = ("stale element", "element not interactable", "element click intercepted")
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
SETTINGS = {
    # Its sandbox needs rights that containers don't have; it shows only our own pages here.
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
    # Tests have no graphics hardware, and no desktop.
    "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1", "GDK_BACKEND": "x11",
    "NO_AT_BRIDGE": "1", "GIO_USE_VFS": "local", "GSETTINGS_BACKEND": "memory",
    "LANG": "en_GB.UTF-8", "LANGUAGE": "en_GB",
}

# WebDriver doesn't report what a page logs. So this imports the page's modules again, since those
# that couldn't be fetched or parsed fail again, and records what fails after the page has loaded.
WATCH = """(async () => {
    const wrong = window.wrong = [];
    addEventListener("error", (event) => wrong.push(`error: ${event.message}`));
    addEventListener("unhandledrejection", (event) => wrong.push(`error: ${event.reason}`));
    for (const kind of ["error", "warn"]) {
        const log = console[kind];
        console[kind] = (...all) => { wrong.push(`${kind}: ${all}`); log(...all); };
    }
    for (const { src } of document.querySelectorAll("script[type=module][src]")) {
        await import(src).catch((error) => wrong.push(`${src}: ${error}`));
    }
})()"""


class Page:
    """A browser with one page."""

    def begin(self, profile, width=360, height=740):
        os.makedirs(profile, exist_ok=True)
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1920x1080x24", "-nolisten", "tcp"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        display = self.screen.stdout.readline().strip()
        folders = {name: profile for name in (
            "HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR")}
        # A port that is free now may be taken a moment later, and then the driver ends.
        for _ in range(10):
            with socket.create_server(("127.0.0.1", 0)) as free:
                self.port = free.getsockname()[1]
            self.driver = subprocess.Popen(
                ["/usr/bin/WebKitWebDriver", f"--port={self.port}"], stderr=subprocess.DEVNULL,
                env=os.environ | folders | SETTINGS | {"DISPLAY": f":{display}"})
            if self.listens():
                break
        self.session = ""
        (browser, *_) = glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
        begun = self.ask("POST", "", {"capabilities": {"alwaysMatch": {
            "webkitgtk:browserOptions": {
                "binary": browser, "args": ["--automation"]}}}})
        self.session = f"/{begun['sessionId']}"
        self.ask("POST", "/timeouts", {"script": PATIENCE * 1000, "pageLoad": PATIENCE * 1000})
        self.ask("POST", "/window/rect", {"width": width, "height": height})
        self.problems = []

    def listens(self):
        while self.driver.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return True
            except ConnectionRefusedError:
                time.sleep(0.02)
        return False

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/session{self.session}{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]) from None

    def run(self, script):
        """The value of an expression; if it is a promise, the value of that. Again if the page was
        replaced meanwhile."""
        for attempt in attempts(RuntimeError, "unload event"):
            with attempt:
                said = self.ask("POST", "/execute/async", {"args": [], "script": f"""
                    const done = arguments[arguments.length - 1];
                    Promise.resolve().then(() => ({script}))
                        .then((it) => done([it]), (error) => done(String(error)));"""})
        if isinstance(said, str):
            raise RuntimeError(said)
        return said[0]

    def insist(self, method, selector, path, body=None):
        """Does something with the first element of a selector, once it is there and nothing covers
        it. The page may replace the element at any moment, also between two steps of the search
        for it."""
        for attempt in attempts(RuntimeError, "is not there", *PASSING):
            with attempt:
                found = self.ask("POST", "/elements", {"using": "css selector", "value": selector})
                if not found:
                    raise RuntimeError(f"{selector} is not there")
                return self.ask(method, f"/element/{found[0][ELEMENT]}{path}", body)

    def go(self, address):
        self.look()
        self.ask("POST", "/url", {"url": address})
        self.run(WATCH)
        # WebDriver doesn't report the status of the page itself.
        return self.run("fetch(location.href, { method: 'HEAD' }).then((it) => it.status)")

    def look(self):
        """Records what went wrong on the page so far, and its requests to other hosts."""
        found, hosts = self.run(
            "[(window.wrong ?? []).splice(0), performance.getEntriesByType('resource')"
            ".map((it) => new URL(it.name).hostname)]")
        self.problems += found
        self.problems += [f"asked {it}" for it in hosts if it not in ("127.0.0.1", "localhost")]
        return self.problems

    def end(self):
        try:
            self.ask("DELETE", "")
        finally:
            for process in (self.driver, self.screen):
                process.kill()
                process.wait()


pages = {}


def answer(what, name, text, more):
    if what == "begin":
        pages[name] = Page()
        return pages[name].begin(**more)
    page = pages[name]
    if what == "go":
        return page.go(text)
    if what == "fill":
        return page.insist("POST", text, "/value", {"text": more["with"]})
    if what == "click":
        time.sleep(REST)
        return page.insist("POST", text, "/click", {})
    if what == "text":
        # WebDriver's own text leaves out what it thinks is hidden.
        return page.insist("GET", text, "/property/innerText").strip()
    if what == "address":
        return page.ask("GET", "/url")
    if what == "run":
        return page.run(text)
    if what == "shot":
        with open(text, "wb") as file:
            file.write(base64.b64decode(page.ask("GET", "/screenshot")))
        return None
    if what == "problems":
        return page.look()
    raise ValueError(what)


while (line := sys.stdin.readline()) not in ("", "\n"):
    request = json.loads(line)
    try:
        wish = {key: int(it) if it.isdigit() and key != "with" else it
                for key, it in request["more"].items()}
        said = {"value": answer(request["what"], request["name"], request["text"], wish)}
    except Exception as error:  # The test says what it was waiting for.
        said = {"fault": f"{type(error).__name__}: {error}"}
    print(json.dumps(said), flush=True)
for it in pages.values():
    it.end()
