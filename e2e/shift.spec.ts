import type { Page } from '@playwright/test'
import { MADE_UP_PAGES } from './pages.ts'
import { expect, go, settled, test } from './test.ts'

// They mostly wait for late answers: another worker goes on meanwhile, and no worker is left with all of them at the end.
test.describe.configure({ mode: 'parallel' })

/** What a page may move of itself while it comes, as browsers count it; 0.1 is what they call good. */
const MAX_SHIFT = 0.01
/** How late the server answers, ms: there is time for a skeleton, and for what would push it. */
const LATE_MS = 300
/** What else the same page can show is asked for by a press, and grows then. */
const OTHER_VIEWS = new Set(['balance-detail', 'trade-old', 'trade-frozen', 'settings-past', 'unknown'])
const PAGES = MADE_UP_PAGES.filter(({ who, name }) => who === 'user' && !OTHER_VIEWS.has(name))

const WATCH = `
  globalThis.shifts = []
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => shifts.push(value)))
    .observe({ type: 'layout-shift', buffered: true })`

/** Shifts since the last look, also those after a press, which browsers forgive. */
const shifted = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((done) => {
    requestAnimationFrame(() => setTimeout(() => done(shifts.splice(0).reduce((sum, value) => sum + value, 0))))
  })`)

async function answerLate(page: Page): Promise<void> {
  await page.route('**/api/**', async (route) => {
    if (!route.request().url().includes('/events')) await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    await route.continue().catch(() => undefined)
  })
}

/** Everything that comes with a page is there, also what its parts read one after the other. */
async function still(page: Page): Promise<void> {
  await settled(page)
  await page.waitForLoadState('networkidle')
  await settled(page)
}

const sizes = [
  ['a phone', {}],
  ['a desktop', { viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false, deviceScaleFactor: 1 }],
] as const

for (const [size, options] of sizes)
  test.describe(`pages on ${size}`, { tag: '@fixture' }, () => {
    test.use(options)

    test('do not push about what is seen of them while they come', async ({ page, enter }) => {
      await page.addInitScript(WATCH)
      await answerLate(page)
      await enter('user', '/user/password')
      await still(page)
      const found: Record<string, number> = {}
      for (const visit of ['first', 'again'])
        for (const { name, path } of PAGES) {
          await shifted(page)
          await go(page, path)
          await still(page)
          found[`${name}, ${visit}`] = await shifted(page)
        }
      expect(Object.entries(found).filter(([, shift]) => shift > MAX_SHIFT)).toEqual([])
    })
  })

/** Where the first things of a page stand, px. */
const tops = (page: Page, what: string): Promise<number[]> =>
  page.evaluate<number[]>(
    `[...document.querySelectorAll('${what}')].map((one) => Math.round(one.getBoundingClientRect().top))`,
  )

/** What comes, and how many parts the skeleton has before. */
const SKELETONS = [
  ['/user/balance', 'main li article', 1],
  ['/user/stock', 'main li article', 0],
  ['/user/kis/order', 'main li, main tbody tr', 1],
  ['/user/money?fromDate=20261101&toDate=20261130', 'main section', 0],
] as const

test.describe('a skeleton', { tag: '@fixture' }, () => {
  test('stands where what comes will stand', async ({ page, enter }) => {
    for (const [path, what, before] of SKELETONS) {
      await enter('user', '/user/password')
      await still(page)
      const { promise, resolve } = Promise.withResolvers<void>()
      await page.route('**/api/**', async (route) => {
        await promise
        await route.continue().catch(() => undefined)
      })
      await go(page, path)
      await expect(page.getByLabel('불러오는 중')).toBeVisible()
      const expected = (await tops(page, 'main [aria-label="불러오는 중"] > *'))[before] ?? NaN
      resolve()
      await still(page)
      const [first = NaN] = await tops(page, what)
      expect(Math.abs(first - expected), path).toBeLessThanOrEqual(12)
      await page.unroute('**/api/**')
    }
  })
})

test.describe('the bottom bar', { tag: '@fixture' }, () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('leads from page to page by a fade in which nothing jumps', async ({ page, enter }) => {
    await page.addInitScript(WATCH)
    await answerLate(page)
    await enter('user', '/user/balance')
    await still(page)
    const bar = page.getByRole('navigation', { name: '바로 가기' })
    const found: Record<string, number> = {}
    await page.evaluate(`globalThis.fades = 0
      const start = document.startViewTransition.bind(document)
      document.startViewTransition = (change) => { fades += 1; return start(change) }`)
    for (const name of ['종목', '주문', '손익', '잔고', '종목', '잔고']) {
      await shifted(page)
      await bar.getByRole('link', { name, exact: true }).click()
      await expect(bar.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page')
      await still(page)
      found[name] = await shifted(page)
    }
    expect(Object.entries(found).filter(([, shift]) => shift > MAX_SHIFT)).toEqual([])
    expect(await page.evaluate('fades')).toBe(6)
  })
})
