import type { Page } from '@playwright/test'
import type { Reply } from '@digger/contract'
import { demoCredentials } from '@digger/kis-sim'
import { expect, go, settled, take, test } from './test.ts'
import { EAGER } from './eager.ts'
import { joinAndAddStocks } from './may-add.ts'

const rowOf = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

/** Opens the form of a limit and types; what is saved is up to the test. */
async function type(page: Page, title: string, text: string): Promise<void> {
  await rowOf(page, title)
    .getByRole('button', { name: `${title} 바꾸기` })
    .click()
  await expect(page.getByLabel(`${title} 한도`)).toBeFocused()
  await page.getByLabel(`${title} 한도`).fill(text)
}

test(
  'a limit is changed by keyboard: wrong ones show an error, tighter ones hold, looser ones wait and can be taken back',
  { tag: '@fixture' },
  async ({ page, enter }) => {
    await enter('user', '/user/limits')
    const row = rowOf(page, '1회 매수 금액')
    await type(page, '1회 매수 금액', '다섯')
    await page.keyboard.press('Enter')
    await expect(row.getByText('원 단위의 정수로 넣어 주세요.')).toBeVisible()
    await page.getByLabel('1회 매수 금액 한도').fill('5,000,000')
    await expect(row.getByText('저장하면 바로 지켜집니다.')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(row.getByText('5,000,000원', { exact: true })).toBeVisible()
    await expect(row.getByRole('button', { name: '1회 매수 금액 바꾸기' })).toBeFocused()
    await type(page, '1회 매수 금액', '')
    await expect(row.getByText(/하룻밤 뒤/)).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(row.getByText('2026-11-21 0시부터 한도 없음')).toBeVisible()
    await expect(row.getByText('5,000,000원', { exact: true })).toBeVisible()
    await row.getByRole('button', { name: '1회 매수 금액 늘리기 취소' }).click()
    await expect(row.getByText(/0시부터/)).toHaveCount(0)
  },
)

test(
  'who lets go of a limit that is still reached sees that it holds',
  { tag: '@fixture' },
  async ({ page, enter }) => {
    const text = '손실이 한도 3,000,000원에 닿았습니다: 지금 3,100,000원입니다.'
    const at = '2026-11-20T13:00:00+09:00'
    const reached = [
      { limit: 'lossAmount', code: null, text, at },
      { limit: 'repeatCount', code: '005930', text: '삼성전자를 10분에 11번 샀다가 되팔았습니다.', at },
    ]
    const stocks = [{ code: '005930', stop: 'reduce' as const }]
    const json: Reply<'stop'> = {
      server: 'active',
      serverReason: null,
      user: 'reduce',
      stocks,
      reached,
      otherServer: null,
    }
    await page.route('**/api/user/stop', (route) => route.fulfill({ json }))
    await enter('user', '/user/limits')
    await expect(page.getByText(`한도에 닿아 매수를 멈췄습니다: ${text}`)).toBeVisible()
    // One reason is told once.
    await expect(page.getByText('이 계좌 매수 멈춤.')).toHaveCount(0)
    const why = page.getByRole('region', { name: '멈춘 이유' }).getByRole('listitem')
    await expect(why).toHaveCount(2)
    const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/stop'))
    await why.last().getByRole('button', { name: '멈춤 풀기' }).click()
    await take(page, ['다시 시작'])
    expect((await sent).postDataJSON()).toEqual({ level: 'stock', code: '005930', stop: 'active' })
    await expect(page.getByRole('alertdialog')).toContainText('아직 한도에 닿아 있어 다시 멈췄습니다.')
  },
)

test('who meets a server that the watcher halted reads why', { tag: '@fixture' }, async ({ page, enter }) => {
  const serverReason =
    '감시 프로그램이 멈췄습니다: 멈춘 뒤에 주문이 나갔습니다. 관리자가 확인한 뒤 다시 시작할 수 있습니다.'
  const json: Reply<'stop'> = {
    server: 'halt',
    serverReason,
    user: 'active',
    stocks: [],
    reached: [],
    otherServer: null,
  }
  await page.route('**/api/user/stop', (route) => route.fulfill({ json }))
  await enter('user', '/user/balance')
  const banner = page.getByRole('status').filter({ hasText: '서버 전체 모두 멈춤.' })
  await expect(banner).toContainText(serverReason)
  await expect(banner).toBeInViewport({ ratio: 1 })
})

/** Credentials that the pretend broker knows and no other test uses. */
const { appKey, appSecret, accountNumber, htsId } = demoCredentials(6)
const PERSON = { email: 'limits@example.com', password: 'digger-limits' }
const CODE = '017670'

test(
  'the limit of a whole account: a buy is turned away, the buying stops and says why, and only tomorrow there is more',
  { tag: '@own' },
  async ({ page }) => {
    const { request } = page
    const asked = async (path: string, data: object) => {
      const reply = await request.post(path, { data })
      expect(reply.ok(), `${path}: ${await reply.text()}`).toBe(true)
    }
    await joinAndAddStocks(request, PERSON, { appKey, appSecret, accountNumber, htsId })
    await page.goto('/user/limits')
    await settled(page)

    await test.step('tightened: it holds at once', async () => {
      await type(page, '계좌 보유 금액', '1,000')
      await take(page, ['저장'])
      await expect(rowOf(page, '계좌 보유 금액').getByText('0원 / 1,000원')).toBeVisible()
      await asked(`/api/user/stock/${CODE}`, EAGER)
      // The banner comes by itself, on the page that is open.
      await expect(page.getByText('한도에 닿아 매수를 멈췄습니다:')).toBeVisible({ timeout: 90_000 })
      await expect(page.getByText(/계좌 보유 한도 1,000원에 닿습니다: 지금 0원이고/).first()).toBeVisible()
    })
    await test.step('every page says so, and leads here', async () => {
      await go(page, `/user/stock/${CODE}/trade`)
      await expect(page.getByText('보유 중인 매매가 없습니다')).toBeVisible()
      await expect(page.getByRole('button', { name: '매수 멈춤, 바꾸기' })).toBeVisible()
      await page.getByRole('link', { name: '한도 보기' }).click()
      await expect(page.getByRole('heading', { name: '한도', level: 1 })).toBeFocused()
    })
    await test.step('loosened: it waits for tomorrow', async () => {
      await type(page, '계좌 보유 금액', '50,000,000')
      await take(page, ['저장'])
      const row = rowOf(page, '계좌 보유 금액')
      await expect(row.getByText(/^\d{4}-\d\d-\d\d 0시부터 50,000,000원/)).toBeVisible()
      await expect(row.getByText('0원 / 1,000원')).toBeVisible()
    })
    await test.step('who lets go is stopped again by the next buy', async () => {
      const reachedAt = async () => (await (await request.get('/api/user/stop')).json()).reached[0]?.at
      const before = await reachedAt()
      expect(before).toEqual(expect.any(String))
      await take(page, ['멈춤 풀기', '다시 시작'])
      // The buy may be due at once: then no page is without the stop for long enough to be seen.
      await expect.poll(async () => (await reachedAt()) ?? before, { timeout: 90_000 }).not.toBe(before)
      await expect(page.getByText('한도에 닿아 매수를 멈췄습니다:')).toBeVisible()
      expect(await (await request.get('/api/user/kis/order')).json()).toEqual([])
    })
    await test.step('the audit log shows who changed it', async () => {
      await go(page, '/user/audit')
      await expect(page.getByText('positionAmount 50000000').first()).toBeVisible()
    })
  },
)

test.describe('on a dark page', { tag: '@fixture' }, () => {
  test.use({ colorScheme: 'dark' })

  test('every bar has a dark track: of a limit, of a task over all users', async ({ page, enter }) => {
    const line = 'rgb(43, 50, 60)'
    const bar = page.getByRole('progressbar').first()
    await enter('user', '/user/limits')
    await expect(bar).toHaveCSS('background-color', line)
    await expect(bar).toHaveCSS('appearance', 'none')
    await enter('admin', '/user/admin/user')
    await page.getByRole('button', { name: '사용자 메뉴', exact: true }).click()
    await page.getByRole('button', { name: '잔고 확인', exact: true }).click()
    await expect(bar).toHaveCSS('background-color', line)
    await expect(bar).toHaveCSS('appearance', 'none')
  })
})

test('venues are chosen one by one, and hold over a reload', async ({ page, enter }) => {
  await enter('user', '/user/limits')
  const sor = page.getByRole('checkbox', { name: '정규장에 SOR로 주문' })
  const evening = page.getByRole('checkbox', { name: /^애프터마켓/ })
  await expect(sor).not.toBeChecked()
  await sor.check()
  await expect(sor).toBeChecked()
  await settled(page)
  await page.reload()
  await expect(sor).toBeChecked()
  await expect(evening).not.toBeChecked()
  await sor.uncheck()
  await settled(page)
  await page.reload()
  await expect(sor).not.toBeChecked()
})

test(
  'an account that another Digger may trade stops, says why, and goes on when its person has looked',
  { tag: '@fixture' },
  async ({ page, enter, site }) => {
    const suspected = site.fixture?.state.stops.suspected
    const text = '삼성전자 2주를 70,900원에 파는 주문 0000000900이 증권사에 있습니다.'
    await enter('user', '/user/balance')
    await settled(page)
    suspected?.set('u1', { text, at: new Date().toISOString() })
    await page.reload()
    const banner = page.getByRole('status').filter({ hasText: '이 계좌 모두 멈춤.' })
    await expect(banner).toContainText(text)
    await expect(page.getByRole('button', { name: '모두 멈춤, 바꾸기' })).toBeVisible()
    await take(page, ['계속하기'])
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('다른 곳에도 Digger가 켜져 있으면 같은 주문이 두 번 나갑니다.')
    await question.getByRole('button', { name: '계속하기' }).click()
    await expect(banner).toHaveCount(0)
    await expect(page.getByRole('button', { name: '매매 중, 멈추기' })).toBeVisible()
  },
)
