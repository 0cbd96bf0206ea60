import { addDays, kstDay, monthRange, yearRange } from '@digger/core'
import { covers, expect, go, settled, test, type Sentences } from './test.ts'

const RANGES = ['이번 달', '지난달', '다음 달', '올해', '지난해', '다음 해']
const EXECUTED = [
  '누르면 그 종목만 보기',
  '하나씩 보기',
  'ALL STOCK',
  'TODAY',
  'YESTERDAY',
  'LAST 10 DAYS',
  'LAST 30 DAYS',
  'LAST 90 DAYS',
  'LAST 360 DAYS',
]
/** Pages with a past have it as files, too. */
const ORDERS_FILE = '주문 내보내기(CSV)'
const GAIN_FILES = ['손익 내보내기(CSV)', '판 매매 내보내기(CSV)', /^20\d\d년 정산 내려받기\(엑셀\)$/]
const CARDS = ['누적 손익 빼고 보기', '자세히 보기']
const PAST = '지난 시세로 보기'
const MONEY = ['은행 잔고 적기', '자산 내보내기(CSV)']
const TRADE = ['누적 손익 빼고 보기', '지난 매매 포함해서 보기', '매매 내보내기(CSV)']

type Row = string | RegExp
/** The menu of every page, row by row; no rows: the page has no menu. */
const MENUS: readonly [path: string, user: readonly Row[] | null, admin: readonly Row[]][] = [
  ['/user/balance', CARDS, CARDS],
  ['/user/stock', ['모든 종목 보기', ...CARDS, PAST], ['모든 종목 보기', ...CARDS, '종목 추가', PAST]],
  [
    '/user/stock/005930/trade',
    TRADE,
    [...TRADE, '잔고 확인', '잔고 맞춤', '주문 적용', '가상 가격 정하기', '가상 가격 끄기', '시장가 매수'],
  ],
  ['/user/gain', [...RANGES, ...GAIN_FILES], [...RANGES, ...GAIN_FILES]],
  ['/user/money', [...RANGES, ...MONEY], [...RANGES, ...MONEY]],
  ['/user/kis/ordered', [...EXECUTED, ORDERS_FILE], [...EXECUTED, ORDERS_FILE, '가져오기', '마지막 주문부터 가져오기']],
  ['/user/kis/order', [ORDERS_FILE], [ORDERS_FILE, 'CANCEL ALL']],
  ['/user/audit', ['기록 내보내기(CSV)'], ['기록 내보내기(CSV)']],
  ['/user/kis/balance', [], []],
  ['/user/socket', [], []],
  ['/user/password', [], []],
  [
    '/user/admin/user',
    null,
    [
      '잔고 확인',
      '잔고 맞춤',
      '주문 모두 취소',
      '매도 모두 걸기',
      '키 만들기',
      '로그인',
      '소켓 모두 연결',
      '소켓 모두 끊기',
      '종목 추가',
    ],
  ],
  ['/user/admin/stock', null, ['모든 종목 보기', ...CARDS]],
  ['/user/admin/gain', null, RANGES],
  ['/user/admin/money', null, RANGES],
  ['/user/admin/kis/balance', null, []],
  ['/user/admin/kis/ordered', null, EXECUTED],
  ['/user/admin/kis/order', null, []],
]

/** The sentences of the specification that the menus of each prove. */
const MENU_SPEC: Readonly<Record<'user' | 'admin', Sentences>> = {
  user: [
    'pages have a title bar and many have a menu',
    'balance menu toggles saved gain and details',
    'stock list menu: watch-only vs all, saved gain, detail',
    'menu: this, previous, next month and year',
    'money: same query and menu',
    'menu: click mode, merged, ALL STOCK, TODAY … 360 days',
    'socket: title, no menu',
    '/admin pages and calls are for admins',
    'trade-page admin items, import, cancel-all, add stock',
    'quick ranges 1, 10, 30, 90, 360 days',
  ],
  admin: [
    'admin only: add stock prompts for a code and goes to its trade screen',
    'admin only: import, import from last; need code',
    'admin only: CANCEL all, optionally for the code',
    'admin user menu: check, fix, cancel, sell, keys, login, add stock',
    'trade-page admin items, import, cancel-all, add stock',
  ],
}

for (const who of ['user', 'admin'] as const) {
  test(`the menu of every page of a ${who}`, covers(...MENU_SPEC[who]), async ({ page, enter }) => {
    await enter(who, '/user/password')
    for (const [path, ofUser, ofAdmin] of MENUS) {
      const rows = who === 'user' ? ofUser : ofAdmin
      await go(page, path)
      if (rows === null) {
        await expect(page.getByText('찾으시는 화면이 없습니다'), path).toBeVisible()
        continue
      }
      const heading = page.getByRole('heading', { level: 1 })
      await expect(heading).toBeFocused()
      await settled(page)
      const menu = page.getByRole('button', { name: `${await heading.textContent()} 메뉴`, exact: true })
      await expect(menu, path).toHaveCount(rows.length === 0 ? 0 : 1)
      if (rows.length === 0) continue
      await menu.click()
      await expect(page.getByRole('dialog').getByRole('listitem'), path).toHaveText([...rows])
    }
  })
}

test(
  'the title bar says where one is, and Home leads home',
  covers('admin home is /user/admin/user', 'pages have a title bar and many have a menu', 'socket: title, no menu'),
  async ({ page, enter }) => {
    await enter('user', '/user/socket')
    const where = page.getByRole('navigation', { name: '위치' })
    for (const [path, title] of [
      ['/user/stock/005930/trade', 'Home > Trade'],
      ['/user/socket', 'Home > Socket'],
    ] as const) {
      await page.goto(path)
      await expect(where).toHaveText(title)
    }
    await where.getByRole('link', { name: 'Home' }).click()
    await expect(page).toHaveURL(/\/user\/balance$/)
    await enter('admin', '/user/socket')
    await where.getByRole('link', { name: 'Home' }).click()
    await expect(page).toHaveURL(/\/user\/admin\/user$/)
  },
)

