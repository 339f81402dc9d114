// @ts-check
/**
 * Makes the page work offline after the first visit.
 *
 * Each version of the site has one cache with all of its files; their hashes are checked when they are fetched. A page
 * gets all files from one cache. A new version takes over when the last page of the old version is closed, or when the
 * only open page is reloaded.
 */

/** Filled in by tools/build-site: the files with their hashes, and one hash of all of them. */
const SITE = /** @type {{version: string, files: Record<string, string>}} */ (/* SITE */ { version: "", files: {} });
/** `any`: the types of this project are those of documents, not of service workers. @type {any} */
const scope = self;
/** All sites on one host share its caches: the name tells them apart. */
const PREFIX = `noughts ${scope.registration.scope} `;
const CACHE = PREFIX + SITE.version;

/** @param {string} file */
function addressOf(file) {
  return new URL(file, scope.registration.scope).href;
}

/** @param {ArrayBuffer} content */
async function hashOf(content) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return [...bytes.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Fetch a file of this version. @param {Cache} cache @param {[string, string]} entry */
async function add(cache, [file, hash]) {
  const response = await fetch(addressOf(file), { cache: "no-cache" });
  if (!response.ok || (await hashOf(await response.clone().arrayBuffer())) !== hash)
    throw new Error(`${file} is not the one of this version`);
  await cache.put(addressOf(file), response);
}

async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all(Object.entries(SITE.files).map((entry) => add(cache, entry)));
}

async function forgetOldVersions() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

/** Replace the old version, if the page that asks for it is the only one. */
async function takeOver() {
  const pages = await scope.clients.matchAll({ includeUncontrolled: true });
  if (pages.length < 2) await scope.skipWaiting();
}

/** @param {Request} request */
async function respond(request) {
  const [address] = request.url.split(/[?#]/);
  const cache = await caches.open(CACHE);
  const found = await cache.match(address === addressOf("") ? addressOf("index.html") : address);
  return found ?? fetch(request);
}

scope.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
scope.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(forgetOldVersions()));
scope.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(takeOver()));
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(scope.registration.scope))
    event.respondWith(respond(event.request));
});
