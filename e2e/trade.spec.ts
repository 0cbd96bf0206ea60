import { covers, BROKER_MS, expect, settled, test } from './test.ts'

test(
  'a trade can be sold at target, now, or at market; the last two are asked for',
  covers(
    'a trade’s menu: sell, current price, market price',
    'confirmations: delete, sell all at a price, at market, one trade at current or market price',
  ),
  async ({ page, enter }) => {
    // This stock is far below its targets, so that nothing else sells it meanwhile; what is still being bought cannot be sold yet.
    await enter('user', '/user/stock/247540/trade')
    const trades = page.getByRole('region', { name: '매매 목록' }).getByRole('article')
    const trade = trades.filter({ hasNotText: '매수 중' }).last()
    await trade.getByRole('button', { name: '매도' }).click()
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByRole('listitem')).toHaveText([
      /^매도목표가 [\d,]+원에 걸기$/,
      '매도 (현재가)',
      '매도 (시장가)',
    ])
    await sheet.getByRole('button', { name: '매도 (시장가)' }).click()
    await expect(sheet.getByRole('heading')).toContainText('매도 (시장가)')
    await expect(sheet.getByRole('button', { name: /^[\d,]+주 시장가에 매도 · 지금 [\d,]+원$/ })).toBeEnabled()
    await sheet.getByRole('button', { name: '닫기', exact: true }).click()
    await trade.getByRole('button', { name: '매도' }).click()
    await sheet.getByRole('button', { name: '매도', exact: true }).click()
    await expect(page.getByRole('alertdialog')).toContainText('done')
  },
)

test(
  'a user’s menu has the two toggles, the trades as a file and nothing else',
  covers('trade menu for everyone: saved gain, past trades'),
  async ({ page, enter }) => {
    await enter('user', '/user/stock/005930/trade')
    await settled(page)
    await page.getByRole('button', { name: /메뉴$/ }).last().click()
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByRole('listitem')).toHaveText([
      '누적 손익 빼고 보기',
      '지난 매매 포함해서 보기',
      '매매 내보내기(CSV)',
    ])
    await sheet.getByRole('button', { name: '지난 매매 포함해서 보기' }).click()
    await expect(page).toHaveURL(/withOldTrade=true/)
  },
)

test(
  'past trades have a sell line, their gain, and what was left after costs',
  covers(
    'trade row: B line, S line if sold, gain and ratio',
    'a trade is open until sold',
    'buy tax 0.015, sell tax 0.215',
  ),
  async ({ page, enter }) => {
    await enter('user', '/user/stock/005930/trade?withOldTrade=true')
    const sold = page.getByRole('article').filter({ hasText: '매도 완료' }).first()
    await expect(sold).toContainText(/B\s*\d\d-\d\d-\d\d \d\d:\d\d:\d\d/)
    await expect(sold).toContainText(/S\s*\d\d-\d\d-\d\d \d\d:\d\d:\d\d/)
    await expect(sold).toContainText('비용 뺀 손익')
  },
)

test('the chart shows its numbers as tables too, by day and by minute', async ({ page, enter }) => {
  await enter('user', '/user/stock/005930/trade')
  await expect(page.getByText('기준 가격 표로 보기')).toBeVisible()
  await page.getByText('기준 가격 표로 보기').click()
  await expect(page.getByRole('rowheader', { name: '최고 매수가' })).toBeVisible()
  await page.getByRole('button', { name: '분봉' }).click()
  await expect(page).toHaveURL(/chart=minute/)
  await expect(page.getByRole('button', { name: '분봉' })).toHaveAttribute('aria-pressed', 'true')
})

