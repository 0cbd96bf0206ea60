import { demoCredentials } from '@digger/kis-sim'
import { atBothSizes } from './sizes.ts'
import { BROKER_MS, expect, go, settled, take, test } from './test.ts'
import { joinAndAddStocks } from './may-add.ts'

const SIZES = { 'a phone': { width: 390, height: 844 }, 'a wide window': { width: 1440, height: 900 } }

const STOPPED = {
  stop: 'reduce',
  reached: ['삼성전자를 10분에 11번 샀다가 되팔았습니다(한도 10번). 설정을 확인해 주세요.'],
}

/** Every stock of a reply, as a server with SHADOW=1 shows it. */
const shadowed = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'maxBuyPrice' in value ? { ...value, shadow: true } : value

test.describe('made up', { tag: '@fixture' }, () => {
  test('a stock goes into the shadow and back, each after a question that says what it does', async ({
    page,
    enter,
  }) => {
    await enter('user', '/user/shadow')
    await settled(page)
    const list = page.getByRole('region', { name: '종목' })
    const question = page.getByRole('alertdialog')
    const first = list.getByRole('listitem').filter({ hasText: '삼성전자' }).first()
    await atBothSizes(page, () => expect(first).toContainText('연습 보유12주 846,000원'))
    await take(page, ['삼성전자 실제로 거래'])
    await expect(question).toContainText('지금 가격으로 바로 나갈 주문 2건: 매도 12주 71,900원, 매도 8주 73,400원.')
    await expect(question).toContainText('연습으로 산 주식은 실제가 되지 않고')
    const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/shadow'))
    await question.getByRole('button', { name: '실제로 거래' }).click()
    expect((await sent).postDataJSON()).toEqual({ code: '005930', shadow: false })
    await expect(first.getByText('그림자', { exact: true })).toHaveCount(0)
    await take(page, ['모두 그림자로'])
    await expect(question).toContainText('걸려 있는 자동 주문은 취소하고, 직접 낸 주문은 그대로 둡니다.')
    await question.getByRole('button', { name: '그림자로' }).click()
    await expect(list.getByText('그림자', { exact: true })).toHaveCount(await list.getByRole('listitem').count())
  })

  for (const [size, viewport] of Object.entries(SIZES)) {
    test(`a rehearsal that its own limit stopped says so on ${size}, and goes on when asked to`, async ({
      page,
      enter,
    }) => {
      await page.setViewportSize(viewport)
      let stopped: typeof STOPPED | undefined = STOPPED
      await page.route('**/api/user/shadow', async (route) => {
        if (route.request().method() === 'POST') stopped = undefined
        const reply = await route.fetch()
        const { stocks, ...shadow } = await reply.json()
        const [one, ...others] = stocks
        const first = { ...one, rehearsed: { ...one.rehearsed, stopped } }
        await route.fulfill({ response: reply, json: { ...shadow, stocks: [first, ...others] } })
      })
      await enter('user', '/user/shadow')
      await settled(page)
      const first = page
        .getByRole('region', { name: '종목' })
        .getByRole('listitem')
        .filter({ hasText: '삼성전자' })
        .first()
      await expect(first).toContainText('연습 매수가 멈췄습니다.')
      await expect(first).toContainText('10분에 11번 샀다가 되팔았습니다(한도 10번)')
      await expect(first).toContainText('왜 안 샀나 보유 한도가 차서 더 사지 않습니다.')
      await expect(first).toContainText('왜 파나 매수가보다 2% 높은 목표 71,900원에 걸어 둡니다.')
      const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/shadow'))
      await take(page, ['삼성전자 연습 재개'])
      expect((await sent).postDataJSON()).toEqual({ code: '005930', shadow: true })
      await expect(first).not.toContainText('연습 매수가 멈췄습니다.')
      await expect(first).toContainText('연습 보유12주')
    })

    test(`one that could not be opened says so on ${size}`, async ({ page, enter }) => {
      await page.setViewportSize(viewport)
      await page.route('**/api/user/shadow', async (route) => {
        const reply = await route.fetch()
        const { stocks, ...shadow } = await reply.json()
        const closed = stocks.map((stock: object) => ({ ...stock, rehearsed: null }))
        await route.fulfill({ response: reply, json: { ...shadow, failed: true, stocks: closed } })
      })
      await enter('user', '/user/shadow')
      await expect(page.getByText('연습 장부를 열지 못했습니다.')).toBeVisible()
      await expect(page.getByText('저절로 다시 시도합니다.')).toBeVisible()
      await expect(page.getByText('여는 중입니다')).toHaveCount(0)
    })
  }

  test('what going real would send is asked when somebody wants to, and not with each reading', async ({
    page,
    enter,
  }) => {
    const asked: string[] = []
    page.on('request', (one) => {
      if (/\/shadow(?:$|\/\d+\/start$)/.test(one.url()) && one.method() === 'GET')
        asked.push(new URL(one.url()).pathname)
    })
    await enter('user', '/user/shadow')
    await expect.poll(() => asked.length).toBeGreaterThan(1)
    expect(asked.filter((path) => path.endsWith('/start'))).toEqual([])
    await take(page, ['삼성전자 실제로 거래'])
    await atBothSizes(page, () =>
      expect(page.getByRole('alertdialog')).toContainText('지금 가격으로 바로 나갈 주문 2건'),
    )
    expect(asked.filter((path) => path.endsWith('/start'))).toEqual(['/api/user/shadow/005930/start'])
  })

  for (const [size, viewport] of Object.entries(SIZES))
    test(`a server that is one rehearsal says so on ${size}, and no link promises to leave it`, async ({
      page,
      enter,
    }) => {
      await page.setViewportSize(viewport)
      await page.route('**/api/*/user', async (route) => {
        const reply = await route.fetch()
        await route.fulfill({ response: reply, json: { ...(await reply.json()), shadow: true } })
      })
      await page.route(/\/api\/user\/stock(?:\?|\/005930(?:\?|$)|$)/, async (route) => {
        const reply = await route.fetch()
        await route.fulfill({ response: reply, body: JSON.stringify(JSON.parse(await reply.text(), shadowed)) })
      })
      await enter('user', '/user/stock')
      await expect(page.getByText('서버 전체가 그림자(연습)입니다.')).toBeVisible()
      const card = page.getByRole('article', { name: '삼성전자' }).first()
      await expect(card.getByText('그림자', { exact: true })).toBeVisible()
      await go(page, '/user/stock/005930/trade')
      await expect(page.getByText('서버 전체가 그림자(연습)입니다.')).toBeVisible()
      await expect(page.getByRole('link', { name: '‘그림자’에서 보냈을 주문 보기' })).toBeVisible()
      await expect(page.getByText('실제로 거래하기')).toHaveCount(0)
    })

  test('orders that were not sent say so, and what would have become of them', async ({ page, enter }) => {
    await enter('user', '/user/shadow')
    const orders = page.getByRole('region', { name: '보냈을 주문' }).getByRole('listitem')
    await atBothSizes(page, async () => {
      await expect(orders).toHaveCount(2)
      await expect(orders.first()).toContainText('걸려 있었을 주문')
      await expect(orders.last()).toContainText('846,000원에 체결됐을 주문')
      await expect(orders.last()).toContainText('보내지 않음')
    })
  })
})

