import type { Locator, Page, Route } from '@playwright/test'
import { NOTHING_HAPPENED, NOTHING_OWNED, MADE_UP_PAGES } from './pages.ts'
import { startFixture } from './fixture/server.ts'
import { atBothSizes } from './sizes.ts'
import { covers, expect, go, settled, test, type Sentences, STOP } from './test.ts'

/** The read that each page stands on, after /api/{userId} or as a whole. */
const READS: Readonly<Record<string, RegExp>> = {
  balance: /\/api\/user\/balance\?/,
  today: /\/api\/user\/today$/,
  morning: /\/api\/user\/morning$/,
  stock: /\/api\/user\/stock\?/,
  trade: /\/api\/user\/stock\/005930\?/,
  'trade-frozen': /\/api\/user\/stock\/105560\/adjust$/,
  settings: /\/api\/user\/stock\/005930\?/,
  'settings-past': /\/api\/user\/stock\/005930\/history\?/,
  whatif: /\/api\/user\/stock\?/,
  gain: /\/api\/user\/balance\/gain\?/,
  money: /\/api\/user\/money\?/,
  'kis-balance': /\/api\/user\/kis\/balance$/,
  'kis-ordered': /\/api\/user\/kis\/ordered\?/,
  'kis-order': /\/api\/user\/kis\/order$/,
  socket: /\/api\/user\/socket$/,
  check: /\/api\/user\/check$/,
  limits: /\/api\/user\/limits$/,
  notification: /\/api\/user\/notification\/setup$/,
  tokens: /\/api\/user\/token$/,
  shadow: /\/api\/user\/shadow$/,
  'shadow-orders': /\/api\/user\/shadow\/order/,
  audit: /\/api\/user\/audit\?/,
  calendar: /\/api\/admin\/\d+\/calendar$/,
  server: /\/api\/admin\/\d+\/server$/,
  'admin-job': /\/api\/admin\/\d+\/job$/,
}
/** The sentences of the specification that a page proves by being there. */
const PAGE_SPEC: Readonly<Record<string, Sentences>> = {
  balance: ['/balance'],
  stock: ['/stock'],
  trade: ['/stock/{stockCode}/trade'],
  gain: ['/gain'],
  money: ['/money'],
  'kis-balance': ['/kis/balance'],
  'kis-ordered': ['/kis/ordered'],
  'kis-order': ['/kis/order'],
  socket: ['/socket'],
}
const ADMIN_SPEC: Sentences = ['/admin/user, stock, gain, money, kis/balance, kis/ordered, kis/order']
const refuse = (route: Route) =>
  route.fulfill({ status: 422, json: { code: 'REJECTED', message: '증권사가 거절했습니다.' } })
const picture = async (page: Page, name: string, face: string) => {
  const size = (page.viewportSize()?.width ?? 0) < 1000 ? 'phone' : 'desktop'
  const path = `shots/faces/${size}/${name}-${face}.png`
  if (process.env['SHOTS']) await page.screenshot({ path, animations: 'disabled' })
}

/** A page that stands on a second read. */
const SECOND_READS: typeof MADE_UP_PAGES = [
  { name: 'shadow-orders', who: 'user', path: '/user/shadow', shows: '보내지 않음' },
]
/** What is tried before real money is at stake: looked at on a desktop, too. */
const BOTH_SIZES: ReadonlySet<string> = new Set([
  'settings-past',
  'whatif',
  'shadow',
  'shadow-orders',
  'tokens',
  'check',
  'morning',
])

for (const { name, who, path, shows } of [...MADE_UP_PAGES, ...SECOND_READS]) {
  const read = READS[name] ?? (name.startsWith('admin') ? /\/api\/admin\/\d+\/user$/ : undefined)
  if (read === undefined || who === 'nobody') continue
  const spec = name.startsWith('admin') && !(name in READS) ? ADMIN_SPEC : (PAGE_SPEC[name] ?? [])
  test(
    `${name} shows loading, failed, full and stale`,
    { tag: '@fixture', ...covers(...spec) },
    async ({ page, enter, site }) => {
      const answered = Promise.withResolvers<void>()
      await page.route(read, async (route) => {
        await answered.promise
        await refuse(route)
      })
      await enter(who, path)
      const main = page.getByRole('main')
      const shown = (face: Locator) =>
        BOTH_SIZES.has(name) ? atBothSizes(page, () => expect(face).toBeVisible()) : expect(face).toBeVisible()
      await shown(main.getByLabel('불러오는 중').first())
      await picture(page, name, 'loading')
      answered.resolve()
      await shown(main.getByRole('alert').filter({ hasText: '증권사가 거절했습니다.' }))
      await expect(main.getByLabel('불러오는 중')).toHaveCount(0)
      await picture(page, name, 'failed')
      await page.unroute(read)
      await main.getByRole('button', { name: '다시 시도' }).click()
      await shown(main.getByText(shows).first())
      await settled(page)
      await picture(page, name, 'full')
      await page.route(read, refuse)
      // A stream that comes back makes every page read anew; one that is not there yet cannot be cut.
      await expect(async () => {
        site.fixture?.cutStreams()
        // Pages that hear of a network do not sit out their wait.
        await expect(page.getByText('실시간 연결이 끊겼습니다.')).toBeVisible({ timeout: 2_000 })
        await page.evaluate("dispatchEvent(new Event('online'))")
        await expect(main.getByText(/\d\d:\d\d:\d\d 기준입니다/).first()).toBeVisible({ timeout: 5_000 })
      }).toPass()
      await shown(main.getByText(/\d\d:\d\d:\d\d 기준입니다/).first())
      await shown(main.getByText(shows).first())
      await picture(page, name, 'stale')
    },
  )
}

test('every page says so to somebody who owns nothing', { tag: '@fixture' }, async ({ page, enter }) => {
  await enter('newbie', '/user/balance')
  for (const [path, says] of [...NOTHING_OWNED, ...NOTHING_HAPPENED]) {
    await go(page, path)
    await expect(page.getByRole('main').getByText(says).first(), path).toBeVisible()
    await picture(page, path.replaceAll(/\W+/g, '-').slice(1), 'empty')
  }
})

test(
  'a server that stopped is shown within seconds, and numbers stay with their time',
  { tag: '@fixture' },
  async ({ page, site, isMobile }) => {
    const server = await startFixture()
    await page.request.post(`${server.url}/api/login`, { data: site.user })
    await page.goto(`${server.url}/user/balance`)
    await expect(page.getByText('총자산')).toBeVisible()
    await server.close()
    await expect(page.getByText('실시간 연결이 끊겼습니다.')).toBeVisible()
    await expect(page.getByText('총자산')).toBeVisible()
    await picture(page, 'balance', 'stopped')
    await page.getByRole('link', { name: 'Home' }).click()
    if (isMobile) await page.getByRole('button', { name: '메뉴 열기' }).click()
    await page.getByRole('link', { name: '미체결 주문' }).click()
    await expect(page.getByRole('alert')).toContainText('연결을 확인')
    await expect(page.getByRole('button', { name: STOP })).toBeVisible()
    await picture(page, 'kis-order', 'stopped')
  },
)
