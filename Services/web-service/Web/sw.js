// Opens a checklist without a network, and at once if there is one: keeps its page as it was last
// shown, and the files that the page names. What is ticked is kept by the page itself.

/** The cache of pages that are shown at once, and brought up to date afterwards. */
const pages = "pages";
/** The cache of pages that something may have changed since, such as another log-in: they are shown
 *  only if there is no answer. */
const aged = "aged";
const files = "files";
/** How long the server may take while there is a page to show, in milliseconds, and how long if that
 *  was set aside: it may be of the person before, so it is shown only if no answer comes at all. */
const patience = 3000;
const longest = 20_000;

/** True for the paths of pages that are kept. */
const isKept = (path) => /^\/shift\/[^/]+$/.test(path);
/** True for the paths of forms that may end the log-in of this browser. */
const isEnding = (path) => /^\/(logout|log-ins(\/[^/]+)?\/end)$/.test(path);

const named = (text) => [...text.matchAll(/"(\/files\/[^"]+)"/g)].map((match) => match[1]);

/** The number of forms sent that may have changed whose pages these are, plus the number of pages
 *  that followed one. */
let forms = 0;
/** True from when such a form is sent until the page that follows it is asked for. */
let isSending = false;

/** Keeps a page once all its files are kept, and deletes files that no page names any more. One that
 *  was asked for before the page that follows a form may be of the person before, and isn't kept.
 *
 * @param asked the number of forms when it was asked for. */
async function keep(path, response, asked) {
  const [kept, shelf] = await Promise.all([caches.open(pages), caches.open(files)]);
  for (const url of named(await response.clone().text())) {
    if (!await shelf.match(url)) await shelf.add(url);
  }
  if (asked !== forms || isSending) return;
  await kept.put(path, response);
  const old = await caches.open(aged);
  await old.delete(path);
  const all = [...await kept.matchAll(), ...await old.matchAll()];
  const texts = await Promise.all(all.map((page) => page.text()));
  const wanted = new Set(texts.flatMap(named));
  for (const request of await shelf.keys()) {
    if (!wanted.has(new URL(request.url).pathname)) await shelf.delete(request);
  }
}

/** The kept page or file of a path, in one cache or in all; undefined if the browser can't read its
 *  caches, as on a full disk: then the server is asked. */
const found = (path, cacheName) => caches.match(path, { cacheName }).catch(() => undefined);

/** Deletes a page. */
const forget = (path) => Promise.all(
  [pages, aged].map(async (name) => (await caches.open(name)).delete(path)));

/** Sets the kept pages aside, so that they are no longer shown at once. */
async function age() {
  const [kept, old] = await Promise.all([caches.open(pages), caches.open(aged)]);
  for (const request of await kept.keys()) {
    const page = await kept.match(request);
    if (page) await old.put(request, page);
    await kept.delete(request);
  }
}
let ageing = Promise.resolve();

/** Resolves once a page that is opened now has loaded what it needs itself. */
const calm = () => new Promise((resolve) => { setTimeout(resolve, 2000); });

/** Brings a kept page up to date. */
async function renew(path) {
  await calm();
  await update(path);
}

/** Brings the pages that were set aside up to date: somebody else may have logged in since, who must
 *  not be shown those of the person before, even when there is no network. */
async function renewAged() {
  await ageing.catch(() => {});
  await calm();
  for (const { url } of await (await caches.open(aged)).keys()) await update(new URL(url).pathname);
}

async function update(path) {
  const asked = forms;
  const response = await fetch(path).catch(() => null);
  if (response?.ok && !response.redirected) await keep(path, response, asked);
  else if ([403, 404].includes(response?.status)) await forget(path);
}

/** The kept page, unless someone reloads it on purpose. */
async function open(event, path) {
  const asked = forms;
  const isAged = await ageing.then(() => true, () => false);
  const kept = isAged ? await found(path, pages) : null;
  if (!kept || event.request.cache !== "default") {
    return load(event, path, kept ? patience : longest, asked);
  }
  event.waitUntil(renew(path).catch(() => {}));
  return kept;
}

/** The page from the server, or the kept one if there is no answer, the log-in is over, or something
 *  in front of the server answers in its place. */
async function load(event, path, longestWait, asked) {
  const kept = await found(path);
  const fresh = fetch(event.request);
  // A page that comes too late to be shown is shown the next time.
  event.waitUntil(fresh.then((response) => {
    if (response.ok) return keep(path, response.clone(), asked);
    return [403, 404].includes(response.status) ? forget(path) : undefined;
  }).catch(() => {}));
  const late = new Promise((resolve) => setTimeout(resolve, longestWait, null));
  const response = kept ? await Promise.race([fresh.catch(() => null), late]) : await fresh;
  if (!response || (kept && (response.type === "opaqueredirect" || response.status >= 500))) {
    return kept;
  }
  return response;
}

// A page that was loaded before this script started asks to be kept.
self.addEventListener("message", (event) => {
  const path = event.data;
  if (typeof path !== "string" || !isKept(path)) return;
  const asked = forms;
  event.waitUntil(fetch(path).then((response) =>
    response.ok && !response.redirected ? keep(path, response, asked) : undefined).catch(() => {}));
});
self.addEventListener("install", (event) => {
  // Browsers that know such rules do what this script would do, without waiting for it: they take
  // files from its cache, and send what is ticked.
  const rules = [
    { condition: { urlPattern: "/files/*" }, source: { cacheName: files } },
    ...["/operations", "/operations/*", "/photos/*", "/shift/*/snapshot", "/ride/*", "/*/stream"].map(
      (urlPattern) => ({ condition: { urlPattern }, source: "network" })),
  ];
  event.waitUntil(Promise.resolve(event.addRoutes?.(rules)).catch(() => {}));
  self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (origin !== self.location.origin) return;
  const isForm = method === "POST" && (mode === "navigate" || isEnding(pathname));
  if (isForm || (isSending && mode === "navigate")) {
    forms += 1;
    isSending = isForm;
  }
  // Whoever logs out leaves no page behind. What was not sent stays.
  if (method === "POST" && isEnding(pathname)) {
    event.waitUntil(Promise.all([caches.delete(pages), caches.delete(aged)]));
  } else if (method === "POST" && mode === "navigate") {
    // What a form has changed may be on any page: who is logged in, or how pages look.
    // Without room to set them aside they are deleted, and kept again at the next visit.
    ageing = age().catch(() => caches.delete(pages));
    event.waitUntil(ageing);
  }
  if (method !== "GET") return;
  if (mode === "navigate") event.waitUntil(renewAged().catch(() => {}));
  if (mode === "navigate" && isKept(pathname)) {
    event.respondWith(open(event, pathname));
  } else if (pathname.startsWith("/files/")) {
    event.respondWith(found(pathname, files).then((file) => file ?? fetch(event.request)));
  }
});
