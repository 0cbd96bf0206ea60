import type { Page } from '@playwright/test'
import { ordersOf } from './fixture/lists.ts'
import { ALL, barriers, goOn, HALTED, noOrders, pressAll, question, Trader } from './stopping.ts'
import { BROKER_MS, expect, go, orders, take, test, STOP } from './test.ts'

const sentBy = (page: Page) => page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/stop/all'))

test.describe('made up', { tag: '@fixture' }, () => {
  test.afterEach(({ site }) => goOn(site.fixture?.state))

  /** Of seven orders one was placed by hand. */
  const asked = '직접 낸 주문 1건도 취소할까요?'

  test('own orders are asked about: Enter keeps them, and the stop holds either way', async ({ page, enter, site }) => {
    await enter('user', '/user/kis/order')
    await expect(orders(page)).toHaveCount(7)
    await pressAll(page)
    await expect(question(page)).toContainText(asked)
    await expect(question(page).getByRole('button')).toHaveText(['직접 낸 것은 두기', '모두 취소', '그만두기'])
    await expect(question(page).getByRole('button', { name: '직접 낸 것은 두기' })).toBeFocused()
    expect(await barriers(page)).toEqual([])
    const kept = sentBy(page)
    await page.keyboard.press('Enter')
    expect((await kept).postDataJSON()).toEqual({ own: false })
    await expect(question(page)).toContainText(
      '모두 멈췄습니다. 주문 6건을 취소했습니다. 직접 낸 주문 1건은 그대로 두었습니다.',
    )
    await take(page, ['확인'])
    await expect(orders(page)).toHaveCount(1)
    await expect(page.getByRole('button', { name: HALTED })).toBeVisible()
    await expect(page.getByRole('button', { name: '멈춤 풀기' })).toBeVisible()
    expect(await barriers(page)).toEqual([])
    await pressAll(page)
    const all = sentBy(page)
    await take(page, ['모두 취소'])
    expect((await all).postDataJSON()).toEqual({ own: true })
    await take(page, ['확인'])
    await expect(noOrders(page)).toBeVisible()
    expect(site.fixture?.state.stops.users.get('u1')).toBe('halt')
  })

  test('who gives up has stopped nothing', async ({ page, enter, site }) => {
    await enter('user', '/user/balance')
    for (const giveUp of [() => take(page, ['그만두기']), () => page.keyboard.press('Escape')]) {
      await pressAll(page)
      await expect(question(page)).toContainText(asked)
      await giveUp()
      await expect(question(page)).toHaveCount(0)
      expect(site.fixture?.state.stops.users.get('u1')).toBeUndefined()
    }
  })

  test('orders placed elsewhere alone are no reason to ask', async ({ page, enter, site }) => {
    const state = site.fixture?.state
    const [one] = ordersOf(state?.of('u1') ?? [])
    if (state && one) state.foreign = [{ ...one, orderId: '5550001', auto: false, foreign: true }]
    // The only one that was placed by hand.
    state?.cancelled.add('u1 91004')
    await enter('user', '/user/kis/order')
    await expect(orders(page)).toHaveCount(7)
    await pressAll(page)
    await expect(question(page)).toContainText(
      '주문 6건을 취소했습니다. 증권사 앱 등에서 낸 주문 1건은 증권사 앱에서 취소해 주세요.',
    )
    await take(page, ['확인'])
    await expect(orders(page)).toHaveCount(1)
  })

  for (const [name, answer] of [
    ['cannot be read', { status: 500, json: { code: 'INTERNAL', message: '서버 문제' } }],
    ['do not come', null],
  ] as const) {
    test(`where the numbers of orders ${name} one stops all the same, and own orders stay`, async ({ page, enter }) => {
      await page.route('**/api/user/stop/all', (route) => {
        if (route.request().method() !== 'GET') return route.continue()
        return answer ? route.fulfill(answer) : undefined
      })
      await enter('user', '/user/balance')
      const sent = sentBy(page)
      await pressAll(page)
      expect((await sent).postDataJSON()).toEqual({ own: false })
      await expect(question(page)).toContainText('모두 멈췄습니다.')
      await take(page, ['확인'])
      await expect(page.getByRole('button', { name: HALTED })).toBeVisible()
    })
  }

  test('while it runs it cannot be pressed again, and afterwards it can', async ({ page, enter }) => {
    const answered = Promise.withResolvers<void>()
    const keys: (string | undefined)[] = []
    await page.route('**/api/user/stop/all', async (route) => {
      const request = route.request()
      if (request.method() === 'GET') return route.fulfill({ json: { automatic: 6, own: 0, elsewhere: 0 } })
      keys.push(request.headers()['idempotency-key'])
      await answered.promise
      return route.continue()
    })
    await enter('user', '/user/balance')
    await pressAll(page)
    await expect.poll(() => keys.length).toBe(1)
    await take(page, [STOP])
    await expect(page.getByRole('button', { name: '모두 취소하고 멈추는 중' })).toBeDisabled()
    // A plain stop is not in its way.
    await expect(page.getByRole('button', { name: '이 계좌 · 모두 멈춤' })).toBeEnabled()
    await page.keyboard.press('Escape')
    answered.resolve()
    await take(page, ['확인', STOP])
    await expect(page.getByRole('button', { name: ALL })).toBeEnabled()
    expect(keys).toEqual([expect.stringMatching(/^\w/)])
  })

  test('without an answer it says that it may be done, and can be pressed again', async ({ page, enter }) => {
    await page.route('**/api/user/stop/all', (route) => route.abort('connectionrefused'))
    await enter('user', '/user/balance')
    await pressAll(page)
    await expect(question(page)).toContainText('멈췄는지 알 수 없으니 다시 눌러 주세요.')
    await expect(question(page)).toContainText('증권사 앱에서 주문을 취소')
    await take(page, ['확인'])
    await page.unroute('**/api/user/stop/all')
    await pressAll(page)
    await take(page, ['직접 낸 것은 두기'])
    await expect(question(page)).toContainText('모두 멈췄습니다.')
  })

  test('an administrator on another’s page stops that account', async ({ page, enter, site }) => {
    await enter('admin', '/u1/balance')
    await pressAll(page)
    await take(page, ['직접 낸 것은 두기'])
    await expect(question(page)).toContainText('모두 멈췄습니다.')
    await take(page, ['확인'])
    await expect(page.getByRole('button', { name: HALTED })).toBeVisible()
    expect([...(site.fixture?.state.stops.users.keys() ?? [])]).toEqual(['u1'])
  })
})

