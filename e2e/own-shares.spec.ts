import type { Page } from '@playwright/test'
import { demoCredentials } from '@digger/kis-sim'
import { stockOf } from './fixture/people.ts'
import { BROKER_MS, expect, go, settled, take, test } from './test.ts'
import { joinAndAddStocks } from './may-add.ts'

const trades = (page: Page) => page.getByRole('region', { name: '매매 목록' }).getByRole('article')
const KEPT = '직접 관리하는 주식'

test.describe('made up', { tag: '@fixture' }, () => {
  test('shares that stay one’s own are saved apart from the settings, and shown beside the holding', async ({
    page,
    enter,
    site,
  }) => {
    const [state, before] = [site.fixture?.state, stockOf('u1', 2)]
    await enter('user', '/user/stock/035720/settings')
    await settled(page)
    const field = page.getByLabel(KEPT, { exact: true })
    await expect(field).toHaveValue('0')
    await take(page, [[KEPT, '열'], '수량 정하기'])
    await expect(page.getByText('0 이상의 정수로 넣어 주세요.')).toBeVisible()
    // Some are kept elsewhere meanwhile.
    await expect(async () => {
      state?.put('u1', { ...before, kept: 7 })
      await go(page, '/user/stock/035720/trade')
      await expect(page.getByRole('article', { name: '카카오' })).toContainText('직접 관리7주', { timeout: 500 })
    }).toPass()
    await go(page, '/user/stock/035720/settings')
    await expect(field).toHaveValue('7')
    const sent = page.waitForRequest((one) => one.method() === 'PUT' && one.url().endsWith('/stock/035720/kept'))
    await take(page, [[KEPT, '1,000'], '수량 정하기'])
    expect((await sent).postDataJSON()).toEqual({ count: '1,000' })
    await expect(page.getByRole('alertdialog')).toContainText('done')
    await take(page, ['확인'])
    await expect(field).toHaveValue('1,000')
    await go(page, '/user/stock/035720/trade')
    await expect(page.getByRole('article', { name: '카카오' })).toContainText('직접 관리1,000주')
    await expect(page.getByRole('article', { name: '카카오' })).toContainText('받을 주식12주')
    state?.put('u1', before)
  })

  test('who lets go of shares taken over learns how many are sold at once', async ({ page, enter, site }) => {
    const [state, before] = [site.fixture?.state, stockOf('u1', 2)]
    // Of three trades of six shares the last was brought by a correction; its target is 43,169.
    state?.put('u1', { ...before, kept: 3, price: 45_000 })
    await enter('user', '/user/stock/035720/trade')
    const taken = trades(page).filter({ hasText: '자동 매도 제외' })
    await expect(taken).toHaveCount(1)
    await expect(page.getByText('잔고를 맞추며 장부에 들어온 매매가 1건(6주) 있습니다.')).toBeVisible()
    const question = page.getByRole('alertdialog')
    await take(page, ['모두 자동 매도에 넣기'])
    await expect(question).toContainText('6주는 목표가가 지금 가격 45,000원보다 높지 않아 바로 팔립니다.')
    await take(page, ['취소'])
    await expect(taken).toHaveCount(1)
    state?.put('u1', { ...before, kept: 3, price: 41_850 })
    await take(page, ['자동 매도에 넣기'])
    await expect(question).toContainText('1건(6주)을 자동 매도에 넣을까요?')
    await expect(question).toContainText('목표가가 지금 가격 41,850원보다 높아, 목표가에 매도 주문을 걸어 둡니다.')
    const sent = page.waitForRequest(/\/stock\/035720\/release$/)
    await take(page, ['넣기'])
    expect((await sent).postDataJSON()).toEqual({ tradeIds: [28] })
    await expect(question).toContainText('done')
    await take(page, ['확인'])
    // The event brings it.
    await expect(taken).toHaveCount(0)
    state?.released.clear()
    state?.put('u1', before)
  })
})

