import { chromium, type BrowserContext, type Page } from '@playwright/test'
import { launchOptions } from './playwright.config.ts'
import { expect, settled, test, type Site } from './test.ts'

/** Texts of the pages that only their owner may read. */
const OWN = ['총자산', '삼성전자']

/** A browser as people have it: the service worker works, and pages that were left are kept for the back button. */
async function withBrowser(site: Site, use: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  try {
    const context = await browser.newContext({ baseURL: site.url, locale: 'ko-KR', serviceWorkers: 'allow' })
    await use(await context.newPage(), context)
  } finally {
    await browser.close()
  }
}

async function logIn(page: Page, site: Site): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('이메일').fill(site.user.email)
  await page.getByLabel('비밀번호').fill(site.user.password)
  await page.getByRole('button', { name: 'LOGIN' }).click()
  await expect(page.getByText('총자산')).toBeVisible()
}

/** Visits several pages, each loaded anew through the worker, which keeps what it may. */
async function lookAround(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
  for (const path of ['/user/stock', '/user/audit', '/user/balance']) {
    await page.goto(path)
    await settled(page)
  }
  await expect(page.getByText('총자산')).toBeVisible()
}

async function logOut(page: Page, isMobile: boolean): Promise<void> {
  if (isMobile) await page.getByRole('button', { name: '메뉴 열기' }).click()
  await page.getByRole('button', { name: '로그아웃' }).click()
  await expect(page).toHaveURL(/\/login$/)
}

/** Nothing of the person is left on the page. */
async function expectNothingOf(page: Page, site: Site): Promise<void> {
  for (const text of [...OWN, site.user.email]) await expect(page.getByText(text)).toHaveCount(0)
}

interface CachedText {
  readonly path: string
  readonly text: string
}

const cachedByBrowser = (page: Page): Promise<CachedText[]> =>
  page.evaluate(`(async () => {
    const cached = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        cached.push({ path: new URL(request.url).pathname, text: await (await cache.match(request)).text() })
      }
    }
    const stores = { ...localStorage, ...sessionStorage, cookie: document.cookie }
    const bases = (await indexedDB.databases()).map(({ name }) => name).join()
    return [...cached, { path: 'storage', text: JSON.stringify(stores) + bases }]
  })()`)

test(
  'after a log-out nothing of the person is to be seen: not by the back button, not offline, not in what is kept',
  { tag: '@wide' },
  async ({ site, isMobile }) => {
    await withBrowser(site, async (page, context) => {
      await logIn(page, site)
      await lookAround(page)
      const { userId } = await (await page.request.get('/api/user/user')).json()
      await logOut(page, isMobile)

      const cached = await cachedByBrowser(page)
      expect(cached.map(({ path }) => path)).toContain('/')
      expect(cached.filter(({ path }) => path.startsWith('/api'))).toEqual([])
      const personal = cached.filter(({ text }) =>
        [site.user.email, userId, '****'].some((word) => text.includes(word)),
      )
      expect(personal.map(({ path }) => path)).toEqual([])

      for (let steps = 0; steps < 4; steps++) {
        await page.goBack({ waitUntil: 'commit' }).catch(() => null)
        await expect(page).toHaveURL(/\/login$|about:blank$/)
        await expectNothingOf(page, site)
      }

      await context.setOffline(true)
      for (const path of ['/', '/user/balance', '/user/stock', '/user/audit', '/api/user/stock']) {
        await page.goto(path).catch(() => null)
        await expectNothingOf(page, site)
      }
      await context.setOffline(false)
      for (const path of ['/user/balance', '/user/audit']) {
        await page.goto(path)
        await expect(page).toHaveURL(/\/login$/)
        await expectNothingOf(page, site)
      }
    })
  },
)

test(
  'a log-out in one tab leaves nothing in the other: it goes to the log-in, and neither reload nor back shows it again',
  { tag: '@wide' },
  async ({ site, isMobile }) => {
    await withBrowser(site, async (page, context) => {
      await logIn(page, site)
      const other = await context.newPage()
      await other.goto('/user/balance')
      await expect(other.getByText('총자산')).toBeVisible()
      await logOut(page, isMobile)
      await other.reload()
      await expect(other).toHaveURL(/\/login$/)
      await other.goBack({ waitUntil: 'commit' }).catch(() => null)
      await expectNothingOf(other, site)
    })
  },
)
