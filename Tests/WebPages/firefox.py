"""Drives Firefox for a test, by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). Requests
and answers are as with browser.py, of which it does only what a visit to each page needs. It ends
after an empty line or at the end of its input."""
import asyncio
import base64
import json
import os
import re
import subprocess
import sys
import urllib.parse

import websockets

from again import PATIENCE, REST, attempts

FIREFOX = "/usr/bin/firefox-esr"
# What Firefox says of a script whose page is replaced meanwhile.
REPLACED = ("AbortError", "no such frame", "no such realm", "destroyed")
SETTINGS = {
    # Don't contact the hosts of its maker.
    "app.normandy.enabled": False, "app.update.enabled": False,
    "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0,
    "browser.startup.homepage": "about:blank", "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.systemAddon.update.enabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "toolkit.telemetry.enabled": False,
    "services.settings.server": "http://127.0.0.1:1/",
    "media.gmp-manager.url": "http://127.0.0.1:1/",
    # Tests have no sound hardware.
    "media.cubeb.backend": "null",
}


class Page:
    """A browser with one page."""

    async def begin(self, profile, width=360, height=740, locale="en-GB"):
        os.makedirs(profile, exist_ok=True)
        settings = SETTINGS | {"intl.accept_languages": locale}
        with open(f"{profile}/user.js", "w", encoding="utf-8") as file:
            for key, value in settings.items():
                file.write(f"user_pref({json.dumps(key)}, {json.dumps(value)});\n")
        self.browser = subprocess.Popen(
            [FIREFOX, "--headless", "--no-remote", "--profile", profile,
             "--remote-debugging-port", "0"],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        loop = asyncio.get_running_loop()
        while not (found := re.search(
                r"listening on (ws://\S+)",
                line := await loop.run_in_executor(None, self.browser.stderr.readline))):
            if not line:
                raise RuntimeError("Firefox ended")
        # Keep reading what it writes, so that it never blocks.
        loop.run_in_executor(None, self.browser.stderr.read)
        self.socket = await websockets.connect(found[1] + "/session", max_size=None)
        self.number = 0
        self.waiting = {}
        self.problems = []
        self.reader = asyncio.create_task(self.listen())
        await self.ask("session.new", capabilities={})
        await self.ask("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        tree = await self.ask("browsingContext.getTree")
        self.context = tree["contexts"][0]["context"]
        await self.ask("browsingContext.setViewport", context=self.context,
                       viewport={"width": width, "height": height})

    async def listen(self):
        async for text in self.socket:
            said = json.loads(text)
            if "id" in said:
                # One that came too late is awaited by no one.
                answer = self.waiting.pop(said["id"], None)
                if answer and not answer.done():
                    answer.set_result(said)
                continue
            about = said["params"]
            if said["method"] == "log.entryAdded" and about["level"] in ("error", "warn"):
                self.problems.append(f"{about['level']}: {about.get('text')}")
            if said["method"] == "network.beforeRequestSent":
                # The icon, once fetched, is shown by an address that has its bytes in it.
                host = urllib.parse.urlsplit(about["request"]["url"]).hostname
                if host and host not in ("127.0.0.1", "localhost"):
                    self.problems.append(f"asked {host}")

    async def ask(self, method, **params):
        self.number += 1
        answer = self.waiting[self.number] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({
            "id": self.number, "method": method, "params": params}))
        said = await asyncio.wait_for(answer, PATIENCE)
        if said["type"] == "error":
            raise RuntimeError(f"{said['error']}: {said['message']}")
        return said["result"]

    async def run(self, script, *values):
        """What a function returns. It is called again if the page was replaced meanwhile."""
        for attempt in attempts(RuntimeError, *REPLACED):
            with attempt:
                said = await self.ask(
                    "script.callFunction", functionDeclaration=script, awaitPromise=True,
                    target={"context": self.context}, userActivation=True,
                    arguments=[{"type": "string", "value": it} for it in values])
        if said["type"] == "exception":
            raise RuntimeError(said["exceptionDetails"]["text"])
        return said["result"].get("value")

    async def find(self, selector, act, *values):
        """Does something with the first element of a selector, once it is there."""
        for _ in range(PATIENCE * 20):
            found = await self.run(
                "(selector, ...values) => { const it = document.querySelector(selector);"
                f"return it ? [(({act})(it, ...values)) ?? ''] : null; }}", selector, *values)
            if found:
                return found[0].get("value", "")
            await asyncio.sleep(0.05)
        raise RuntimeError(f"{selector} is not there")

    async def end(self):
        try:
            await self.ask("browser.close")
        except (RuntimeError, asyncio.TimeoutError, websockets.ConnectionClosed):
            self.browser.kill()
        self.browser.wait(PATIENCE)


pages = {}


async def answer(what, name, text, more):
    if what == "begin":
        pages[name] = Page()
        return await pages[name].begin(**more)
    page = pages[name]
    if what == "go":
        # Wait for the page's scripts too: a page that is left while they load reports that as an
        # error.
        await page.ask("browsingContext.navigate", context=page.context, url=text,
                       wait="complete")
        return await page.run(
            "() => String(performance.getEntriesByType('navigation')[0].responseStatus)")
    if what == "fill":
        return await page.find(text, "(it, value) => { it.value = value; }", more["with"])
    if what == "click":
        await asyncio.sleep(REST)
        return await page.find(text, "(it) => { it.click(); }")
    if what == "text":
        return await page.find(text, "(it) => it.innerText")
    if what == "address":
        return await page.run("() => location.href")
    if what == "run":
        return await page.run(f"async () => String(await ({text}))")
    if what == "shot":
        shot = await page.ask("browsingContext.captureScreenshot", context=page.context,
                              origin="document")
        with open(text, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
        return None
    if what == "problems":
        return page.problems
    raise ValueError(what)


async def main():
    loop = asyncio.get_running_loop()
    while (line := await loop.run_in_executor(None, sys.stdin.readline)) not in ("", "\n"):
        request = json.loads(line)
        try:
            more = {key: int(it) if it.isdigit() and key != "with" else it
                    for key, it in request["more"].items()}
            said = {"value": await answer(
                request["what"], request["name"], request["text"], more)}
        except Exception as error:  # The test says what it was waiting for.
            said = {"fault": f"{type(error).__name__}: {error}"}
        print(json.dumps(said), flush=True)
    for page in pages.values():
        await page.end()


asyncio.run(main())
