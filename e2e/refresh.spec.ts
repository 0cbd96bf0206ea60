import type { Page } from '@playwright/test'
import { expect, go, settled, test } from './test.ts'

interface Pull {
  /** Where the finger is put down, and how far it goes, px. */
  x?: number
  y?: number
  by: number
  across?: number
}

/** A finger that is put down, goes, and is lifted. */
async function pull(page: Page, { x = 195, y = 150, by, across = 0 }: Pull): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove', way: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: x + way * across, y: y + way * by }] })
  await touch('touchStart', 0)
  for (const way of [0.1, 0.3, 0.6, 1]) await touch('touchMove', way)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

/** Addresses that are read from now on, without what the frame reads. */
function readings(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (one) => {
    const { pathname } = new URL(one.url())
    if (one.method() === 'GET' && pathname.startsWith('/api/')) asked.push(pathname)
  })
  return asked
}

const result = (page: Page) => page.getByRole('status').filter({ hasText: /새로 읽/ })

/** The code that follows the finger comes when the page has been there for a moment. */
async function arrive(page: Page): Promise<void> {
  await settled(page)
  await expect(page.locator('[data-phase=idle]')).toHaveCount(1)
}

const PAGES = [
  ['/user/balance', '/api/user/balance'],
  ['/user/stock', '/api/user/stock'],
  ['/user/today', '/api/user/today'],
  ['/user/kis/order', '/api/user/kis/order'],
  ['/user/kis/ordered', '/api/user/kis/ordered'],
  ['/user/gain?fromDate=20261101&toDate=20261130', '/api/user/balance/gain'],
  ['/user/money?fromDate=20261101&toDate=20261130', '/api/user/money'],
  ['/user/stock/005930/trade', '/api/user/stock/005930'],
] as const

test.describe('a page that is pulled down', { tag: '@fixture' }, () => {
  test('is read anew, and says when', async ({ page, enter }) => {
    await enter('user', '/user/password')
    for (const [path, reading] of PAGES)
      await test.step(path, async () => {
        await go(page, path)
        await arrive(page)
        const asked = readings(page)
        await pull(page, { by: 180 })
        await expect(result(page)).toHaveText(/^새로 읽었습니다 \d\d:\d\d:\d\d$/)
        expect(asked).toContain(reading)
        // It does not stay in the way.
        await expect(result(page)).toHaveCount(0)
      })
  })

  test('says that it reads while it does, and what was read before stays after a failure', async ({ page, enter }) => {
    await enter('user', '/user/kis/order')
    await arrive(page)
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/user/kis/order*', async (route) => {
      await promise
      await route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: '권한이 없습니다.' } })
    })
    await pull(page, { by: 180 })
    await expect(result(page)).toHaveText('새로 읽는 중')
    resolve()
    await expect(result(page)).toHaveText('새로 읽지 못했습니다: 권한이 없습니다.')
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  })

  test('only a little, from further down, sideways, or at something else is not read anew', async ({ page, enter }) => {
    await enter('user', '/user/stock/005930/trade')
    await arrive(page)
    const asked = readings(page)
    const { length: before } = asked
    await pull(page, { by: 60 })
    // To the left: to the right is the browser's own way back.
    await pull(page, { by: 60, across: -150 })
    await page.getByRole('button', { name: / 메뉴$/ }).click()
    await pull(page, { by: 180 })
    await page.keyboard.press('Escape')
    const chart = page.getByRole('region', { name: '가격 차트' }).locator('svg')
    await chart.scrollIntoViewIfNeeded()
    await page.evaluate('scrollTo(0, 300)')
    await pull(page, { by: 180 })
    // A chart at the very top of the page keeps its finger, too.
    await page.evaluate(`scrollTo(0, 0)
      const plot = document.querySelector('[aria-label="가격 차트"] svg').parentElement
      plot.style.cssText = 'position: fixed; top: 100px; left: 0; width: 300px; z-index: 5'`)
    const box = await chart.boundingBox()
    await pull(page, { x: 100, y: (box?.y ?? 0) + 60, by: 180 })
    await expect(result(page)).toHaveCount(0)
    expect(asked.slice(before).filter((path) => path.endsWith('/005930'))).toEqual([])
    await page.evaluate(`document.querySelector('[aria-label="가격 차트"] svg').parentElement.style.cssText = ''`)
    await pull(page, { by: 180 })
    await expect(result(page)).toHaveText(/^새로 읽었습니다/)
  })
})