/** Credentials that the pretend broker knows and no other test uses. */
const { appKey, appSecret, accountNumber, htsId } = demoCredentials(7)
const PERSON = { email: 'holder@example.com', password: 'digger-holder' }
const CODE = '017670'

/** Buys nothing; sells what it may 1.2 % above its price. */
const SELLS_ONLY = {
  maxBuyPrice: null,
  maxBuyAmount: null,
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

/** Asks the pretend market. */
async function ask<T>(url: string, body?: object): Promise<T> {
  const reply = await fetch(url, body && { method: 'POST', body: JSON.stringify(body) })
  const text = await reply.text()
  if (!reply.ok) throw new Error(text)
  return JSON.parse(text === '' ? 'null' : text)
}

test(
  'shares from before stay with their owner; the rest is sold only once they agree',
  { tag: '@own' },
  async ({ page, request, site: { market, admin } }) => {
    test.setTimeout(6 * BROKER_MS)
    const put = async (path: string, data: object) => {
      const reply = await page.request.post(path, { data })
      expect(reply.ok(), `${path}: ${await reply.text()}`).toBe(true)
      return reply
    }
    if (market !== null) {
      // Ten shares bought elsewhere at a tenth below the market: their target is below it, too.
      const { price } = await ask<{ price: number }>(`${market}/price?code=${CODE}`)
      const averagePrice = Math.round(price * 0.9)
      await ask(`${market}/holdings`, { account: accountNumber, code: CODE, count: 10, averagePrice })
    }
    const userId = await joinAndAddStocks(page.request, PERSON, { appKey, appSecret, accountNumber, htsId })
    await put(`/api/user/stock/${CODE}`, SELLS_ONLY)

    await test.step('four of them are kept', async () => {
      await page.goto(`/user/stock/${CODE}/settings`)
      await settled(page)
      await take(page, [[KEPT, '4'], '수량 정하기'])
      await expect(page.getByRole('alertdialog')).toContainText('done')
      await take(page, ['확인'])
      await go(page, `/user/stock/${CODE}/trade`)
      await expect(page.getByRole('article').first()).toContainText('직접 관리4주')
      await go(page, '/user/audit')
      await expect(page.getByText(`${CODE} SK텔레콤 · 0주→4주`)).toBeVisible()
    })
    if (market === null) return
    await test.step('an administrator corrects the balance: the other six are in the book, and are not sold', async () => {
      await request.post('/api/login', { data: { ...admin, forceKisLogin: false } })
      const fix = async () => (await request.post(`/api/${userId}/stock/${CODE}/fix-balance`)).text()
      // What was seen once is looked at again, seconds later.
      await expect.poll(fix, { timeout: 4 * BROKER_MS, intervals: [5_000] }).toBe('{}')
      await go(page, `/user/stock/${CODE}/trade`)
      await expect(trades(page)).toHaveCount(1)
      await expect(trades(page)).toContainText('6주 ×')
      await expect(trades(page)).toContainText('자동 매도 제외')
      await expect(page.getByRole('region', { name: '판단 이유' })).toContainText('자동 매도에 넣으면 팝니다')
      expect(await (await page.request.get('/api/user/kis/order')).json()).toEqual([])
    })
    await test.step('released, they are sold; those kept stay', async () => {
      await take(page, ['자동 매도에 넣기'])
      await expect(page.getByRole('alertdialog')).toContainText('6주는 목표가가')
      await expect(page.getByRole('alertdialog')).toContainText('바로 팔립니다')
      await take(page, ['넣기'])
      await expect(page.getByRole('alertdialog')).toContainText('done')
      await take(page, ['확인'])
      await expect(page.getByText('보유 중인 매매가 없습니다')).toBeVisible({ timeout: 2 * BROKER_MS })
      const held = await ask<object[]>(`${market}/holdings?account=${accountNumber}`)
      expect(held).toMatchObject([{ code: CODE, count: 4 }])
    })
  },
)
