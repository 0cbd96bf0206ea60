import type { Page } from '@playwright/test'
import { addDays, kstDay } from '@digger/core'
import { demoCredentials } from '@digger/kis-sim'
import { covers, BROKER_MS, expect, go, orders, SELL, take, test, type Step, STOP } from './test.ts'

/** What people do, done to the end: the order reaches the pretend broker, and the screen shows what came of it. */

/** A stock nobody of the demonstration has, cheap enough to buy many. */
const CODE = '017670'
const NAME = 'SK텔레콤'

/** What the server says when something else must end first: a person would try again. */
const TRY_AGAIN = /다시 해 주세요|체결이 이어지는 중|곧 다시 취소합니다/

/** Follows the steps and reads what the alert says. */
async function attempt(page: Page, steps: readonly Step[]): Promise<string> {
  const alert = page.getByRole('alertdialog')
  await take(page, steps)
  await expect(alert).toBeVisible({ timeout: BROKER_MS })
  const message = await alert.innerText()
  await take(page, ['확인'])
  await expect(alert).toHaveCount(0)
  return message
}

/** Follows the steps, and again while the server asks to wait: only asking shows when it is over. Then the alert says `says`. */
async function runAction(page: Page, steps: readonly Step[], says: string | RegExp): Promise<void> {
  let message = ''
  const tried = async () => (message = await attempt(page, steps))
  await expect.poll(tried, { timeout: 4 * BROKER_MS }).not.toMatch(TRY_AGAIN)
  expect(message).toMatch(says)
}

const trades = (page: Page) => page.getByRole('region', { name: '매매 목록' }).getByRole('article')
/** Those that were bought to the end, so that they can be sold. */
const bought = (page: Page) => trades(page).filter({ hasNotText: '매수 중' })
const TRADE = `/user/stock/${CODE}/trade`
const LIST = '/user/stock?showOnlyWatch=false'
const ORDERS = `/user/kis/order?code=${CODE}`
const MENU = /메뉴$/

