// Keeps the shell (page, scripts, styles, fonts) for a fast start. Answers of the API are never kept: an old balance is a lie.
const CACHE = 'digger-shell-1'
/** Parts of old versions are dropped beyond this many files. */
const MOST = 300
const SHELL = ['/', '/icon.svg', '/manifest.webmanifest']

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(dropOld().then(() => self.clients.claim()))
})

async function dropOld() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name)
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  // File names under /assets/ carry a hash of their content, so a kept one is never wrong.
  if (url.pathname.startsWith('/assets/')) event.respondWith(kept(request))
  else if (request.mode === 'navigate') event.respondWith(page(request))
})

async function kept(request) {
  const cache = await caches.open(CACHE)
  const hit = await cache.match(request)
  if (hit) return hit
  const reply = await fetch(request)
  if (reply.ok) {
    await cache.put(request, reply.clone())
    const keys = await cache.keys()
    for (const old of keys.slice(SHELL.length, Math.max(SHELL.length, keys.length - MOST))) await cache.delete(old)
  }
  return reply
}

/** The newest page if the server answers, else the kept one, which then says that it is offline. */
async function page(request) {
  const cache = await caches.open(CACHE)
  try {
    const reply = await fetch(request)
    const { pathname } = new URL(request.url)
    // The pages before the log-in are finished ones: they stand for no other.
    const any = pathname !== '/login' && pathname !== '/join'
    if (any && reply.ok && reply.headers.get('content-type')?.includes('text/html')) await cache.put('/', reply.clone())
    return reply
  } catch (error) {
    const hit = await cache.match('/')
    if (hit && (await isWhole(cache, hit))) return hit
    throw error
  }
}

/** Without its scripts a kept page would stay white; the browser's own words about the lost server are better. */
async function isWhole(cache, hit) {
  const html = await hit.clone().text()
  const files = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file)
  const kept = await Promise.all(files.map((file) => cache.match(file)))
  return kept.every(Boolean)
}
