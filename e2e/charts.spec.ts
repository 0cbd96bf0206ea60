import type { Page } from '@playwright/test'
import { expect, go, settled, test } from './test.ts'

const TRADE = '/user/stock/005930/trade'
const chartOf = (page: Page) => page.getByRole('region', { name: '가격 차트' })
/** Its keyboard's way: an input that lies in the plot. */
const keysOf = (page: Page) => chartOf(page).getByRole('slider')
const valuesOf = (page: Page) => keysOf(page).getAttribute('aria-valuetext')

/** Texts of charts that lie on each other or out of their picture, as pairs. */
const collisions = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main svg')].filter((svg) => svg.querySelector('text')).flatMap((svg) => {
    const frame = svg.getBoundingClientRect()
    const texts = [...svg.querySelectorAll('text')].filter((text) => text.textContent.trim() !== '').map((text) => ({ name: text.textContent, box: text.getBoundingClientRect() }))
    const outside = texts.filter(({ box }) => box.left < frame.left - 0.5 || box.right > frame.right + 0.5 || box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5).map(({ name }) => name + ' is cut')
    const meeting = texts.flatMap((one, at) => texts.slice(at + 1).filter(({ box }) =>
      one.box.left < box.right && box.left < one.box.right && one.box.top < box.bottom && box.top < one.box.bottom
    ).map(({ name }) => one.name + ' lies on ' + name))
    return [...outside, ...meeting]
  })`)

test.describe('charts', { tag: '@fixture' }, () => {
  for (const [width, height] of [
    [390, 844],
    [320, 640],
    [1440, 900],
  ] as const) {
    test(`no two texts meet at ${width} px, pointed at or not, also of a stock of a million won`, async ({
      page,
      enter,
    }) => {
      await page.setViewportSize({ width, height })
      await enter('user', '/user/password')
      for (const path of [TRADE, '/user/stock/207940/trade', `${TRADE}?withOldTrade=true&chart=minute`]) {
        await go(page, path)
        await settled(page)
        await expect(chartOf(page).locator('[data-tone=now]')).toBeVisible()
        expect(await collisions(page), path).toEqual([])
        await keysOf(page).press('Home')
        await expect(chartOf(page).locator('[data-tone=cursor]')).toBeVisible()
        expect(await collisions(page), `${path} pointed at`).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      }
      await go(page, '/user/gain?fromDate=20261101&toDate=20261130')
      await settled(page)
      await page.getByRole('slider', { name: /^날마다/ }).press('Home')
      expect(await collisions(page), 'gain').toEqual([])
    })
  }

  test('a simulated price touches no candle: it is a dashed tag', async ({ page, enter }) => {
    await enter('admin', `${TRADE}?simulPrice=75000`)
    await settled(page)
    const tag = chartOf(page).locator('[data-dashed=true]')
    await expect(tag).toContainText('가상')
    await expect(tag).toContainText('75,000')
    const last = await valuesOf(page)
    await enter('admin', TRADE)
    await expect(chartOf(page).getByText('현재', { exact: true })).toBeVisible()
    expect(last).toBe(await valuesOf(page))
    await enter('admin', `${TRADE}?simulPrice=999000`)
    await expect(chartOf(page).getByText('↑ 가상 999,000')).toBeVisible()
  })

  test('is read and zoomed by keys, wheel and drag, and begins with its range', async ({ page, enter }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await enter('user', `${TRADE}?chart=week`)
    await settled(page)
    const labels = chartOf(page)
      .locator('svg text')
      .filter({ hasText: /^\d\d\/\d\d$|월$/ })
    await expect(labels.first()).toHaveText('11/14')
    await keysOf(page).press('End')
    await keysOf(page).press('ArrowLeft')
    expect(await valuesOf(page)).toMatch(/^11\/19 시 [\d,]+ 고 [\d,]+ 저 [\d,]+ 종 [\d,]+$/)
    await keysOf(page).press('-')
    await expect(labels.first()).not.toHaveText('11/14')
    await keysOf(page).press('Escape')
    await expect(chartOf(page).locator('[data-tone=cursor]')).toHaveCount(0)
    const plot = await chartOf(page).locator('svg').boundingBox()
    if (plot === null) throw new Error('no chart')
    const before = await labels.allTextContents()
    await page.mouse.move(plot.x + 200, plot.y + 150)
    await page.mouse.down()
    await page.mouse.move(plot.x + 400, plot.y + 150, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => labels.allTextContents()).not.toEqual(before)
    const dragged = await labels.allTextContents()
    const scrolled = await page.evaluate('scrollY')
    await page.mouse.wheel(0, 600)
    await expect.poll(() => labels.allTextContents()).not.toEqual(dragged)
    expect(await page.evaluate('scrollY')).toBe(scrolled)
  })

  test('the ladder says what was spent, what comes next and where it ends, also as a table', async ({
    page,
    enter,
  }) => {
    await enter('user', TRADE)
    await settled(page)
    const ladder = page.getByRole('region', { name: '사다리' })
    await expect(ladder).toContainText(/쓴 돈 13만남은 한도 1,987만/)
    await expect(ladder).toContainText(/다음 [\d,]+원에 1주/)
    await expect(ladder).toContainText(/반값이 되면 [\d,]+원까지 \d+번/)
    await ladder.getByText('사다리 표로 보기').press('Enter')
    await expect(ladder.getByRole('rowheader', { name: '1 산 칸' })).toBeVisible()
    await expect(ladder.getByRole('rowheader', { name: '4 다음 칸' })).toBeVisible()
  })

  test('the gain page says which stock earns, and each day by key and table', async ({ page, enter }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await enter('user', '/user/gain?fromDate=20261101&toDate=20261130')
    await settled(page)
    await expect(page.getByRole('main')).toContainText(/\d+번 팔아 \d+번 이익 · 평균 [\d.]+일 들고 있었습니다/)
    const stocks = page.getByRole('region', { name: '종목마다' }).getByRole('link')
    await expect(stocks.first()).toContainText(/에코프로비엠\+[\d,]+원/)
    const bars = page.getByRole('slider', { name: /^날마다/ })
    await bars.press('Home')
    await expect(bars).toHaveAttribute('aria-valuetext', /^1일 \+[\d,]+원$/)
    await page.getByText('날마다 표로 보기').press('Enter')
    await expect(page.getByRole('rowheader', { name: '2026-11-20' })).toBeVisible()
    // No figure of the calendar is wider than its cell.
    const wide = await page.evaluate(
      `[...document.querySelectorAll('td b')].filter((figure) => figure.scrollWidth > figure.clientWidth).length`,
    )
    expect(wide).toBe(0)
  })

  test('one line of money in its own scale; one that never moved says so', async ({ page, enter }) => {
    await page.route('**/api/user/money?*', (route) =>
      route.fulfill({
        json: [20, 19, 18].map((day) => ({
          date: `202611${day}`,
          depositAmount: 5_000_000 + day * 1_000,
          stockBuyAmount: 1_000_000,
          bankBalanceAmount: 0,
        })),
      }),
    )
    await enter('user', '/user/money?fromDate=20261101&toDate=20261130')
    await expect(page.getByRole('slider', { name: /^총자산/ })).toHaveAttribute('aria-valuetext', '11/20 6,020,000원')
    await page.getByRole('button', { name: '주식 매입금액' }).click()
    await expect(page.getByText('주식 매입금액: 이 기간 내내 1,000,000원입니다.')).toBeVisible()
  })
})