test(
  'an administrator adds a stock, buys, sells in every way, and deletes it',
  covers(
    'admin only: add stock prompts for a code and goes to its trade screen',
    'admin: orders, executed, cancel, sell, at price, at market, delete, modify',
    'admin-only items: check, fix, apply, simulated price on and off, market buy',
    'a trade’s menu: sell, current price, market price',
    'admin only: import, import from last; need code',
    'open orders: counts, a line filters by type',
    'DELETE stock',
    'POST sell',
    'POST sell/price',
    'POST sell/market-price',
    'POST balance/cancel?code',
    'POST balance/cancel',
    'POST trade sell',
    'POST trade sell/current-price',
    'POST trade sell/market-price',
    'POST check-balance',
    'POST fix-balance, alert clear',
    'POST order/apply, alert done',
    'POST order/buy {amount} as typed, alert done',
  ),
  async ({ page, enter, site }) => {
    test.setTimeout(6 * BROKER_MS)
    const buy = () => runAction(page, [MENU, '시장가 매수', ['금액', '100'], /에 매수/], 'done')
    const card = page.getByRole('article', { name: NAME })
    /** A cancel is over when the broker says so. */
    const noOrders = async () => {
      await go(page, ORDERS)
      await expect(page.getByText('기다리는 주문이 없습니다')).toBeVisible({ timeout: BROKER_MS })
    }
    await enter('admin', '/user/stock')

    await test.step('adds a stock by its code', async () => {
      await take(page, ['지켜보는 종목 메뉴', '종목 추가', ['종목코드 6자리', CODE], '확인'])
      await expect(page).toHaveURL(new RegExp(`${TRADE}$`))
      await take(page, ['종목 추가', '저장'])
      await expect(card.getByTitle('자동 매수')).toHaveAttribute('data-on', 'false')
    })
    await test.step('buys at market, and sells the trade at target', async () => {
      await buy()
      await expect(bought(page)).toHaveCount(1, { timeout: BROKER_MS })
      await runAction(page, ['매도', '매도'], 'done')
      await expect(trades(page)).toContainText('매도 주문 중')
    })
    await test.step('cancels it by the list of orders', async () => {
      await go(page, ORDERS)
      await expect(orders(page)).toHaveCount(1, { timeout: BROKER_MS })
      await take(page, [new RegExp(`^${NAME}`), '취소'])
      await noOrders()
    })
    await test.step('sells at target by the card, and cancels by the card', async () => {
      await go(page, LIST)
      await runAction(page, [NAME, '매도'], 'done')
      await runAction(page, [NAME, '주문 취소'], 'done')
      await noOrders()
      await go(page, LIST)
    })
    await test.step('sells at a price in three parts, and cancels all of the stock', async () => {
      const price = Number(/× ([\d,]+)원/.exec((await card.textContent()) ?? '')?.[1]?.replaceAll(',', ''))
      const high = String(Math.round(price * 1.1))
      await runAction(page, [NAME, '지정가 매도', ['매도가', high], ['나눌 개수', '3'], SELL], 'done')
      await go(page, ORDERS)
      await expect(orders(page)).toHaveCount(3, { timeout: BROKER_MS })
      await take(page, [MENU, 'CANCEL ALL', '모두 취소'])
      await noOrders()
    })
    await test.step('sells one trade at market, the rest at market by the card', async () => {
      await go(page, TRADE)
      // What was offered in three parts is three trades now.
      await expect(bought(page)).toHaveCount(3)
      await runAction(page, ['매도', '매도 (시장가)', SELL], 'done')
      await expect(trades(page)).toHaveCount(2, { timeout: BROKER_MS })
      await go(page, LIST)
      await runAction(page, [NAME, '시장가 매도', SELL], 'done')
      await go(page, TRADE)
      await expect(page.getByText('보유 중인 매매가 없습니다')).toBeVisible({ timeout: BROKER_MS })
      await take(page, [MENU, '지난 매매 포함해서 보기'])
      await expect(trades(page).filter({ hasText: '매도 완료' })).toHaveCount(3)
      await take(page, [MENU, '지난 매매 빼고 보기'])
      await expect(page).not.toHaveURL(/withOldTrade=true/)
    })
    await test.step('imports what was executed, once', async () => {
      // The range begins yesterday: the first of them may have been before midnight.
      const today = kstDay(Date.now())
      await go(page, `/user/kis/ordered?code=${CODE}&fromDate=${addDays(today, -1)}&toDate=${today}&merged=false`)
      await expect(page.getByRole('main')).toContainText(/BUY\d+주/)
      await expect(orders(page)).toHaveCount(3)
      const daysOf = (await orders(page).allTextContents()).map((text) => /\d\d-\d\d-\d\d/.exec(text)?.[0] ?? 'no day')
      const onTheLast = daysOf.filter((day) => day === daysOf.toSorted().at(-1)).length
      await runAction(page, [MENU, '가져오기'], /\b3건을 가져왔고, 이미 있던 0건은/)
      // It asks from the day of the last one on: all three, unless midnight came in between.
      await runAction(
        page,
        [MENU, '마지막 주문부터 가져오기'],
        new RegExp(`\\b0건을 가져왔고, 이미 있던 ${onTheLast}건은`),
      )
    })
    await test.step('sells at the current price', async () => {
      await go(page, TRADE)
      await buy()
      await expect(bought(page)).toHaveCount(1, { timeout: BROKER_MS })
      await runAction(page, ['매도', '매도 (현재가)', SELL], 'done')
    })
    await test.step('applies the settings, and mends what was traded elsewhere', async () => {
      await go(page, TRADE)
      await runAction(page, [MENU, '주문 적용'], 'done')
      if (site.market === null) return
      // Shares are compared between two equal lists of orders: nothing may move meanwhile.
      await take(page, [STOP, '이 계좌 · 모두 멈춤'])
      await go(page, '/user/kis/order')
      await take(page, [MENU, 'CANCEL ALL', '모두 취소'])
      await expect(page.getByText('기다리는 주문이 없습니다')).toBeVisible({ timeout: BROKER_MS })
      await go(page, TRADE)
      await tradeElsewhere(site.market)
      const busy = page.getByRole('alertdialog')
      await expect(async () => {
        if (await busy.isVisible()) await take(page, ['확인'])
        await take(page, [MENU, '잔고 확인'])
        await expect(page.getByText('잔고 확인 중입니다.')).toHaveCount(0, { timeout: BROKER_MS })
        await expect(page.getByText(/장부 \d+주, 증권사 \d+주로 서로 달라/).first()).toBeVisible({ timeout: 1_000 })
        await expect(busy).toHaveCount(0)
      }).toPass()
      await runAction(page, [MENU, '잔고 맞춤'], 'clear')
      const two = trades(page).filter({ has: page.getByText(/^2주 ×/) })
      await expect(two).toHaveCount(1, { timeout: BROKER_MS })
      await take(page, [STOP, '이 계좌 · 매매 중', '다시 시작'])
      await expect(page.getByText('이 계좌 모두 멈춤.')).toHaveCount(0)
    })
    await test.step('deletes it, once nothing is left', async () => {
      await go(page, LIST)
      await runAction(page, [NAME, '삭제', '삭제'], '먼저 팔아 주세요')
      await runAction(page, [NAME, '주문 취소'], 'done')
      await noOrders()
      await go(page, LIST)
      await runAction(page, [NAME, '시장가 매도', SELL], 'done')
      const notHeld = page.getByRole('region', { name: '들고 있지 않은 종목' })
      await expect(notHeld.getByRole('article', { name: NAME })).toBeVisible({ timeout: BROKER_MS })
      await runAction(page, [NAME, '삭제', '삭제'], 'done')
      await expect(card).toHaveCount(0)
    })
  },
)

