import type { Page } from '@playwright/test'
import { kstDay, monthRange } from '@digger/core'
import { ADMIN_SEGMENT } from '@digger/contract/paths'
import { NOW } from './fixture/people.ts'
import { covers, expect, go, SELL, settled, take, test, type Sentences, type Step } from './test.ts'

interface Press {
  who: 'user' | 'admin'
  path: string
  steps: readonly Step[]
  sends: string
  spec: Sentences
  /** A second request that follows by itself. */
  follows?: string
  body?: unknown
  /** What the alert says afterwards. */
  says?: 'done' | 'clear'
}

const admin = `/api/admin/${ADMIN_SEGMENT}`
const trade = '/user/stock/005930/trade'
const cards = '/user/stock?showOnlyWatch=false'
const users = '/user/admin/user'
const days = 'fromDate=20261101&toDate=20261120'
const ordered = `/user/kis/ordered?${days}&code=005930`
const key = { email: 'admin@example.com', password: 'secret', forceKisLogin: false }
const by =
  (who: Press['who'], path: string) =>
  (
    steps: readonly Step[],
    sends: string,
    spec: Sentences,
    rest: Pick<Press, 'body' | 'says' | 'follows'> = {},
  ): Press => ({
    who,
    path,
    steps,
    sends,
    spec,
    ...rest,
  })

const onTrade = by('user', trade)
const onAdminTrade = by('admin', trade)
const onCard = by('admin', cards)
const onUsers = by('admin', users)
const done = { says: 'done' } as const
const clear = { says: 'clear' } as const
const SOCKET: Sentences = ['POST and DELETE admin socket']

/** Every press that changes something, and the one request it sends. */
const PRESSES: readonly Press[] = [
  onTrade(['매도', '매도'], 'POST /api/user/stock/005930/trade/28/sell', ['POST trade sell'], done),
  onTrade(
    ['매도', '매도 (현재가)', SELL],
    'POST /api/user/stock/005930/trade/28/sell/current-price?seenPrice=71200',
    ['POST trade sell/current-price'],
    done,
  ),
  onTrade(
    ['매도', '매도 (시장가)', SELL],
    'POST /api/user/stock/005930/trade/28/sell/market-price?seenPrice=71200',
    ['POST trade sell/market-price'],
    done,
  ),
  by('user', '/user/kis/order?code=035720')(
    [/카카오/, '취소'],
    'POST /api/user/balance/cancel/91002',
    ['POST balance/cancel/{orderId}'],
    {
      body: expect.objectContaining({ orderId: '91002', code: '035720', orderType: 'SELL' }),
    },
  ),
  by('user', '/user/socket')(['끊기', '끊기'], 'DELETE /api/user/socket', ['DELETE socket']),
  by('user', '/user/password')(
    [['지금 비밀번호', 'old'], ['새 비밀번호', 'new word'], ['새 비밀번호 확인', 'new word'], 'UPDATE'],
    'PUT /api/user/user',
    ['password change payload', 'PUT /user'],
    { body: { oldPassword: 'old', newPassword: 'new word' }, follows: 'DELETE /api/login' },
  ),
  onCard(['삼성전자', '주문 취소'], 'POST /api/a1/balance/cancel?code=005930', ['POST balance/cancel?code'], done),
  onCard(
    ['삼성전자', '매도'],
    'POST /api/a1/stock/005930/sell',
    ['POST sell', 'success: done, clear, or a page read anew'],
    done,
  ),
  onCard(
    ['삼성전자', '지정가 매도', ['매도가', '70,000'], ['나눌 개수', '3'], SELL],
    'POST /api/a1/stock/005930/sell/price?sellPrice=70000&sellCount=3',
    ['POST sell/price'],
    done,
  ),
  onCard(
    ['삼성전자', '시장가 매도', SELL],
    'POST /api/a1/stock/005930/sell/market-price?seenPrice=71200',
    ['POST sell/market-price'],
    done,
  ),
  onCard(['삼성전자', '삭제', '삭제'], 'DELETE /api/a1/stock/005930', ['DELETE stock'], done),
  onAdminTrade([/메뉴$/, '잔고 확인'], 'POST /api/user/stock/005930/check-balance', ['POST check-balance']),
  onAdminTrade(
    [/메뉴$/, '잔고 맞춤'],
    'POST /api/user/stock/005930/fix-balance',
    ['POST fix-balance, alert clear'],
    clear,
  ),
  onAdminTrade(
    [/메뉴$/, '주문 적용'],
    'POST /api/user/stock/005930/order/apply',
    ['POST order/apply, alert done'],
    done,
  ),
  onAdminTrade(
    [/메뉴$/, '시장가 매수', ['금액', '30'], /에 매수/],
    'POST /api/user/stock/005930/order/buy',
    ['POST order/buy {amount} as typed, alert done'],
    {
      body: expect.objectContaining({ amount: '30' }),
      says: 'done',
    },
  ),
  by('admin', ordered)(
    [/메뉴$/, '가져오기'],
    `POST /api/user/kis/ordered?${days}&code=005930&fromLastOrder=false`,
    ['POST kis/ordered, fromLastOrder'],
    done,
  ),
  by('admin', ordered)(
    [/메뉴$/, '마지막 주문부터 가져오기'],
    `POST /api/user/kis/ordered?${days}&code=005930&fromLastOrder=true`,
    ['POST kis/ordered, fromLastOrder'],
    done,
  ),
  by('admin', '/user/kis/order')([/메뉴$/, 'CANCEL ALL', '모두 취소'], 'POST /api/user/balance/cancel', [
    'POST balance/cancel',
  ]),
  by('admin', '/user/kis/order?code=005930')(
    [/메뉴$/, 'CANCEL ALL', '모두 취소'],
    'POST /api/user/balance/cancel?code=005930',
    ['admin only: CANCEL all, optionally for the code', 'POST balance/cancel'],
  ),
  onUsers(
    ['사용자 메뉴', '잔고 확인'],
    `POST ${admin}/balance/check`,
    ['admin user menu: check, fix, cancel, sell, keys, login, add stock', 'POST admin balance/check, fix'],
    clear,
  ),
  onUsers(
    ['사용자 메뉴', '잔고 맞춤', '실행'],
    `POST ${admin}/balance/fix`,
    ['POST admin balance/check, fix', 'success: done, clear, or a page read anew'],
    clear,
  ),
  onUsers(['사용자 메뉴', '주문 모두 취소', '실행'], `POST ${admin}/order/cancel`, ['POST admin order/cancel'], clear),
  onUsers(['사용자 메뉴', '매도 모두 걸기', '실행'], `POST ${admin}/order/sell`, ['POST admin order/sell'], clear),
  onUsers(['사용자 메뉴', '로그인'], `POST ${admin}/login`, ['POST admin login'], clear),
  onUsers(
    ['junho@example.com 메뉴', '키 만들기', ['관리자 비밀번호', 'secret'], '확인'],
    `POST ${admin}/user/u2/userKey`,
    ['user key: created with the admin’s password, deleted', 'POST userKey'],
    { body: key },
  ),
  onUsers(['minji@example.com 메뉴', '키 삭제', '키 삭제'], `DELETE ${admin}/user/u1/userKey`, [
    'user key: created with the admin’s password, deleted',
    'DELETE userKey',
  ]),
  onUsers(['junho@example.com 메뉴', '소켓 연결'], `POST ${admin}/user/u2/socket`, SOCKET),
  onUsers(['newbie@example.com 메뉴', '소켓 끊기', '소켓 끊기'], `DELETE ${admin}/user/u3/socket`, SOCKET),
]

