import type { Page } from '@playwright/test'
import { startFixture, type Fixture } from './fixture/server.ts'
import { emptyHalves, layoutFaults } from './layout.ts'
import { drawAll, drawn, expect, go, settled, type Site, STOP, test } from './test.ts'

const SIZES = [
  [390, 844],
  [320, 640],
  [1440, 900],
] as const

/** The check itself: each page here is wrong in one way, or in none. */
const WRONG: readonly [what: string, html: string, found: RegExp | null][] = [
  ['text that has room', '<p style="width:200px">종목</p>', null],
  ['text that is cut', '<p style="width:60px;overflow:hidden;white-space:nowrap">미래에셋증권 우선주</p>', /is cut by/],
  [
    'text that ends in dots',
    '<p style="width:60px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">미래에셋증권 우선주</p>',
    /ends in dots/,
  ],
  ['a line too many', '<p style="width:80px;height:24px;overflow:hidden">미래에셋증권 우선주 목표가</p>', /is cut by/],
  [
    'an ancestor that cuts',
    '<div style="width:60px;overflow:clip"><p style="width:200px">미래에셋증권 우선주 목표가</p></div>',
    /is cut by/,
  ],
  [
    'what hangs elsewhere',
    '<div style="width:60px;overflow:hidden"><p style="position:absolute;left:0;width:200px">미래에셋증권 우선주</p></div>',
    null,
  ],
  [
    'what scrolls and has a key',
    '<div tabindex="0" style="width:60px;overflow:auto"><p style="width:200px">미래에셋증권 우선주</p></div>',
    null,
  ],
  [
    'what scrolls and has none',
    '<div style="width:60px;overflow:auto"><p style="width:200px">미래에셋증권 우선주 목표가</p></div>',
    /no key reaches it/,
  ],
  ['a page that is too wide', '<p style="width:900px">넓은 화면</p>', /the page is 9\d\d px wide on a screen of 390/],
  ['text off the screen', '<p style="position:fixed;left:-40px">왼쪽</p>', /leaves the screen/],
  [
    'a value on a name',
    '<div style="width:90px;display:flex"><b style="flex:0 0 40px;min-width:0;white-space:nowrap">SAMSUNGS</b><i>1,234</i></div>',
    /lie on each other/,
  ],
  ['a bar over the page', '<p>아래</p><nav style="position:fixed;top:0;left:0;right:0">위에 선 막대</nav>', null],
  ['a day in two lines', '<p style="width:60px">26-11-20 10:00</p>', /26-11-20” is broken in two/],
  ['a day with its year', '<p style="width:60px">2026-11-20</p>', /2026-11-20” is broken in two/],
  ['a word in two lines', '<p style="width:16px;overflow-wrap:anywhere">총자산</p>', /총자산” is broken in two/],
  ['a number in two lines', '<p style="width:60px;overflow-wrap:anywhere">123,456,789원</p>', /is broken in two/],
  ['two numbers in two lines', '<p style="width:60px">123,456 789원</p>', null],
  ['a field too small', '<input style="width:60px" value="123,456,789,012">', /needs \d+ px, its field/],
  ['a field with room', '<input style="width:200px" value="123,456,789,012">', null],
  [
    'a chosen word too long',
    '<select style="width:70px"><option>미래에셋증권 우선주</option></select>',
    /needs \d+ px/,
  ],
  [
    'a label on a bar',
    '<svg width="200" height="100"><g data-plot="150 100"><rect x="20" y="20" width="60" height="60"/></g><text x="30" y="50">5만</text></svg>',
    /lies on the plot/,
  ],
  [
    'a label beside a bar',
    '<svg width="200" height="100"><g data-plot="150 100"><rect x="20" y="20" width="60" height="60"/></g><text x="160" y="50">5만</text></svg>',
    null,
  ],
  [
    'what only screen readers read',
    '<p class="unseen" style="position:absolute;width:1px;overflow:hidden">삼성전자</p>',
    null,
  ],
]
const PAGE = (body: string) =>
  `<!doctype html><meta name="viewport" content="width=device-width"><style>body{margin:0;padding-top:40px;font:16px sans-serif;word-break:keep-all}</style><body><main>${body}</main>`

const MONTH = 'fromDate=20261101&toDate=20261130'
const HARD: readonly { name: string; who: 'user' | 'admin'; path: string }[] = [
  { name: 'balance', who: 'user', path: '/user/balance?showDetail=true' },
  { name: 'balance as a table', who: 'user', path: '/user/balance?table=true' },
  { name: 'today', who: 'user', path: '/user/today' },
  { name: 'stocks', who: 'user', path: '/user/stock?showOnlyWatch=false' },
  { name: 'trade', who: 'user', path: '/user/stock/005930/trade?withOldTrade=true' },
  { name: 'trade of a million won', who: 'user', path: '/user/stock/207940/trade' },
  { name: 'settings', who: 'user', path: '/user/stock/005930/settings' },
  { name: 'settings with the past', who: 'user', path: '/user/stock/005930/settings?whatif=true' },
  { name: 'the past of all stocks', who: 'user', path: '/user/whatif' },
  { name: 'executed orders', who: 'user', path: '/user/kis/ordered' },
  { name: 'open orders', who: 'user', path: '/user/kis/order' },
  { name: 'broker balance', who: 'user', path: '/user/kis/balance' },
  { name: 'gain', who: 'user', path: `/user/gain?${MONTH}` },
  { name: 'gain of a year', who: 'user', path: '/user/gain?fromDate=20260101&toDate=20261231' },
  { name: 'money', who: 'user', path: `/user/money?${MONTH}` },
  { name: 'users', who: 'admin', path: '/user/admin/user' },
  { name: 'somebody’s balance', who: 'admin', path: '/u1/balance' },
]

