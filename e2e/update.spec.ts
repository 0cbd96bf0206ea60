import { mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { DIST, startFixture } from './fixture/server.ts'
import { expect, settled, test } from './test.ts'

const WEB = new URL('../packages/web/', import.meta.url).pathname

/** A build of the client in which one page is another, as the next version of Digger would bring it. */
async function buildNext(outDir: string): Promise<void> {
  await build({
    root: WEB,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
    plugins: [
      {
        name: 'next-version',
        transform: (code, id) =>
          id.endsWith('features/report/AuditPage.tsx') ? code.replaceAll('활동 기록', '기록') : undefined,
      },
    ],
  })
}

const assetsOf = async (folder: string): Promise<string[]> =>
  (await readdir(join(folder, 'assets'))).map((name) => `/assets/${name}`)

const cachedPaths = (page: Page): Promise<string[]> =>
  page.evaluate(`(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return all.flat().map(({ url }) => new URL(url).pathname)
  })()`)

const isWaiting = (page: Page): Promise<boolean> =>
  page.evaluate('navigator.serviceWorker.ready.then(({ waiting }) => waiting !== null)')

/** Visits pages through the worker, so that it caches their files. */
async function lookAround(page: Page, url: string): Promise<void> {
  for (const path of ['/user/balance', '/user/audit', '/user/balance']) {
    await page.goto(url + path)
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
    await settled(page)
  }
}

test.describe('a new build', { tag: '@fixture' }, () => {
  test.use({ serviceWorkers: 'allow' })
  let folder = ''
  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'digger-update-'))
    await buildNext(join(folder, 'next'))
  })
  test.afterAll(() => rm(folder, { recursive: true }))

  test('its worker waits for pages of the old build, then keeps the files still in use and drops the others', async ({
    context,
    page,
    site,
  }) => {
    // The fixture serves what `live` points to.
    const live = join(folder, 'live')
    await symlink(DIST, live)
    const server = await startFixture({ dist: live })
    await page.request.post(`${server.url}/api/login`, { data: site.user })
    const [before, after] = await Promise.all([assetsOf(DIST), assetsOf(join(folder, 'next'))])
    const isOld = (path: string) => before.includes(path) && !after.includes(path)
    const isShared = (path: string) => before.includes(path) && after.includes(path)

    await lookAround(page, server.url)
    await page.evaluate(`fetch('/assets/of-no-build.js')`)
    const first = await cachedPaths(page)
    const shared = first.filter(isShared)
    expect(first.filter(isOld)).not.toEqual([])
    expect(shared).not.toEqual([])
    expect(first).not.toContain('/assets/of-no-build.js')
    // A file that no page asks for here: what the new worker has of it can only come from the old one.
    const unasked = before.find((path) => isShared(path) && !first.includes(path)) ?? ''
    await page.evaluate(`caches.keys().then(async ([name]) => {
      await (await caches.open(name)).put('${unasked}', new Response('from the old cache'))
    })`)

    await symlink(join(folder, 'next'), `${live}.new`)
    await rename(`${live}.new`, live)
    await page.evaluate('navigator.serviceWorker.ready.then((registration) => registration.update())')
    await expect.poll(() => isWaiting(page)).toBe(true)
    const file = first.find((path) => isOld(path) && path.endsWith('.js')) ?? ''
    // The server has this file no more and would answer with a page.
    const type = `fetch('${file}').then(({ headers }) => headers.get('content-type'))`
    expect(await page.evaluate(type)).toContain('javascript')
    expect(await cachedPaths(page)).toEqual(expect.arrayContaining(first))

    await page.close()
    const next = await context.newPage()
    await expect(async () => {
      await next.goto('about:blank')
      await next.goto(`${server.url}/user/audit`)
      expect(await isWaiting(next)).toBe(false)
    }).toPass()
    await expect.poll(async () => (await cachedPaths(next)).filter(isOld)).toEqual([])
    expect(await cachedPaths(next)).toEqual(expect.arrayContaining(shared))
    expect(await next.evaluate(`caches.match('${unasked}').then((reply) => reply?.text())`)).toBe('from the old cache')
    await expect(next.getByRole('heading', { name: '기록', exact: true })).toBeVisible()

    await settled(next)
    await server.close()
    await next.reload()
    await expect(next.getByRole('alert')).toContainText('서버에 연결할 수 없습니다')
  })
})
