// The service worker: the whole page lies in a cache, so that after one visit everything but online
// play works without a network. A new version is fetched beside the old one and waits until the
// page, asked by its reader, lets it in.

const VERSION = "__VERSION__";
const FILES = __FILES__;
const CACHE = `sumito-${VERSION}`;
const ROOT = new URL("./", self.location.href);

self.addEventListener("install", (event) => {
  const wanted = FILES.map((file) => new Request(new URL(file, ROOT), { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(wanted)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then(async (names) => {
      const old = names.filter((name) => name.startsWith("sumito-") && name !== CACHE);
      await Promise.all(old.map((name) => caches.delete(name)));
      await self.clients.claim();
    }),
  );
});

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
});

/** A file as this version has it; what a browser has thrown away is fetched again. */
async function held(file, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(new URL(file, ROOT))) ?? fetch(request);
}
