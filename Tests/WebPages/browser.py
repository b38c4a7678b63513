"""Drives Chromium for tests. Each line of its input is a request in JSON, and each line of its
output the answer; Tests/WebServiceTests/Browsers/Browser.swift is the other end. It ends after an
empty line or at the end of its input."""
import contextlib
import http.server
import json
import os
import signal
import sys
import threading
import time

from playwright.sync_api import Error, sync_playwright

import again
from relay import Relay

# Chromium without windows, which takes less than half as long to start.
CHROMIUM = "/usr/bin/chromium-headless-shell"
# Tests run as root in containers, hence no sandbox. The rest keeps Chromium from contacting its
# maker's hosts.
ARGUMENTS = [
    "--autoplay-policy=user-gesture-required",
    "--no-sandbox", "--disable-background-networking", "--disable-component-update",
    "--host-resolver-rules=MAP rebound.example 127.0.0.1",
]
# In milliseconds.
PATIENCE = again.PATIENCE * 1000
# What Playwright says of a script whose page is replaced meanwhile.
REPLACED = ("Execution context was destroyed", "because of a navigation")

pages = {}
contexts = {}
problems = {}
servers = {}
relays = {}
slowed = {}


def watch(name, page):
    """Records what goes wrong on a page, and its requests to other hosts."""
    found = problems.setdefault(name, [])
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: found.append(f"error: {error}"))

    def said(message):
        # A page that was refused or is missing is reported here too; tests look at its status
        # instead.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            found.append(f"{message.type}: {message.text}")

    page.on("console", said)

    def asked(request):
        host = request.url.split("/")[2] if "://" in request.url else ""
        if host and host.split(":")[0] not in ("127.0.0.1", "localhost", "[", "rebound.example"):
            found.append(f"asked {host}")

    page.on("request", asked)


def begin(play, name, profile, width=360, height=740, locale="en-GB", scheme="light",
          script="on", colours="none"):
    context = play.chromium.launch_persistent_context(
        profile, executable_path=CHROMIUM, args=ARGUMENTS, locale=locale, color_scheme=scheme,
        viewport={"width": width, "height": height}, permissions=["geolocation"], has_touch=True,
        accept_downloads=True, java_script_enabled=script == "on", forced_colors=colours,
        timeout=PATIENCE)
    context.set_default_timeout(PATIENCE)
    contexts[name] = (context, profile)
    pages[name] = context.pages[0]
    watch(name, pages[name])


def kill(name):
    """Ends the browser of a page as a dead battery would."""
    _, profile = contexts.pop(name)
    gone = pages.pop(name).context
    slowed.pop(name, None)
    for tab in [it for it in pages if pages[it].context == gone]:
        pages.pop(tab)
    own = f"--user-data-dir={profile}"
    end = time.monotonic() + PATIENCE / 1000
    while True:
        found = [entry for entry in os.listdir("/proc") if entry.isdigit() and owns(entry, own)]
        for entry in found:
            try:
                os.kill(int(entry), signal.SIGKILL)
            except ProcessLookupError:
                pass
        if not found:
            break
        if time.monotonic() > end:
            raise TimeoutError("the browser doesn't end")
        time.sleep(0.05)
    for lock in ("SingletonLock", "SingletonCookie", "SingletonSocket"):
        if os.path.lexists(f"{profile}/{lock}"):
            os.unlink(f"{profile}/{lock}")


def owns(entry, argument):
    try:
        with open(f"/proc/{entry}/cmdline", encoding="utf-8", errors="replace") as file:
            return argument in file.read().split("\0")
    except OSError:
        return False


def clear():
    """Closes everything that a test has opened, so that the next one finds nothing of it."""
    for context, _ in contexts.values():
        context.close()
    for server in servers.values():
        server.shutdown()
        server.server_close()
    for relay in relays.values():
        with contextlib.suppress(OSError):  # It may be cut already.
            relay.cut()
    for kept in (pages, contexts, problems, servers, relays, slowed):
        kept.clear()


def serve(html):
    """Starts another server on this machine, with one page. Returns its port."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = html.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    servers[server.server_port] = server
    return server.server_port


def stop(profile, number):
    """Stops all processes of a browser, as closing a laptop's lid does, or lets them continue."""
    parents = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{entry}/stat", encoding="utf-8") as file:
            parents.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(entry))
    found = [int(it) for it in filter(str.isdigit, os.listdir("/proc"))
             if owns(it, f"--user-data-dir={profile}")]
    for it in found:
        found += [child for child in parents.get(it, []) if child not in found]
    for it in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(it, number)


def run(page, script):
    for attempt in again.attempts(Error, *REPLACED):
        with attempt:
            return page.evaluate(script)