test.describe('an administrator', () => {
  test(
    'finds six things more, and a simulated price changes only what is shown',
    covers(
      'admin-only items: check, fix, apply, simulated price on and off, market buy',
      'views switch by query parameters',
    ),
    async ({ page, enter }) => {
      await enter('admin', '/user/stock/005930/trade')
      await settled(page)
      const menu = page.getByRole('button', { name: /메뉴$/ }).last()
      await menu.click()
      const sheet = page.getByRole('dialog')
      await expect(sheet.getByRole('listitem')).toHaveText([
        '누적 손익 빼고 보기',
        '지난 매매 포함해서 보기',
        '매매 내보내기(CSV)',
        '잔고 확인',
        '잔고 맞춤',
        '주문 적용',
        '가상 가격 정하기',
        '가상 가격 끄기',
        '시장가 매수',
      ])
      await sheet.getByRole('button', { name: '가상 가격 정하기' }).click()
      await page.getByLabel('가격', { exact: true }).fill('12,300')
      await page.getByRole('button', { name: '확인' }).click()
      await expect(page).toHaveURL(/simulPrice=12300/)
      await expect(page.getByText('실제 가격이 아닙니다')).toBeVisible()
      await expect(page.getByRole('article').first()).toContainText('12,300원')
      await menu.click()
      await sheet.getByRole('button', { name: '가상 가격 끄기' }).click()
      await expect(page).not.toHaveURL(/simulPrice/)
    },
  )

  test(
    'compares book and broker, and sees the time',
    covers('trade: summary, balance check with time, trade boxes'),
    async ({ page, enter }) => {
      test.setTimeout(4 * BROKER_MS)
      await enter('admin', '/user/stock/005930/trade')
      await settled(page)
      const line = page.getByText(/^잔고 확인 \d\d-\d\d-\d\d \d\d:\d\d:\d\d/)
      const before = (await line.count()) === 0 ? '' : await line.innerText()
      const busy = page.getByRole('alertdialog').filter({ hasText: '체결이 이어지는 중' })
      const running = page.getByText('잔고 확인 중입니다.')
      await expect(async () => {
        if (await busy.isVisible()) await page.getByRole('button', { name: '확인', exact: true }).click()
        await page.getByRole('button', { name: /메뉴$/ }).last().click()
        await page.getByRole('button', { name: '잔고 확인' }).click()
        await expect(running).toBeVisible()
        await expect(running).toHaveCount(0, { timeout: BROKER_MS })
        await expect(line).not.toHaveText(before)
      }).toPass()
    },
  )

  test(
    'adds a stock while everything else moves: what is typed stays',
    { tag: '@fixture' },
    async ({ page, enter, site }) => {
      await enter('admin', '/user/stock/999990/trade')
      await page.getByRole('button', { name: '종목 추가' }).click()
      const amount = page.getByRole('dialog').getByLabel('최대 매수 금액')
      await amount.fill('12,340,000')
      // A stop of the account has the stock asked for again, and again there is none.
      await expect(async () => {
        const again = page.waitForResponse(/\/stock\/999990\?/, { timeout: 1_000 })
        site.fixture?.state.publish('a1', {
          kind: 'stop',
          stops: { server: 'active', serverReason: null, user: 'active', stocks: [], reached: [], otherServer: null },
        })
        await again
      }).toPass()
      await expect(page.locator('[aria-label="불러오는 중"]')).toHaveCount(0)
      await expect(amount).toHaveValue('12,340,000')
    },
  )

  test(
    'sees what book and broker differ in',
    { tag: '@fixture', ...covers('trade: summary, balance check with time, trade boxes') },
    async ({ page, enter }) => {
      await enter('admin', '/user/stock/005930/trade')
      await settled(page)
      await page.getByRole('button', { name: /메뉴$/ }).last().click()
      await page.getByRole('button', { name: '잔고 확인' }).click()
      await expect(page.getByText('2주가 모자랍니다')).toBeVisible()
    },
  )

  test(
    'buys at market for an amount in units of 10,000 won, after what it may cost was shown',
    covers('market buy in units of 10,000 KRW'),
    async ({ page, enter }) => {
      await enter('admin', '/user/stock/005930/trade')
      await settled(page)
      await page.getByRole('button', { name: /메뉴$/ }).last().click()
      await page.getByRole('button', { name: '시장가 매수' }).click()
      const sheet = page.getByRole('dialog', { name: '삼성전자 시장가 매수' })
      await sheet.getByLabel('금액').fill('100')
      await expect(sheet).toContainText('1,000,000원어치를 삽니다.')
      const buy = sheet.getByRole('button', { name: /^\d+주 .*에 매수/ })
      // The market may have made an automatic buy just now, which is taken back after half a minute.
      await expect(buy).toBeEnabled({ timeout: 90_000 })
      const sent = page.waitForRequest(/order\/buy$/)
      await buy.click()
      // The price that was read is sent along; the market may have moved since it was on the sheet.
      const seen = { price: expect.any(Number), worst: expect.any(Number) }
      expect((await sent).postDataJSON()).toEqual({ amount: '100', seen })
    },
  )
})
