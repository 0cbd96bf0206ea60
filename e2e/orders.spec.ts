import type { Page } from '@playwright/test'
import { goOn } from './stopping.ts'
import { covers, BROKER_MS, expect, orders, settled, take, test } from './test.ts'

test.afterEach(({ site }) => goOn(site.fixture?.state))

test(
  'executed orders: merged or single, filtered or leading to the trades',
  {
    tag: '@wide',
    ...covers(
      'executed: fromDate, toDate, code, merged true, filterWithCode false; today',
      'menu: click mode, merged, ALL STOCK, TODAY … 360 days',
      'a row filters by its code or goes to the trade screen',
      'views switch by query parameters',
    ),
  },
  async ({ page, enter }) => {
    await enter('user', '/user/kis/ordered')
    const rows = orders(page)
    const menu = async (name: string) => {
      await page.getByRole('button', { name: '체결 내역 메뉴' }).click()
      await page.getByRole('button', { name, exact: true }).click()
    }
    await menu('LAST 30 DAYS')
    await expect(page).toHaveURL(/fromDate=\d{8}&toDate=\d{8}/)
    await expect(rows.first()).toBeVisible({ timeout: BROKER_MS })
    await settled(page)
    const merged = await rows.count()
    await menu('하나씩 보기')
    await expect(page).toHaveURL(/merged=false/)
    await expect.poll(() => rows.count()).toBeGreaterThan(merged)
    await menu('누르면 그 종목만 보기')
    await rows.first().getByRole('button').click()
    await expect(page).toHaveURL(/code=\w{6}/)
    await menu('ALL STOCK')
    await expect(page).not.toHaveURL(/code=/)
    await menu('누르면 매매 화면으로 가기')
    await rows.first().getByRole('button').click()
    await expect(page).toHaveURL(/\/trade$/)
  },
)

