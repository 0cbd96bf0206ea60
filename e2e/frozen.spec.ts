import type { Page } from '@playwright/test'
import { stockOf } from './fixture/people.ts'
import { expect, settled, take, test } from './test.ts'

/** KB금융: its base price is half its last close, and new shares come later. */
const CODE = '105560'
const TRADE = `/user/stock/${CODE}/trade`
const panelOf = (page: Page) => page.getByRole('region', { name: '기준가 변동' })
const awaitedOf = (page: Page) => page.getByRole('region', { name: '받을 주식' })

test.describe('a stock whose base price moved', { tag: '@fixture' }, () => {
  // Other tests of the worker save its settings, and those here settle it.
  test.beforeEach(({ site }) => void site.fixture?.state.put('u1', stockOf('u1', 9)))
  test.afterEach(({ site }) => void site.fixture?.state.put('u1', stockOf('u1', 9)))

  test('is marked on its card, which leads to where it is settled', async ({ page, enter }) => {
    await enter('user', '/user/balance')
    await settled(page)
    const card = page.getByRole('article', { name: 'KB금융' })
    // Only cards near the screen exist.
    await expect(async () => {
      await page.evaluate('scrollBy(0, 300)')
      await expect(card.getByRole('link', { name: /기준가 변동/ })).toBeVisible({ timeout: 200 })
    }).toPass()
    await expect(page.getByRole('link', { name: /기준가 변동/ })).toHaveCount(1)
    await card.getByRole('link', { name: /기준가 변동/ }).click()
    await expect(page).toHaveURL(new RegExp(`${TRADE}$`))
    await expect(panelOf(page)).toContainText('기준가가 바뀌어 자동 매매를 멈췄습니다')
  })

  test('shows what happened and what would change, and is adjusted after a question', async ({ page, enter }) => {
    await enter('user', TRADE)
    const panel = panelOf(page)
    await expect(panel).toContainText('지난 종가196,800원')
    await expect(panel).toContainText('기준가98,400원')
    await expect(panel).toContainText('비율지난 종가의 50.00%')
    const row = (name: string) => panel.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
    await expect(row('최고 매수가').getByRole('cell')).toHaveText(['118,080원', '59,000원'])
    await expect(row('마지막 매수가').getByRole('cell')).toHaveText(['99,384원', '49,692원'])
    await expect(row('26-11-20 09:30:00 매수').getByRole('cell')).toHaveText(['6주 × 101,238', '6주 × 50,619'])
    await expect(row('보유 합계').getByRole('cell')).toHaveText(['18주', '18주'])
    await expect(panel).toContainText('새 주식 18주는 나중에 들어옵니다. 그 값 897,876원을')
    await take(page, ['조정하기'])
    await expect(page.getByRole('alertdialog')).toContainText('바뀐 기준가에 맞춰 조정할까요?')
    await expect(page.getByRole('alertdialog')).toContainText('최고 매수가 118,080원 → 59,000원')
    await expect(page.getByRole('button', { name: '취소' })).toBeFocused()
    await take(page, ['취소'])
    await expect(panel).toBeVisible()
    const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith(`/stock/${CODE}/adjust`))
    await take(page, ['조정하기', '조정'])
    expect((await sent).postDataJSON()).toEqual({
      day: '20261123',
      how: 'adjust',
      base: expect.any(Number),
      held: 23,
      version: expect.any(Number),
    })
    await expect(page.getByRole('alertdialog')).toContainText('done')
    await take(page, ['확인'])
    await expect(panel).toHaveCount(0)
    await expect(page.getByRole('article', { name: 'KB금융' })).toContainText('받을 주식18주')
  })

  test('may be left as it is, also while nobody can say what an adjustment would do', async ({ page, enter }) => {
    await page.route(`**/stock/${CODE}/adjust`, (route) =>
      route.request().method() === 'GET'
        ? route.fulfill({ status: 409, json: { code: 'NEED_USERKEY', message: '사용자 키가 없습니다.' } })
        : route.fallback(),
    )
    await enter('user', TRADE)
    const panel = panelOf(page)
    await expect(panel.getByRole('alert')).toContainText('다시 로그인하면 키가 열립니다')
    await expect(panel.getByRole('button', { name: '조정하기' })).toBeDisabled()
    const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith(`/stock/${CODE}/adjust`))
    await take(page, ['그대로 두기', '그대로 두기'])
    expect((await sent).postDataJSON()).toEqual({ day: '20261123', how: 'keep', base: expect.any(Number) })
    await expect(page.getByRole('alertdialog')).toContainText('done')
    await take(page, ['확인'])
    await expect(panel).toHaveCount(0)
  })

  test('that cannot be settled yet says why, and stays', async ({ page, enter }) => {
    const message = '미체결 주문이 남아 있습니다. 취소된 뒤 다시 해 주세요.'
    await page.route(`**/stock/${CODE}/adjust`, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 409, json: { code: 'CONFLICT', message } })
        : route.fallback(),
    )
    await enter('user', TRADE)
    await expect(panelOf(page).getByRole('table')).toBeVisible()
    await take(page, ['조정하기', '조정'])
    await expect(page.getByRole('alertdialog')).toContainText(message)
    await take(page, ['확인'])
    await expect(panelOf(page).getByRole('button', { name: '조정하기' })).toBeEnabled()
  })
})

test.describe('new shares that never come', { tag: '@fixture' }, () => {
  const awaiting = stockOf('u1', 2)
  const AWAITING = `/user/stock/${awaiting.code}/trade`
  test.beforeEach(({ site }) => void site.fixture?.state.put('u1', awaiting))
  test.afterEach(({ site }) => void site.fixture?.state.put('u1', awaiting))

  test('are given up after a question that says where the money goes, also on a phone', async ({ page, enter }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await enter('user', AWAITING)
    const panel = awaitedOf(page)
    await expect(panel).toContainText('새 주식 12주를 기다리고 있습니다 (원금 480,000원)')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await take(page, ['더 기다리지 않기'])
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('원금 480,000원이 남은 매매 3건의 원가로 돌아갑니다.')
    await expect(page.getByRole('button', { name: '취소' })).toBeFocused()
    await take(page, ['취소'])
    await expect(panel).toBeVisible()
    const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/give-up'))
    await take(page, ['더 기다리지 않기', '기다리지 않기'])
    expect((await sent).postDataJSON()).toEqual({ count: 12, amount: 480_000, trades: 3, cost: 960_000 })
    await expect(question).toContainText('done')
    await take(page, ['확인'])
    await expect(panel).toHaveCount(0)
    await expect(page.getByRole('article', { name: awaiting.name })).not.toContainText('받을 주식')
  })

  test('that may have come say so, and stay', async ({ page, enter }) => {
    const message = '장부 12주, 증권사 24주로 서로 다릅니다. 잔고를 먼저 맞춰 주세요.'
    await page.route('**/give-up', (route) => route.fulfill({ status: 409, json: { code: 'CONFLICT', message } }))
    await enter('user', AWAITING)
    await take(page, ['더 기다리지 않기', '기다리지 않기'])
    await expect(page.getByRole('alertdialog')).toContainText(message)
    await take(page, ['확인'])
    await expect(awaitedOf(page).getByRole('button', { name: '더 기다리지 않기' })).toBeEnabled()
  })
})
