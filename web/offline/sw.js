// The service worker: keeps the whole page in a cache, so that after one visit everything but online
// play works without a network. A new version is fetched beside the old one and waits until a reader
// lets it in. The version before stays in its cache for one more version: tabs that still show it
// load the rest of its scripts from there.

const VERSION = "__VERSION__";
const FILES = __FILES__;
const CACHE = `sumito-${VERSION}`;
const ROOT = new URL("./", self.location.href);

self.addEventListener("install", (event) => {
  const wanted = FILES.map((file) => new Request(new URL(file, ROOT), { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(wanted)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOldCaches().then(() => self.clients.claim()));
});

/** Where the versions that were active are noted, the latest first. */
const HISTORY = "sumito-history";

/** Delete all caches but this version's, the one before, and those of versions still to come. */
async function deleteOldCaches() {
  const history = await caches.open(HISTORY);
  const noted = await history.match("versions");
  const versions = noted ? await noted.json() : [];
  const names = (await caches.keys()).filter(
    (name) => name.startsWith("sumito-") && name !== HISTORY,
  );
  const older = names.slice(0, names.indexOf(CACHE));
  // Earlier workers noted nothing: then the latest cache before this one was theirs.
  const before = versions.find((name) => name !== CACHE) ?? older.at(-1);
  const used = [CACHE, before].filter((name) => name !== undefined);
  const old = names.filter((name) => older.includes(name) || versions.includes(name));
  await Promise.all(old.filter((name) => !used.includes(name)).map((name) => caches.delete(name)));
  await history.put("versions", new Response(JSON.stringify(used)));
}

self.addEventListener("message", (event) => {
  if (event.data === "let-in") self.skipWaiting();
});

/** A notice that it is one's turn leads to the game: to the page that is open, if one is. */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data ?? "./", ROOT).href;
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then(async (pages) => {
      const page = pages.find((one) => one.url.split("?")[0] === url) ?? pages[0];
      if (!page) return self.clients.openWindow(url);
      await page.focus();
      return page.url.split("?")[0] === url ? page : page.navigate(url);
    }),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(ROOT.href)) return;
  const path = url.href.slice(ROOT.href.length).split(/[?#]/)[0];
  if (/^(api|ws|metrics|openapi)\b/.test(path)) return;
  if (request.mode === "navigate") event.respondWith(held("index.html", request));
  else if (FILES.includes(path)) event.respondWith(held(path, request));
  else if (path.startsWith("assets/")) event.respondWith(heldByOlder(request));
});

/** A file as this version has it; what a browser has thrown away is fetched again. */
async function held(file, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(new URL(file, ROOT))) ?? fetch(request);
}

/** A script of the version before, for a tab that still shows it. */
async function heldByOlder(request) {
  return (await caches.match(request.url)) ?? fetch(request);
}