const REPLY = {
  orders: [],
  results: [],
  differences: [],
  checkedAt: '2026-11-20T10:00:00+09:00',
  imported: 1,
  skipped: 2,
}

/** The requests that change something, as `METHOD /path?query`; they are answered here and go no further. */
async function watchWrites(page: Page) {
  const sent: { call: string; body: unknown }[] = []
  await page.route('**/api/**', (route) => {
    const request = route.request()
    if (request.method() === 'GET') return route.fallback()
    const { pathname, search } = new URL(request.url())
    sent.push({ call: `${request.method()} ${pathname}${search}`, body: request.postDataJSON() })
    return route.fulfill({ json: REPLY })
  })
  return sent
}

for (const { who, path, steps, sends, spec, follows, body, says } of PRESSES) {
  test(`${who}: ${sends}`, { tag: '@fixture', ...covers(...spec) }, async ({ page, enter }) => {
    await enter(who, path)
    await expect(page.getByRole('main').locator('li, section, form').first()).toBeVisible()
    await settled(page)
    const sent = await watchWrites(page)
    await take(page, steps)
    await expect.poll(() => sent.map(({ call }) => call)).toEqual([sends, ...(follows ? [follows] : [])])
    if (body !== undefined) expect(sent[0]?.body).toEqual(body)
    if (says) await expect(page.getByRole('alertdialog')).toContainText(says)
  })
}

test(
  'bulk keys and sockets go user by user',
  { tag: '@fixture', ...covers('admin user menu: check, fix, cancel, sell, keys, login, add stock') },
  async ({ page, enter, site }) => {
    await enter('admin', users)
    await expect(page.getByRole('link', { name: site.user.email })).toBeVisible()
    const sent = await watchWrites(page)
    await take(page, ['사용자 메뉴', '키 만들기', ['관리자 비밀번호', 'secret'], '확인'])
    await expect(page.getByRole('alertdialog')).toContainText('clear')
    const ids = ['u1', 'u2', 'u3', 'a1']
    expect(sent).toEqual(ids.map((id) => ({ call: `POST ${admin}/user/${id}/userKey`, body: key })))
    sent.length = 0
    await take(page, ['확인', '사용자 메뉴', '소켓 모두 연결'])
    await expect(page.getByRole('alertdialog')).toContainText('clear')
    expect(sent.map(({ call }) => call)).toEqual(ids.map((id) => `POST ${admin}/user/${id}/socket`))
  },
)