/** A customer whom the pretend broker gets for this test. */
const CREDENTIALS = demoCredentials(14)
const { appKey, appSecret, accountNumber, htsId } = CREDENTIALS
const PERSON = { email: 'rehearser@example.com', password: 'digger-rehearser' }
const CODE = '017670'

/** Buys one share at once, at whatever price, and sells it 1.2 % above. */
const LADDER = {
  maxBuyPrice: 10_000_000,
  maxBuyAmount: 100_000_000,
  buyUnitPrice: 1,
  lastBuyPrice: null,
  recoverLastBuyPrice: true,
  autoBuy: false,
  buyPercent: -1,
  autoSell: true,
  sellPercent: 1.2,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
}

test(
  'in the shadow nothing reaches the exchange and all is shown; for real the order goes out',
  { tag: '@own' },
  async ({ page, site: { market } }) => {
    test.setTimeout(6 * BROKER_MS)
    const orders = async (): Promise<unknown[]> => {
      const reply = await fetch(`${market}/orders?account=${accountNumber}`)
      const list: unknown = await reply.json()
      return Array.isArray(list) ? list : []
    }
    const save = async (change: object) => {
      const reply = await page.request.post(`/api/user/stock/${CODE}`, { data: { ...LADDER, ...change } })
      expect(reply.ok(), await reply.text()).toBe(true)
    }
    if (market !== null) {
      const opened = await fetch(`${market}/accounts`, {
        method: 'POST',
        body: JSON.stringify({ credentials: CREDENTIALS }),
      })
      expect(opened.ok, await opened.text()).toBe(true)
    }
    await joinAndAddStocks(page.request, PERSON, { appKey, appSecret, accountNumber, htsId })
    await save({})

    await test.step('the stock goes into the shadow', async () => {
      await page.goto('/user/shadow')
      await take(page, ['SK텔레콤 그림자로'])
      await page.getByRole('alertdialog').getByRole('button', { name: '그림자로' }).click()
      await expect(page.getByRole('button', { name: 'SK텔레콤 실제로 거래' })).toBeVisible()
    })
    await test.step('its order is shown, and the exchange has none', async () => {
      await save({ autoBuy: true })
      const rehearsed = page.getByRole('region', { name: '보냈을 주문' }).getByRole('listitem')
      await expect(rehearsed.filter({ hasText: 'BUY' }).first()).toBeVisible({ timeout: 2 * BROKER_MS })
      await expect(rehearsed.filter({ hasText: '체결됐을 주문' }).first()).toBeVisible({ timeout: 2 * BROKER_MS })
      if (market !== null) expect(await orders()).toEqual([])
    })
    await test.step('cards, the trade page and the real lists say so', async () => {
      await go(page, `/user/stock/${CODE}/trade`)
      await expect(page.getByText('그림자(연습) 종목입니다')).toBeVisible()
      await go(page, '/user/kis/order')
      await expect(page.getByText('기다리는 주문이 없습니다')).toBeVisible()
      await page.getByRole('link', { name: '그림자 종목 1개의 ‘보냈을 주문’ 보기' }).click()
      await expect(page.getByText('그림자란')).toBeVisible()
    })
    await test.step('for real, what the question named goes out', async () => {
      await take(page, ['SK텔레콤 실제로 거래'])
      const question = page.getByRole('alertdialog')
      await expect(question).toContainText('바로 나갈 주문 1건: 매수 1주')
      await question.getByRole('button', { name: '실제로 거래' }).click()
      if (market !== null)
        await expect.poll(async () => (await orders()).length, { timeout: BROKER_MS }).toBeGreaterThan(0)
      await expect(page.getByRole('button', { name: 'SK텔레콤 그림자로' })).toBeVisible()
    })
  },
)