/** The administrator's customer buys two shares by another program. */
async function tradeElsewhere(market: string): Promise<void> {
  const { accountNumber: account } = demoCredentials(0)
  const quote: { price: number } = JSON.parse(await (await fetch(`${market}/price?code=${CODE}`)).text())
  const body = JSON.stringify({ account, code: CODE, side: 'buy', count: 2, ...quote })
  const reply = await fetch(`${market}/outside`, { method: 'POST', body })
  if (!reply.ok) throw new Error(await reply.text())
}

test(
  'every bulk action is done for all users, with a result for each',
  {
    tag: '@everybody',
    ...covers(
      'admin user menu: check, fix, cancel, sell, keys, login, add stock',
      'POST and DELETE admin socket',
      'POST userKey',
      'DELETE userKey',
      'POST admin login',
      'POST admin order/cancel',
      'POST admin order/sell',
      'POST admin balance/check, fix',
    ),
  },
  async ({ page, enter, site }) => {
    test.setTimeout(6 * BROKER_MS)
    await enter('admin', '/user/admin/user')
    await expect(page.getByRole('link', { name: site.user.email })).toBeVisible()
    const of = (name: string) => page.getByRole('region', { name }).or(page.getByRole('row', { name }))
    const all = async (steps: readonly Step[], name: string, expected = '완료') => {
      await test.step(name, async () => {
        const user = of(name).getByRole('listitem').filter({ hasText: site.user.email })
        await expect(async () => {
          await runAction(page, ['사용자 메뉴', ...steps], 'clear')
          const message = await user.innerText()
          await of(name).getByRole('button', { name: '결과 닫기' }).click()
          expect(message).not.toMatch(TRY_AGAIN)
          expect(message).toContain(expected)
        }).toPass({ intervals: [3_000] })
      })
    }
    const password: Step = ['관리자 비밀번호', site.admin.password]
    await all(['주문 모두 취소', '실행'], '주문 취소', '취소했습니다.')
    await all(['매도 모두 걸기', '실행'], '매도 걸기', '종목을 목표가에 걸었습니다.')
    await test.step('the sales that the result names are open orders', async () => {
      await go(page, '/user/admin/kis/order')
      await expect(of(site.user.email).getByText('SELL').first()).toBeVisible({ timeout: BROKER_MS })
      await go(page, '/user/admin/user')
    })
    // Shares are mended while nothing moves.
    await take(page, [STOP, '서버 전체 · 모두 멈춤'])
    await expect(page.getByText('서버 전체 모두 멈춤.')).toBeVisible()
    await all(['잔고 확인'], '잔고 확인', '장부와 증권사가 같습니다.')
    await all(['잔고 맞춤', '실행'], '잔고 맞춤', '0건을 맞췄습니다.')
    await take(page, [STOP, '서버 전체 · 매매 중', '다시 시작'])
    await expect(page.getByText('서버 전체 모두 멈춤.')).toHaveCount(0)
    await all(['소켓 모두 끊기', '모두 끊기'], '소켓 끊기')
    await expect(of(site.user.email)).toContainText('SOC 꺼짐')
    await all(['소켓 모두 연결'], '소켓 연결')
    await expect(of(site.user.email)).toContainText('SOC 켜짐')
    await all(['로그인'], '증권사 로그인', '연결했습니다.')
    await all(['종목 추가', ['종목코드 6자리', CODE], '확인', '저장'], `${CODE} 추가`)
    // Nothing happens without a key; made anew, everything is there again.
    await test.step('keys', async () => {
      const user = of(site.user.email)
      await take(page, [`${site.user.email} 메뉴`, '키 삭제', '키 삭제'])
      await expect(user).toContainText('KEY 꺼짐')
      await expect(user).toContainText('SOC 꺼짐')
      await take(page, [`${site.user.email} 메뉴`, '키 만들기', ['관리자 비밀번호', 'wrong'], '확인'])
      await expect(page.getByRole('alertdialog')).toContainText('비밀번호가 맞지 않습니다')
      await take(page, ['확인', `${site.user.email} 메뉴`, '키 만들기', password, '확인'])
      await expect(user).toContainText('KEY 켜짐', { timeout: BROKER_MS })
      await expect(user).toContainText('SOC 켜짐', { timeout: BROKER_MS })
    })
    await all(['키 만들기', password, '확인'], '키 만들기')
    await test.step('one user’s socket', async () => {
      await take(page, [`${site.user.email} 메뉴`, '소켓 끊기', '소켓 끊기'])
      await expect(of(site.user.email)).toContainText('SOC 꺼짐')
      await take(page, [`${site.user.email} 메뉴`, '소켓 연결'])
      await expect(of(site.user.email)).toContainText('SOC 켜짐')
    })
  },
)