const menuOf = async (page: Page, name: RegExp) => {
  await page.getByRole('button', { name }).first().click()
  await page.getByRole('dialog').getByRole('listitem').last().waitFor()
}
const card = (page: Page) => page.getByRole('article').first().getByRole('button').first().click()
const DIALOGS: readonly { name: string; who: 'user' | 'admin'; path: string; to: (page: Page) => Promise<unknown> }[] =
  [
    { name: 'stop', who: 'admin', path: '/user/balance', to: (page) => menuOf(page, STOP) },
    { name: 'menu of a page', who: 'user', path: `/user/gain?${MONTH}`, to: (page) => menuOf(page, /메뉴$/) },
    {
      name: 'menu of a stock',
      who: 'admin',
      path: '/user/stock?showOnlyWatch=false',
      to: async (page) => {
        await card(page)
        await page.getByRole('dialog').getByRole('listitem').last().waitFor()
      },
    },
    {
      name: 'settings',
      who: 'admin',
      path: '/user/stock?showOnlyWatch=false',
      to: async (page) => {
        await card(page)
        await page.getByRole('button', { name: '종목 수정' }).click()
        await page.getByRole('dialog').getByRole('button', { name: '저장' }).waitFor()
      },
    },
    {
      name: 'add a stock',
      who: 'admin',
      path: '/user/stock?showOnlyWatch=false',
      to: async (page) => {
        await menuOf(page, /메뉴$/)
        await page.getByRole('button', { name: '종목 추가', exact: true }).click()
        await page.getByRole('dialog').last().waitFor()
      },
    },
    {
      name: 'sale at a price',
      who: 'admin',
      path: '/user/stock?showOnlyWatch=false',
      to: async (page) => {
        await card(page)
        await page.getByRole('button', { name: '지정가 매도' }).click()
        await page.getByLabel('매도가').fill('76,655')
        await page.getByText(/원에 냅니다\.$/).waitFor()
      },
    },
  ]

async function enterHard(page: Page, { url }: Fixture, login: Site['user']): Promise<void> {
  const reply = await page.request.post(`${url}/api/login`, { data: { ...login, forceKisLogin: false } })
  expect(reply.ok()).toBe(true)
}

test.describe('layout', { tag: '@fixture' }, () => {
  let hard: Fixture
  test.beforeAll(async () => {
    hard = await startFixture({ hard: true, keeps: true })
  })
  test.afterAll(() => hard.close())

  test('the check sees what is wrong, and nothing else', async ({ page }) => {
    for (const [what, html, found] of WRONG) {
      await page.setContent(PAGE(html))
      const faults = await layoutFaults(page)
      if (found === null) expect.soft(faults, what).toEqual([])
      else expect.soft(faults.join('\n'), what).toMatch(found)
    }
  })

  test('the check sees empty halves', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const columns = (left: string, style = '') =>
      PAGE(`<div style="display:flex;align-items:start"><div style="width:700px;${style}">${left}</div>
        <div style="width:700px"><p style="height:700px">오른쪽</p><p>끝입니다</p></div></div>`)
    await page.setContent(columns('<p>왼쪽</p>'))
    expect(await emptyHalves(page)).toEqual([expect.stringMatching(/leaves 7\d\d px empty at 0 px/)])
    await page.setContent(columns('<p>왼쪽</p>', 'position:sticky;top:0'))
    expect(await emptyHalves(page)).toEqual([])
    await page.setContent(columns('<p style="height:500px">왼쪽</p><p>끝</p>'))
    expect(await emptyHalves(page)).toEqual([])
    await page.setContent(PAGE('<p style="width:500px">좁은 글</p>'))
    expect(await emptyHalves(page)).toEqual([expect.stringMatching(/only \d+ % of the page's width/)])
  })

  for (const who of ['user', 'admin'] as const)
    test(`the hardest names and amounts of the ${who} have room on every page`, async ({ page, site }) => {
      test.setTimeout(180_000)
      await enterHard(page, hard, site[who])
      await page.goto(`${hard.url}/user/password`)
      await drawAll(page)
      for (const { name, path } of HARD.filter((one) => one.who === who)) {
        await page.setViewportSize({ width: 390, height: 844 })
        await go(page, path)
        await settled(page)
        for (const [width, height] of SIZES) {
          await page.setViewportSize({ width, height })
          await drawn(page)
          expect.soft(await layoutFaults(page), `${name}, ${width} px`).toEqual([])
        }
      }
    })

  for (const { name, who, path, to } of DIALOGS)
    test(`a dialog has room: ${name}`, async ({ page, site }) => {
      await enterHard(page, hard, site[who])
      await page.goto(`${hard.url}${path}`)
      await settled(page)
      await to(page)
      const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog')).last()
      for (const [width, height] of [
        [390, 844],
        [320, 640],
        [320, 568],
        [390, 568],
      ] as const) {
        await page.setViewportSize({ width, height })
        await drawn(page)
        expect.soft(await layoutFaults(page), `${width}×${height}`).toEqual([])
        // All of it is on the screen, what does not fit is scrolled to.
        const box = await dialog.boundingBox()
        expect
          .soft((box?.y ?? -1) >= 0 && (box?.y ?? 0) + (box?.height ?? 0) <= height + 1, `${width}×${height}`)
          .toBe(true)
      }
    })
})