test('one press cancels and halts, a person’s own orders only when they say so', { tag: '@own' }, async ({ page }) => {
  test.setTimeout(8 * BROKER_MS)
  const release = async () => {
    await take(page, ['멈춤 풀기'])
    await expect(question(page)).toContainText('매매 중으로 바꿀까요?')
    await take(page, ['다시 시작'])
    await expect(page.getByText('이 계좌 모두 멈춤.')).toHaveCount(0)
  }
  const trader = new Trader(page, 8)
  await trader.begin()

  await test.step('automatic orders alone: no question, all are gone, and the account stands still', async () => {
    await page.goto('/user/kis/order')
    await expect(orders(page).first()).toBeVisible()
    await pressAll(page)
    await expect(question(page)).toContainText(/모두 멈췄습니다\. 주문 \d+건/)
    await take(page, ['확인'])
    await expect(page.getByText('이 계좌 모두 멈춤.')).toBeVisible()
    await expect(page.getByRole('button', { name: HALTED })).toBeVisible()
    await expect(noOrders(page)).toBeVisible({ timeout: BROKER_MS })
  })
  await test.step('released after a question, it goes on', async () => {
    await release()
    await expect.poll(() => trader.sales(true), { timeout: 2 * BROKER_MS }).toBeGreaterThan(0)
  })
  await test.step('own orders stay, and go with the second press', async () => {
    const price = await trader.tradeByHandOnly()
    const own = await trader.sellAt(Math.round((price * 1.2) / 1_000) * 1_000)
    await go(page, '/user/balance')
    await pressAll(page)
    await expect(question(page)).toContainText(`직접 낸 주문 ${own}건도 취소할까요?`)
    await take(page, ['직접 낸 것은 두기'])
    await expect(question(page)).toContainText(`직접 낸 주문 ${own}건은 그대로 두었습니다.`)
    await take(page, ['확인'])
    expect([await trader.sales(false), await trader.stop()]).toEqual([own, 'halt'])
    await pressAll(page)
    await take(page, ['모두 취소'])
    await expect(question(page)).toContainText('모두 멈췄습니다.')
    await take(page, ['확인'])
    await go(page, '/user/kis/order')
    await expect(noOrders(page)).toBeVisible({ timeout: BROKER_MS })
  })
})