/** What each page asks for when its address says nothing more. {today}, {month} are days in Korea. */
const READS: readonly [who: 'user' | 'admin', path: string, asks: string][] = [
  ['user', '/user/balance', '/api/user/balance?withSavedGain=true'],
  ['user', '/user/balance?withSavedGain=false', '/api/user/balance?withSavedGain=false'],
  ['user', '/user/stock', '/api/user/stock?withSavedGain=true&showOnlyWatch=true'],
  ['user', '/user/stock?showOnlyWatch=false', '/api/user/stock?withSavedGain=true&showOnlyWatch=false'],
  ['user', trade, '/api/user/stock/005930?withSavedGain=true'],
  ['user', trade, '/api/user/stock/005930/trade?withOldTrade=false&withSavedGain=true'],
  ['user', `${trade}?withOldTrade=true`, '/api/user/stock/005930/trade?withOldTrade=true&withSavedGain=true'],
  ['admin', `${trade}?simulPrice=12300`, '/api/user/stock/005930?withSavedGain=true&simulPrice=12300'],
  ['user', '/user/gain', '/api/user/balance/gain?fromDate={first}&toDate={last}'],
  ['user', `/user/gain?${days}`, `/api/user/balance/gain?${days}`],
  ['user', '/user/money', '/api/user/money?fromDate={first}&toDate={last}'],
  ['user', '/user/kis/ordered', '/api/user/kis/ordered?fromDate={today}&toDate={today}'],
  ['user', ordered, `/api/user/kis/ordered?${days}&code=005930`],
  ['user', '/user/kis/order', '/api/user/kis/order'],
  ['user', '/user/kis/order?code=005930', '/api/user/kis/order?code=005930'],
  ['user', '/user/kis/balance', '/api/user/kis/balance'],
  ['user', '/user/socket', '/api/user/socket'],
  ['admin', '/user/admin/stock', `${admin}/user/u1/stock?withSavedGain=true&showOnlyWatch=true`],
  ['admin', '/user/admin/gain', `${admin}/user/u1/gain?fromDate={first}&toDate={last}`],
  ['admin', '/user/admin/money', `${admin}/user/u1/money?fromDate={first}&toDate={last}`],
  ['admin', '/user/admin/kis/balance', `${admin}/user/u1/balance`],
  ['admin', '/user/admin/kis/ordered', `${admin}/user/u1/ordered?fromDate={today}&toDate={today}`],
  ['admin', '/user/admin/kis/order', `${admin}/user/u1/order`],
]

/** The sentences of the specification that the addresses of each prove. */
const READ_SPEC: Readonly<Record<'user' | 'admin', Sentences>> = {
  user: [
    'balance: withSavedGain default true, showDetail default false',
    'stock list: three query parameters with defaults',
    'withSavedGain true, withOldTrade false, simulPrice none, read on load',
    'gain: fromDate and toDate, else the current month',
    'money: same query and menu',
    'executed: fromDate, toDate, code, merged true, filterWithCode false; today',
    'dates are YYYYMMDD',
    'GET stock',
    'GET trade, kis/ordered, kis/order, kis/balance, balance, stock, balance/gain, money, socket',
    'gain and money default to the month, executed orders to today',
    'defaults of the flags',
  ],
  admin: [
    'withSavedGain true, withOldTrade false, simulPrice none, read on load',
    'GET admin ordered, order, balance, stock, gain',
  ],
}

for (const who of ['user', 'admin'] as const) {
  test(
    `what the pages of a ${who} ask for, with the defaults of the address`,
    { tag: '@fixture', ...covers(...READ_SPEC[who]) },
    async ({ page, enter }) => {
      // Midnight would come between the page's day and ours.
      await page.clock.setFixedTime(NOW)
      const today = kstDay(NOW)
      const { from: first, to: last } = monthRange(today)
      const dates: Partial<Record<string, string>> = { today, first, last }
      await enter(who, '/user/password')
      const asked: string[] = []
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        asked.push(`${pathname}${search}`)
      })
      for (const [path, asks] of Map.groupBy(
        READS.filter(([of]) => of === who),
        ([, address]) => address,
      )) {
        asked.length = 0
        await go(page, path)
        const wanted = asks.map(([, , url]) => url.replace(/\{(\w+)\}/g, (_all, name: string) => dates[name] ?? ''))
        await expect.poll(() => asked, path).toEqual(expect.arrayContaining(wanted))
      }
    },
  )
}
