import type { Page } from '@playwright/test'
import { atBothSizes } from './sizes.ts'
import { expect, take, test } from './test.ts'

const CODE = '005930'
const PATH = `/a1/stock/${CODE}/settings`
const panel = (page: Page) => page.getByRole('region', { name: '지난 시세로 해 보기' })
const figures = (page: Page) => panel(page).getByRole('table', { name: '해 본 결과' })
const slider = (page: Page, name: string) => panel(page).getByRole('slider', { name })
const map = (page: Page) => panel(page).getByRole('slider', { name: /지도/ })

test.describe('the past traded again', { tag: '@fixture' }, () => {
  test.beforeEach(({ site }) => {
    const state = site.fixture?.state
    const stock = state?.stock('a1', CODE)
    if (state && stock)
      state.put('a1', {
        ...stock,
        price: 70_000,
        maxBuyPrice: 90_000,
        maxBuyAmount: 10_000_000,
        buyUnitPrice: 300_000,
        buyPercent: -2,
        sellPercent: 3,
        autoBuy: true,
        autoSell: true,
        useMinSellPrice: false,
        autoSellWithAvgPrice: false,
      })
  })

  test('a slider trades it again at once, and asks the server nothing', async ({ page, enter }) => {
    await enter('admin', PATH)
    await expect(panel(page)).toContainText('저장하지 않아도 되고')
    await take(page, ['해 보기'])
    await expect(figures(page)).toBeVisible()
    await expect(figures(page).getByRole('columnheader', { name: '고친 설정' })).toHaveCount(0)
    await expect(map(page)).toBeVisible()
    const asked: string[] = []
    // The code of other pages is fetched ahead by itself.
    page.on('request', (one) => one.url().includes('/api/') && asked.push(one.url()))
    const before = await figures(page).innerText()
    await slider(page, '해 볼 매수 비율').press('ArrowLeft')
    await expect(slider(page, '해 볼 매수 비율')).toHaveAttribute('aria-valuetext', '−1.95%')
    await atBothSizes(page, () => expect(figures(page).getByRole('columnheader', { name: '고친 설정' })).toBeVisible())
    expect(await figures(page).innerText()).not.toBe(before)
    expect(asked).toEqual([])
  })

  test('the map goes by keys, and its values are filled into the form without saving', async ({ page, enter }) => {
    await enter('admin', PATH)
    await take(page, ['해 보기'])
    const saved: string[] = []
    page.on('request', (one) => one.method() === 'POST' && saved.push(one.url()))
    await expect(map(page)).toHaveAttribute('aria-valuetext', /매수 −2%, 매도 \+3%: 합계/)
    await map(page).focus()
    await map(page).press('ArrowDown')
    await map(page).press('ArrowRight')
    await expect(map(page)).toHaveAttribute('aria-valuetext', /매수 −2\.3%, 매도 \+3\.45%: 합계/)
    await expect(slider(page, '해 볼 매도 비율')).toHaveAttribute('aria-valuetext', '+3.45%')
    await expect(page.getByLabel('매도 비율', { exact: true })).toHaveValue('3')
    await take(page, ['이 값으로 채우기'])
    await expect(panel(page)).toContainText('아직 저장하지 않았습니다.')
    await expect(page.getByLabel('매수 비율', { exact: true })).toHaveValue('-2.3')
    await expect(page.getByLabel('매도 비율', { exact: true })).toHaveValue('3.45')
    const bar = page.getByRole('region', { name: '저장' })
    await atBothSizes(page, async () => {
      await take(page, ['저장하거나 되돌리러 가기'])
      await expect(bar.getByRole('button', { name: '바꾼 값 2개 저장' })).toBeInViewport()
    })
    await take(page, ['되돌리기'])
    await expect(page.getByLabel('매수 비율', { exact: true })).toHaveValue('-2')
    await expect(slider(page, '해 볼 매수 비율')).toHaveAttribute('aria-valuetext', '−2%')
    await expect(panel(page)).not.toContainText('아직 저장하지 않았습니다.')
    expect(saved).toEqual([])
  })

  test('a range is in the address; minutes are fetched when they are wanted', async ({ page, enter }) => {
    await enter('admin', `${PATH}?whatif=true&past=year`)
    await expect(figures(page)).toBeVisible()
    await expect(panel(page)).toBeInViewport()
    await atBothSizes(page, () =>
      expect(panel(page).getByRole('button', { name: '1년' })).toHaveAttribute('aria-pressed', 'true'),
    )
    const before = await figures(page).innerText()
    const asked = page.waitForRequest(/history\?unit=minute/)
    await take(page, ['분봉 60일'])
    await asked
    await expect(page).toHaveURL(/past=minute/)
    await expect(figures(page)).toBeVisible()
    await expect.poll(() => figures(page).innerText()).not.toBe(before)
  })

  test('says what is off and what is wrong, and what is typed is what is tried', async ({ page, enter }) => {
    await enter('admin', `${PATH}?whatif=true`)
    await expect(figures(page)).toBeVisible()
    await page.getByLabel('매수 비율', { exact: true }).fill('-4')
    await expect(slider(page, '해 볼 매수 비율')).toHaveAttribute('aria-valuetext', '−4%')
    await expect(figures(page).getByRole('columnheader', { name: '고친 설정' })).toBeVisible()
    await page.getByLabel('최고 매수가').fill('많이')
    await expect(panel(page)).toContainText('숫자가 아닌 값이 있어 해 볼 수 없습니다.')
    await page.getByLabel('최고 매수가').fill('90,000')
    await page.getByLabel('자동 매수 (BUY)').uncheck()
    await atBothSizes(page, async () => {
      await expect(panel(page)).toContainText('자동 매수가 꺼져 있어 아무것도 사지 않습니다.')
      await expect(figures(page).getByRole('row', { name: /산 횟수/ })).toContainText('0번')
    })
  })

  test('that is not there yet says so, with how far it is, and comes by itself', async ({ page, enter }) => {
    await page.clock.install()
    await page.route(/\/history\?/, async (route) => {
      const reply = await route.fetch()
      const history = await reply.json()
      const none = { days: [], open: [], high: [], low: [], close: [], volume: [], source: null }
      const progress = { ...history.progress, from: null, to: null, isComplete: false, note: '차례를 기다립니다.' }
      await route.fulfill({ response: reply, json: { ...history, ...none, progress } })
    })
    await enter('admin', `${PATH}?whatif=true`)
    await atBothSizes(page, async () => {
      await expect(panel(page)).toContainText('지난 시세를 아직 읽지 못했습니다')
      await expect(panel(page)).toContainText('차례를 기다립니다.')
    })
    await page.unroute(/\/history\?/)
    await page.clock.runFor(16_000)
    await expect(figures(page)).toBeVisible()
  })

  test('all stocks: sums, an order by the money in, and the way to the settings of one', async ({ page, enter }) => {
    await enter('user', '/user/stock')
    await page.getByRole('button', { name: '지켜보는 종목 메뉴' }).click()
    await take(page, ['지난 시세로 보기'])
    await expect(page.getByRole('heading', { level: 1, name: '지난 시세로 보기' })).toBeVisible()
    const main = page.getByRole('main')
    await expect(main.getByText('다시 매매해 본 종목')).toHaveCount(0, { timeout: 30_000 })
    await expect(main.getByText('합계(비용 뺌)')).toBeVisible()
    const each = main.getByRole('region', { name: '종목마다' })
    await atBothSizes(page, async (isWide) => {
      await take(page, ['들어간 돈'])
      const lines = isWide ? each.locator('tbody tr') : each.getByRole('link')
      await expect.poll(() => lines.count()).toBeGreaterThan(3)
      const amounts = await lines.locator(isWide ? 'td:nth-child(6)' : 'dl > div:nth-child(3) dd').allInnerTexts()
      const numbers = amounts.map((text) => Number(text.split('부터')[0]?.replaceAll(/\D/g, '')))
      expect(numbers.length).toBeGreaterThan(3)
      expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
      await (isWide ? lines.getByRole('button') : lines).first().click()
      await expect(page).toHaveURL(/settings\?whatif=true/)
      await expect(figures(page)).toBeVisible()
      await page.goBack()
    })
  })
})

/** The keeper of candles reads politely: a new server has the first ones after some seconds. */
const KEPT_MS = 120_000

test('bars that the real server keeps are traded again, in a worker that its policy lets run', async ({
  page,
  enter,
}) => {
  await enter('user', '/user/stock')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(async () => {
    await page.goto(`/user/stock/${CODE}/settings?whatif=true&past=year`)
    await expect(figures(page)).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: KEPT_MS })
  const before = await figures(page).innerText()
  for (let n = 0; n < 8; n += 1) await slider(page, '해 볼 매도 비율').press('ArrowRight')
  await expect(figures(page).getByRole('columnheader', { name: '고친 설정' })).toBeVisible()
  expect(await figures(page).innerText()).not.toBe(before)
  await page.goto('/user/whatif?past=year')
  await expect(page.getByRole('main').getByText('합계(비용 뺌)')).toBeVisible()
})
