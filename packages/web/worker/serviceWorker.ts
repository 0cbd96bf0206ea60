/**
 * Caches the files of one build for a fast start, and a shell that says offline where no server answers. Replies of the API
 * are never cached: an old balance would be taken for the present one, and another person could read it. Each build has its
 * own worker and cache; see docs/decisions/022-service-worker.md.
 */
declare const BUILD: {
  readonly id: string
  /** Every file under /assets/. Their names carry a hash of their content, so a cached one is never wrong. */
  readonly files: readonly string[]
  /** Those that index.html names. */
  readonly shell: readonly string[]
}
declare const clients: Clients

const CACHE = `digger-${BUILD.id}`
const FILES = new Set(BUILD.files)
const PAGE = '/'
const ICONS = ['/icon.svg', '/manifest.webmanifest']

addEventListener('install', (event) => {
  if (event instanceof ExtendableEvent) event.waitUntil(install())
})

// It waits until no page of an older build is open (no skipWaiting): such a page still needs the files of its own build.
addEventListener('activate', (event) => {
  if (event instanceof ExtendableEvent) event.waitUntil(activate())
})

addEventListener('fetch', (event) => {
  if (!(event instanceof FetchEvent)) return
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (FILES.has(pathname)) event.respondWith(cachedFile(event, pathname))
  else if (request.mode === 'navigate') event.respondWith(pageOrShell(request))
})

/** The shell is whole or there is no worker: without its scripts the page would stay white. */
async function install(): Promise<void> {
  const page = await fetch(PAGE, { cache: 'no-cache' })
  const html = await page.clone().text()
  if (!page.ok || !BUILD.shell.every((file) => html.includes(`"${file}"`)))
    throw new Error('the server has the page of another build')
  const cache = await caches.open(CACHE)
  await cache.addAll([...ICONS, ...BUILD.shell])
  await cache.put(PAGE, page)
}

/** Takes over from older workers: files that this build still uses move to its cache, all others go. */
async function activate(): Promise<void> {
  const cache = await caches.open(CACHE)
  for (const name of await caches.keys()) {
    if (name === CACHE) continue
    await moveFiles(await caches.open(name), cache)
    await caches.delete(name)
  }
  await clients.claim()
}

async function moveFiles(from: Cache, to: Cache): Promise<void> {
  for (const request of await from.keys()) {
    const { pathname } = new URL(request.url)
    if (!FILES.has(pathname) || (await find(to, pathname))) continue
    const file = await from.match(request, { ignoreVary: true })
    if (file) await to.put(pathname, file)
  }
}

/** A file is the same however it was asked for. */
const find = (cache: Cache, path: string) => cache.match(path, { ignoreVary: true })

async function cachedFile(event: FetchEvent, path: string): Promise<Response> {
  const cache = await caches.open(CACHE)
  const cached = await find(cache, path)
  if (cached) return cached
  const reply = await fetch(event.request)
  if (reply.ok) event.waitUntil(cache.put(path, reply.clone()))
  return reply
}

/** The page of the server if it answers, else the shell, which then says that it is offline. */
async function pageOrShell(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const shell = await find(await caches.open(CACHE), PAGE)
    if (shell) return shell
    throw error
  }
}