def axe(page):
    """What axe-core finds on a page: the rule and the element."""
    import axe_playwright_python

    with open(f"{axe_playwright_python.__path__[0]}/axe.min.js", encoding="utf-8") as file:
        tool = file.read() + "\n;0"

    for attempt in again.attempts(Error, *REPLACED, "axe is not defined"):
        with attempt:
            page.evaluate(tool)
            return page.evaluate(
                "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
                ".map((it) => `${it.id}: ${it.nodes[0].html.slice(0, 200)}`)")


def answer(play, what, name, text, more):
    if what == "begin":
        return begin(play, name, **more)
    if what == "clear":
        return clear()
    if what == "serve":
        return serve(text)
    if what == "relay":
        relays[name] = Relay(int(text))
        return None
    if what in ("cut", "mend", "lose", "deny", "restore"):
        return getattr(relays[name], what)()
    if what == "tries":
        return [str(it) for it in relays[name].tries]
    if what == "drop":
        return relays[name].drop(int(text))
    if what == "sleep":
        return stop(contexts[name][1], signal.SIGSTOP)
    if what == "wake":
        return stop(contexts[name][1], signal.SIGCONT)
    page = pages[name]
    # Playwright processes what has happened only while it is asked something.
    page.wait_for_timeout(1)
    if what == "tab":
        pages[text] = page.context.new_page()
        return watch(text, pages[text])
    if what == "go":
        for attempt in again.attempts(Error, "interrupted by another navigation"):
            with attempt:
                response = page.goto(
                    text, timeout=PATIENCE, wait_until=more.get("until", "load"))
        return str(response.status if response else 0)
    if what == "fill":
        return page.fill(text, more["with"])
    if what == "click":
        if "/shift/" in page.url:
            page.wait_for_timeout(again.REST * 1000)
        return page.click(text)
    if what == "take":
        with page.expect_file_chooser() as begun:
            page.click(text)
        return begun.value.set_files(more["file"])
    if what == "text":
        return page.inner_text(text)
    if what == "address":
        return page.url
    if what == "frames":
        return [frame.url for frame in page.frames[1:]]
    if what == "run":
        return run(page, text)
    if what == "size":
        width, height = (int(it) for it in text.split("x"))
        return page.set_viewport_size({"width": width, "height": height})
    if what == "shot":
        return page.screenshot(path=text, full_page=True) and None
    if what == "download":
        with page.expect_download() as begun:
            page.click(text)
        return begun.value.path().read_bytes()[:8].decode("latin-1")
    if what == "at":
        latitude, longitude = (float(it) for it in text.split(","))
        return page.context.set_geolocation(
            {"latitude": latitude, "longitude": longitude, "accuracy": 8})
    if what == "slow":
        # Emulates a phone that is this many times slower, on a mobile network whose limits are in
        # bytes per second; 1 ends both.
        # Each session has limits of its own, and a page is under those of all.
        if name in slowed:
            slowed.pop(name).detach()
        if text == "1":
            return None
        devtools = slowed[name] = page.context.new_cdp_session(page)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": int(text)})
        devtools.send("Network.enable")
        return devtools.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": 150, "downloadThroughput": 200_000,
            "uploadThroughput": 93_750}) and None
    if what == "heap":
        # Kilobytes of JavaScript, and nodes of documents, after garbage collection.
        devtools = page.context.new_cdp_session(page)
        devtools.send("HeapProfiler.collectGarbage")
        devtools.send("Performance.enable")
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        found = {it["name"]: it["value"] for it in metrics}
        return [str(int(found["JSHeapUsedSize"] / 1024)), str(int(found["Nodes"]))]
    if what == "hasten":
        # Pages that are loaded from now on wait only this fraction of the time.
        return page.add_init_script(
            "{const wait = setTimeout; globalThis.setTimeout = (act, time, ...more) =>"
            f" wait(act, time / {int(text)}, ...more); }}") and None
    if what == "prepare":
        return page.add_init_script(text) and None
    if what == "refuse":
        return page.context.clear_permissions()
    if what == "press":
        return page.keyboard.press(text)
    if what == "wheel":
        page.hover(more["over"])
        page.keyboard.down("Control")
        page.mouse.wheel(0, int(text))
        return page.keyboard.up("Control")
    if what == "axe":
        return axe(page)
    if what == "cookies":
        return [f"{it['name']}={it['value']}" for it in page.context.cookies()]
    if what == "plant":
        key, value = text.split("=")
        return page.context.add_cookies([{"name": key, "value": value, "url": more["at"]}])
    if what == "problems":
        return problems[name]
    if what == "kill":
        return kill(name)
    raise ValueError(what)


def main():
    with sync_playwright() as play:
        for line in sys.stdin:
            if line == "\n":
                break
            request = json.loads(line)
            try:
                value = answer(
                    play, request["what"], request["name"], request["text"],
                    {key: int(it) if it.isdigit() and key != "with" else it
                     for key, it in request["more"].items()})
                said = {"value": value}
            except Exception as error:  # The test says what it was waiting for.
                said = {"fault": str(error)}
            print(json.dumps(said), flush=True)
        clear()


main()