test(
  'the range that is shown is marked in its menu',
  covers('an option has name, value (compared to the selected value) and func'),
  async ({ page, enter }) => {
    await enter('user', '/user/kis/ordered')
    await settled(page)
    await page.getByRole('button', { name: '체결 내역 메뉴' }).click()
    const chosen = page.getByRole('dialog').locator('[aria-current=true]')
    await expect(chosen).toHaveText('TODAY')
    await page.getByRole('button', { name: 'LAST 10 DAYS' }).click()
    await page.getByRole('button', { name: '체결 내역 메뉴' }).click()
    await expect(chosen).toHaveText('LAST 10 DAYS')
  },
)

/** What day it is may change during a test. */
const today = (): string => kstDay(Date.now())
const ago = (count: number): string => addDays(today(), -count)
const lastDays = (count: number) => ({ from: ago(count - 1), to: today() })
const days = ({ from, to }: { from: string; to: string }): RegExp => new RegExp(`fromDate=${from}&toDate=${to}$`)

test(
  'every range of the menus leads to its days',
  covers('menu: this, previous, next month and year', 'menu: click mode, merged, ALL STOCK, TODAY … 360 days'),
  async ({ page, enter }) => {
    await enter('admin', '/user/password')
    const ranges = [
      ['이번 달', () => monthRange(today())],
      ['지난달', () => ({ from: '20251201', to: '20251231' })],
      ['다음 달', () => ({ from: '20260201', to: '20260228' })],
      ['올해', () => yearRange(today())],
      ['지난해', () => ({ from: '20250101', to: '20251231' })],
      ['다음 해', () => ({ from: '20270101', to: '20271231' })],
    ] as const
    const press = async (item: string) => {
      await page.getByRole('button', { name: /메뉴$/ }).last().click()
      await page.getByRole('dialog').getByRole('button', { name: item, exact: true }).click()
    }
    for (const path of ['/user/gain', '/user/money', '/user/admin/gain', '/user/admin/money']) {
      for (const [item, leads] of ranges) {
        await go(page, `${path}?fromDate=20260101&toDate=20260131`)
        await press(item)
        await expect(page, `${path} ${item}`).toHaveURL(days(leads()))
      }
    }
    for (const path of ['/user/kis/ordered', '/user/admin/kis/ordered']) {
      await go(page, path)
      for (const [item, leads] of [
        ['YESTERDAY', () => ({ from: ago(1), to: ago(1) })],
        ['TODAY', () => lastDays(1)],
        ...[10, 30, 90, 360].map((count) => [`LAST ${count} DAYS`, () => lastDays(count)] as const),
      ] as const) {
        await press(item)
        await expect(page, `${path} ${item}`).toHaveURL(days(leads()))
      }
    }
  },
)

test(
  'a card of an administrator leads to its orders and executions',
  covers('admin: orders, executed, cancel, sell, at price, at market, delete, modify'),
  async ({ page, enter }) => {
    await enter('admin', '/user/stock?showOnlyWatch=false')
    const card = page.getByRole('article').first()
    for (const [item, path] of [
      ['매매', /\/user\/stock\/\w{6}\/trade$/],
      ['미체결 주문', /\/user\/kis\/order\?code=\w{6}$/],
      ['체결 내역', /\/user\/kis\/ordered\?code=\w{6}$/],
    ] as const) {
      await card.getByRole('button').first().click()
      await page.getByRole('dialog').getByRole('button', { name: item, exact: true }).click()
      await expect(page).toHaveURL(path)
      await page.goto('/user/stock?showOnlyWatch=false')
    }
  },
)

test('prompts left empty do nothing', covers('prompts left empty are cancelled'), async ({ page, enter }) => {
  const prompts = [
    ['/user/stock', '지켜보는 종목 메뉴', '종목 추가'],
    ['/user/admin/user', '사용자 메뉴', '키 만들기'],
    ['/user/admin/user', '사용자 메뉴', '종목 추가'],
  ] as const
  await enter('admin', '/user/password')
  for (const [path, menu, item] of prompts) {
    await page.goto(path)
    await settled(page)
    const writes: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') writes.push(request.url())
    })
    await page.getByRole('button', { name: menu, exact: true }).click()
    await page.getByRole('button', { name: item, exact: true }).click()
    await page.getByRole('button', { name: '확인', exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    expect(writes).toEqual([])
  }
})

test(
  'an administrator adds a stock for everybody in the dialog',
  { tag: '@fixture', ...covers('admin user menu: check, fix, cancel, sell, keys, login, add stock') },
  async ({ page, enter, site }) => {
    await enter('admin', '/user/admin/user')
    await expect(page.getByRole('link', { name: site.user.email })).toBeVisible()
    await page.getByRole('button', { name: '사용자 메뉴', exact: true }).click()
    await page.getByRole('button', { name: '종목 추가', exact: true }).click()
    await page.getByLabel('종목코드 6자리').fill('051910')
    await page.getByRole('button', { name: '확인', exact: true }).click()
    const saved: string[] = []
    await page.route('**/api/*/stock/051910', (route) => {
      saved.push(new URL(route.request().url()).pathname)
      return route.fulfill({ json: {} })
    })
    await page.getByRole('dialog').getByRole('button', { name: '저장' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('clear')
    expect(saved).toEqual(['u1', 'u2', 'u3', 'a1'].map((id) => `/api/${id}/stock/051910`))
  },
)
