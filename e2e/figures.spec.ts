import type { Page } from '@playwright/test'
import { covers, expect, settled, test } from './test.ts'

/** Scrolls down until the card is drawn. */
async function reach(page: Page, name: string, says: string): Promise<void> {
  await expect(async () => {
    await page.evaluate('scrollBy(0, 300)')
    await expect(page.getByRole('article', { name })).toContainText(says, { timeout: 500 })
  }).toPass()
}

test.describe('figures', { tag: '@fixture' }, () => {
  test(
    'a card: name, ratio, count times price, amount, average, gains, badges',
    covers(
      'card: name, ratio with 2 decimals red or blue, count × price, amount, saved gain, gain',
      'average price rounded up',
      'target price when autoSellWithAvgPrice is on',
      'badges WATCH, BUY, SELL and in detail REC, blue when on',
      'stock: fields of the card, nxt shows NXT or KRX',
      'theme: primary #1867C0, secondary #5CBBF6',
    ),
    async ({ page, enter }) => {
      await enter('user', '/user/balance')
      await settled(page)
      // 2 shares for 64,792 each at 71,200.
      const card = page.getByRole('article', { name: '삼성전자' })
      await expect(card).toContainText('▲ +9.89%')
      await expect(card).toContainText('2주 × 71,200원')
      await expect(card.getByText('+12,816원')).toHaveCSS('color', 'rgb(210, 32, 47)')
      await expect(card).toContainText('보유129,584원')
      await expect(card).toContainText('평균64,792원')
      await expect(card).toContainText('누적−123,750원')
      await expect(card.getByText('−123,750원')).toHaveCSS('color', 'rgb(26, 95, 208)')
      await expect(card).toContainText('NXT')
      const badge = card.getByTitle('자동 매수')
      await expect(badge).toHaveAttribute('data-on', 'true')
      await expect(badge).toHaveCSS('background-color', 'rgb(24, 103, 192)')
      await expect(card.getByText('REC')).toHaveCount(0)
      await expect(card.getByText('목표가')).toHaveCount(0)
      // Only where the whole position is sold at once. Cards far below are drawn when one comes near.
      await reach(page, '현대차', '목표가')
      await reach(page, 'KODEX 200', 'KRX')
    },
  )

  test(
    'a card in detail: M, L, U, A and REC',
    covers(
      'detail mode adds M, L, U, A',
      'badges WATCH, BUY, SELL and in detail REC, blue when on',
      'stock: fields of the card, nxt shows NXT or KRX',
    ),
    async ({ page, enter }) => {
      await enter('user', '/user/balance?showDetail=true')
      const card = page.getByRole('article', { name: '삼성전자' })
      await expect(card).toContainText('M 최고 매수가85,440')
      await expect(card).toContainText('L 마지막 매수가64,792')
      await expect(card).toContainText('U 1회 매수 금액1')
      await expect(card).toContainText('A 최대 매수 금액20,000,000')
      await expect(card).toContainText('REC 되돌리기')
    },
  )

  test(
    'the balance: total assets are deposit and purchases',
    covers('balance: deposit, purchases, total = deposit + purchases'),
    async ({ page, enter }) => {
      await enter('user', '/user/balance')
      await settled(page)
      const facts = await page.getByRole('main').locator('dl').first().innerText()
      const amount = (name: string) =>
        Number(new RegExp(`${name}\\s+([\\d,]+)원`).exec(facts)?.[1]?.replaceAll(',', '') ?? Number.NaN)
      expect(amount('예수금')).toBe(12_345_678)
      expect(amount('총자산')).toBe(amount('예수금') + amount('주식 매입금액'))
    },
  )

  test(
    'a trade: B line, gain and ratio at the current price',
    covers(
      'trade: summary, balance check with time, trade boxes',
      'trade row: B line, S line if sold, gain and ratio',
      'trade: gain and ratio computed on the client',
      'YYYYMMDD, shown YY-MM-DD HH:mm:ss',
    ),
    async ({ page, enter }) => {
      await enter('user', '/user/stock/000660/trade')
      const trade = page.getByRole('article').filter({ hasText: '목표' }).last()
      await expect(trade).toContainText(/B\s*\d\d-\d\d-\d\d \d\d:\d\d:\d\d\s*[\d,]+주 × [\d,]+\s*[\d,]+원/)
      await expect(trade).toContainText(/[▲▼] [+−][\d,]+원 \([+−]\d+\.\d\d%\)/)
    },
  )

  test(
    'executed orders: range and code above, shares and amounts by side, the gap, the boxes',
    covers(
      'header shows range and code',
      'summary: BUY, SELL, GAP',
      'order box: name, type badge, date, price × qty = total',
      'executed order; another exchange means the NXT marker',
    ),
    async ({ page, enter }) => {
      await enter('user', '/user/kis/ordered?fromDate=20261101&toDate=20261120&code=000660&merged=false')
      const main = page.getByRole('main')
      await expect(main).toContainText('2026-11-01 ~ 2026-11-20')
      await expect(main.getByText('000660', { exact: true })).toBeVisible()
      // Bought 3 at 248,500, sold 4 at 247,258 on NXT.
      await expect(main).toContainText('BUY3주745,500원')
      await expect(main).toContainText('SELL4주989,032원')
      await expect(main).toContainText('GAP+243,532원')
      const [bought, sold] = [main.getByRole('listitem').first(), main.getByRole('listitem').last()]
      await expect(bought).toContainText(/SK하이닉스BUY\d\d-\d\d-\d\d \d\d:\d\d:\d\d248,500 × 3주 = 745,500원/)
      await expect(sold).toContainText(/SK하이닉스SELLNXT/)
      await expect(bought.getByText('BUY')).toHaveAttribute('data-tone', 'blue')
      await expect(sold.getByText('SELL')).toHaveAttribute('data-tone', 'red')
      await page.goto('/user/kis/ordered?merged=true')
      await expect(main.getByRole('listitem').first()).toContainText('삼성전자BUY71,200 × 2주 = 142,400원')
    },
  )

  test(
    'open orders: counts of both sides, one side by its line',
    covers(
      'open orders: counts, a line filters by type',
      'an order’s menu: cancel, trade, filter with code, all code',
      'open order',
    ),
    async ({ page, enter }) => {
      await enter('user', '/user/kis/order?orderType=SELL')
      const main = page.getByRole('main')
      await expect(main.getByRole('button', { name: /^SELL\s*\d+건/ })).toHaveAttribute('aria-pressed', 'true')
      await expect(main.getByRole('button', { name: /^BUY\s*\d+건/ })).toHaveAttribute('aria-pressed', 'false')
      await expect(main.getByRole('listitem').filter({ hasText: 'BUY' })).toHaveCount(0)
      await main.getByRole('listitem').first().getByRole('button').click()
      await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText([
        '취소',
        '매매',
        '이 종목만 보기',
        '모든 종목 보기',
      ])
      await page.getByRole('button', { name: '이 종목만 보기' }).click()
      await expect(page).toHaveURL(/orderType=SELL&code=\w{6}/)
    },
  )

  test(
    'the broker’s balance: cash, and of each holding price, available of all, gain',
    covers('broker balance: available amount, holdings', 'brokerage balance'),
    async ({ page, enter }) => {
      await enter('user', '/user/kis/balance')
      const main = page.getByRole('main')
      await expect(main).toContainText('주문 가능 금액12,345,678원')
      await expect(main).toContainText(/미체결 매수를 뺀 현금\([^)]+\)10,945,678원/)
      const holding = main.getByRole('listitem').filter({ hasText: '000660' })
      await expect(holding).toContainText(/원 · 팔 수 있는 4주 \/ 보유 9주/)
      await expect(holding).toContainText(/[▲▼] [+−]\d+\.\d\d%/)
    },
  )

  test(
    'money: each day with its changes, the last one without',
    covers('money: changes against the next listed entry, signed; the last has none'),
    async ({ page, enter }) => {
      await enter('user', '/user/money?fromDate=20261101&toDate=20261120')
      const days = page
        .getByRole('heading', { level: 2 })
        .filter({ hasText: /^20\d\d-/ })
        .locator('..')
      await expect(days).toHaveCount(20)
      await expect(days.first().locator('[data-tone=up], [data-tone=down]')).not.toHaveCount(0)
      await expect(days.first()).toContainText(/총자산[\d,]+원[▲▼] [+−][\d,]+원/)
      await page.getByText('자산 표로 보기').click()
      await expect(page.getByRole('columnheader')).toHaveText(['날짜', '총자산', '예수금', '주식 매입금액'])
      await expect(page.getByRole('row').nth(1).getByRole('cell')).toHaveText([/^[\d,]+$/, /^[\d,]+$/, /^[\d,]+$/])
      await expect(days.last().locator('[data-tone]')).toHaveCount(0)
    },
  )

  test(
    'gain: days with their stocks, which lead to their trades',
    covers(
      'gain by day with per-stock lines',
      'gain totals; ratio 0 when nothing was bought',
      'a stock leads to its trade screen',
      'gain day entry',
    ),
    async ({ page, enter }) => {
      await enter('user', '/user/gain?fromDate=20261101&toDate=20261120')
      await expect(page.getByRole('main')).toContainText(
        /매입금액[\d,]+원수익률[▲▼] [+−]\d+\.\d\d%손익[▲▼] [+−][\d,]+원/,
      )
      await page
        .getByRole('main')
        .getByRole('link', { name: /삼성전자/ })
        .first()
        .click()
      await expect(page).toHaveURL(/\/user\/stock\/005930\/trade$/)
    },
  )

  test(
    'the socket: times that there are, and each stock since its last price',
    covers(
      'socket: elapsed times, only if present',
      'stocks with the time since their last update, or UNKNOWN',
      'socket info',
      'socket time gap',
    ),
    async ({ page, enter, site }) => {
      site.fixture?.state.connected.add('u1')
      await enter('user', '/user/socket')
      const main = page.getByRole('main')
      await expect(main.getByText('connected at')).toBeVisible()
      await expect(main).toContainText(/connected at1\.4시간/)
      await expect(main.getByText('disconnected at')).toHaveCount(0)
      await expect(main.getByRole('listitem').filter({ hasText: '950170' })).toContainText('UNKNOWN')
      await expect(main.getByRole('listitem').filter({ hasText: '005930' })).toContainText(/\d+\.\d(초|분)/)
    },
  )

  test(
    'all users: e-mail, KEY and SOC blue or gray, and their data',
    covers(
      'admin pages list all users with KEY and SOC',
      'admin list entry: userKey and socket',
      'GET admin user list',
    ),
    async ({ page, enter, site }) => {
      site.fixture?.state.keys.add('u1')
      site.fixture?.state.keys.delete('u2')
      await enter('admin', '/user/admin/kis/balance')
      const user = (email: string) => page.getByRole('region', { name: email })
      for (const email of ['minji', 'junho', 'newbie', 'admin'])
        await expect(user(`${email}@example.com`).getByRole('link', { name: email })).toBeVisible()
      await expect(user('minji@example.com')).toContainText('KEY 켜짐')
      await expect(user('junho@example.com')).toContainText('KEY 꺼짐')
      await expect(user('junho@example.com')).toContainText('SOC 꺼짐')
      await expect(user('minji@example.com')).toContainText('주문 가능 금액')
    },
  )
})
