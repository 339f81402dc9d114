// @ts-check
/**
 * Makes the page work without a network after the first visit.
 *
 * Each version of the site has a cache with all of its files, which are checked when they are fetched; a page gets every
 * file from the cache of one version. A new version takes over when the last page of the old one is left, or when the
 * only one is opened again.
 */

/** Written when the site is built: the files with their hashes, and the hash of them all. */
const SITE = /** @type {{version: string, files: Record<string, string>}} */ (/* SITE */ { version: "", files: {} });
/** The type of the global scope is not one of a document. @type {any} */
const scope = self;
/** Sites in several folders of one host share its storage. */
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