test(
  'importing needs a code',
  covers(
    'admin only: import, import from last; need code',
    'import requires a code: need code',
    'check password! and need code',
  ),
  async ({ page, enter }) => {
    await enter('admin', '/user/kis/ordered')
    await page.getByRole('button', { name: '체결 내역 메뉴' }).click()
    await page.getByRole('button', { name: '마지막 주문부터 가져오기' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('need code')
  },
)

test(
  'open orders: a side at a time, cancelled one by one, all by an administrator only',
  {
    tag: '@wide',
    ...covers('open orders: counts, a line filters by type', 'an open order is cancelled, then the list is read again'),
  },
  async ({ page, enter }) => {
    // Whatever waits here is what the settings ask for; selling at target is always among it.
    await enter('user', '/user/kis/order')
    await page.getByRole('button', { name: '미체결 주문 메뉴' }).click()
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText(['주문 내보내기(CSV)'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^SELL/ }).first().click()
    await expect(page).toHaveURL(/orderType=SELL/)
    const rows = orders(page)
    await expect(rows.first()).toContainText('SELL')
    await expect(rows.filter({ hasText: 'BUY' })).toHaveCount(0)
    const choose = async (item: string) => {
      await rows.last().getByRole('button').click()
      await page.getByRole('dialog').getByRole('button', { name: item, exact: true }).click()
    }
    await choose('이 종목만 보기')
    await expect(page).toHaveURL(/code=\w{6}/)
    await choose('모든 종목 보기')
    await expect(page).not.toHaveURL(/code=/)
    await choose('매매')
    await expect(page).toHaveURL(/\/stock\/\w{6}\/trade$/)
    await page.goBack()
    // The oldest that the broker has numbered: farthest from being filled. (What is off the screen has no inner text.)
    const oldest = rows.filter({ hasText: /번호 \d/ }).last()
    const number = /번호 (\d+)/.exec((await oldest.textContent()) ?? '')?.[1] ?? 'none'
    const order = rows.filter({ hasText: new RegExp(`번호 ${number}(?!\\d)`) })
    const cancel = page.getByRole('dialog').getByRole('button', { name: '취소', exact: true })
    // So soon after a dialog and at the same place, a press is taken for the second half of a double one.
    await expect(async () => {
      await order.getByRole('button').click()
      await expect(cancel).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await cancel.click()
    await expect(order).toHaveCount(0, { timeout: BROKER_MS })
    await page.getByRole('button', { name: /^SELL/ }).first().click()
    await expect(page).not.toHaveURL(/orderType/)
  },
)

test(
  'an administrator cancels everything after a question',
  covers('admin only: CANCEL all, optionally for the code'),
  async ({ page, enter }) => {
    test.setTimeout(2 * BROKER_MS)
    await enter('admin', '/user/kis/order')
    await settled(page)
    const all = orders(page)
    const numbers = (await all.allTextContents()).flatMap((text) => /번호 (\d+)/.exec(text)?.[1] ?? [])
    await page.getByRole('button', { name: '미체결 주문 메뉴' }).click()
    await page.getByRole('button', { name: 'CANCEL ALL' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('모두 취소할까요?')
    await page.getByRole('button', { name: '모두 취소' }).click()
    // Automatic selling may place new ones at once; these are gone.
    for (const number of numbers)
      await expect(all.filter({ hasText: new RegExp(`번호 ${number}(?!\\d)`) })).toHaveCount(0, {
        timeout: BROKER_MS,
      })
  },
)

test(
  'the socket page connects and disconnects',
  covers('connect and disconnect', 'socket: connected and disconnected by calls', 'POST socket'),
  async ({ page, enter }) => {
    await enter('user', '/user/socket')
    await take(page, ['끊기', '끊기'])
    await expect(page.getByText('끊김', { exact: true })).toBeVisible()
    await expect(page.getByText('증권사 시세 연결이 끊겨 가격이 멈춰 있습니다.')).toBeVisible()
    await page.getByRole('button', { name: '연결', exact: true }).click()
    await expect(page.getByText('연결됨', { exact: true })).toBeVisible()
  },
)

test(
  'gain and money go by month and year, which the address shows',
  covers('gain: fromDate and toDate, else the current month', 'money: same query and menu'),
  async ({ page, enter }) => {
    await enter('user', '/user/gain')
    await page.getByRole('button', { name: '실현 손익 메뉴' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '올해' }).click()
    await expect(page).toHaveURL(/fromDate=\d{4}0101&toDate=\d{4}1231/)
    await enter('user', '/user/money?fromDate=20260101&toDate=20260131')
    await page.getByRole('button', { name: '이전 달' }).click()
    await expect(page).toHaveURL(/fromDate=20251201&toDate=20251231/)
  },
)

test(
  'an order made by phone stands apart, and says where it is cancelled',
  { tag: '@fixture' },
  async ({ page, enter, site }) => {
    const state = site.fixture?.state
    if (state === undefined) return
    const byPhone = { code: '005930', name: '삼성전자', orderType: 'BUY', exchangeCode: 'SOR', auto: false } as const
    const at = new Date().toISOString()
    state.foreign = [
      { ...byPhone, orderId: '0000000900', qty: 3, filledQty: 1, price: 69_000, orderDateTime: at, foreign: true },
    ]
    await enter('admin', '/u1/kis/order')
    const foreign = page.getByRole('region', { name: '증권사 앱 등에서 낸 주문' })
    await expect(foreign).toContainText('증권사 앱에서 취소해 주세요')
    await expect(foreign.getByRole('listitem')).toContainText('69,000 × 3주 = 207,000원')
    await expect(foreign.getByRole('listitem')).toContainText('번호 0000000900 · 1/3주 체결')
    await foreign.getByRole('button').click()
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText(['이 종목만 보기', '모든 종목 보기'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '미체결 주문 메뉴' }).click()
    await page.getByRole('button', { name: 'CANCEL ALL' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('증권사 앱 등에서 낸 주문 1건은 그대로 남습니다.')
    await take(page, ['취소'])
    state.foreign = []
  },
)

test(
  'one stock without an order keeps its counts and the way back; with some, its owner cancels them together',
  { tag: '@fixture' },
  async ({ page, enter }) => {
    await enter('user', '/user/kis/order?code=999999')
    await expect(page.getByText('기다리는 주문이 없습니다')).toBeVisible()
    await expect(page.getByRole('button', { name: /^BUY/ })).toHaveText('BUY0건')
    await take(page, ['모든 종목 보기'])
    await expect(page).not.toHaveURL(/code=/)
    const first = page.getByRole('main').getByRole('listitem').first()
    await expect(first).toContainText(/지금 값보다 [+−]\d+\.\d%/)
    await first.getByRole('button').click()
    await take(page, ['이 종목만 보기'])
    const sent = page.waitForRequest(
      (one) => one.method() === 'POST' && /\/balance\/cancel\?code=\w{6}$/.test(one.url()),
    )
    await take(page, [/^이 종목 주문 \d+건 취소$/, '모두 취소'])
    await sent
  },
)

const heading = (page: Page, name: string) => page.getByRole('columnheader').getByRole('button', { name })

test.describe('on a wide window', { tag: '@fixture' }, () => {
  test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false })

  test('open orders are a table that sorts, whose lines have the menu of a box', async ({ page, enter }) => {
    await enter('user', '/user/kis/order')
    const rows = orders(page)
    await expect(rows).toHaveCount(7)
    await expect(rows.filter({ hasText: '카카오' })).toContainText(
      /카카오자동 주문 · 번호 91002SELL NXT[\d,]+[+−][\d.]+%5주1주 체결[\d,]+\d\d-\d\d-\d\d \d\d:/,
    )
    const amounts = async () =>
      (await rows.locator('td b').allTextContents()).map((text) => Number(text.replaceAll(',', '')))
    const falling = (await amounts()).toSorted((one, other) => other - one)
    expect(falling[0]).toBeGreaterThan(falling[6] ?? 0)
    await heading(page, '금액').click()
    await expect.poll(amounts).toEqual(falling)
    await heading(page, '금액').click()
    await expect.poll(amounts).toEqual(falling.toReversed())
    await rows.last().getByRole('button').click()
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText([
      '취소',
      '매매',
      '이 종목만 보기',
      '모든 종목 보기',
    ])
    await page.keyboard.press('Escape')
    // On a phone they are boxes again.
    await page.setViewportSize({ width: 390, height: 800 })
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(7)
  })

  test('executed orders are a table, too; merged lines have no time', async ({ page, enter }) => {
    await enter('user', '/user/kis/ordered')
    await expect(orders(page).filter({ hasText: '카카오' }).first()).toContainText(
      /카카오035720BUY (?:평균 )?[\d,]+10주[\d,]+$/,
    )
    await expect(page.getByRole('columnheader')).toHaveText(['종목', '구분', '가격', '수량', '금액'])
    await heading(page, '수량').click()
    await expect(orders(page).first()).toContainText('KODEX 200')
    await orders(page).first().getByRole('button').click()
    await expect(page).toHaveURL(/\/stock\/069500\/trade$/)
  })
})
