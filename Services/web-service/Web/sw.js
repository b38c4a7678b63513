// Opens a checklist without a network: keeps its page as it was last shown, and the files that the
// page names. What is ticked is kept by the page itself.
const pages = "pages";
const files = "files";
/** How long the server may take while there is a page to show, in milliseconds. */
const patience = 3000;

/** True for the paths of pages that are kept. */
const isKept = (path) => /^\/shift\/[^/]+$/.test(path);

const named = (text) => [...text.matchAll(/"(\/files\/[^"]+)"/g)].map((match) => match[1]);

/** Keeps a page once all its files are kept, and forgets files that no page names any more. */
async function keep(path, response) {
  const [kept, shelf] = await Promise.all([caches.open(pages), caches.open(files)]);
  for (const url of named(await response.clone().text())) {
    if (!await shelf.match(url)) await shelf.add(url);
  }
  await kept.put(path, response);
  const texts = await Promise.all((await kept.matchAll()).map((page) => page.text()));
  const wanted = new Set(texts.flatMap(named));
  for (const request of await shelf.keys()) {
    if (!wanted.has(new URL(request.url).pathname)) await shelf.delete(request);
  }
}

/** The page from the server, or the kept one if there is no answer, the log-in is over, or something
 *  before the server answers in its place. */
async function open(event, path) {
  const store = await caches.open(pages);
  const kept = await store.match(path);
  const fresh = fetch(event.request);
  const late = new Promise((resolve) => setTimeout(resolve, patience, null));
  const response = kept ? await Promise.race([fresh.catch(() => null), late]) : await fresh;
  if (!response || (kept && (response.type === "opaqueredirect" || response.status >= 500))) {
    return kept;
  }
  if (response.ok) event.waitUntil(keep(path, response.clone()));
  else if ([403, 404].includes(response.status)) await store.delete(path);
  return response;
}

// A page that was loaded before this had begun asks to be kept.
self.addEventListener("message", (event) => {
  const path = event.data;
  if (typeof path !== "string" || !isKept(path)) return;
  event.waitUntil(fetch(path).then((response) =>
    response.ok && !response.redirected ? keep(path, response) : undefined).catch(() => {}));
});
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (origin !== self.location.origin) return;
  // Whoever logs out leaves no page behind. What was not sent stays.
  if (method === "POST" && pathname === "/logout") event.waitUntil(caches.delete(pages));
  if (method !== "GET") return;
  if (mode === "navigate" && isKept(pathname)) {
    event.respondWith(open(event, pathname));
  } else if (pathname.startsWith("/files/")) {
    event.respondWith(caches.match(event.request).then((file) => file ?? fetch(event.request)));
  }
});
