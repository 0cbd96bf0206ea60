import type { Page } from '@playwright/test'
import { expect, settled, take, test } from './test.ts'

const USERS = '/user/admin/user'
const MENU = '사용자 메뉴'
const WIDE = { width: 1440, height: 900 }

/** The calls that change something, as they leave. */
function writesOf(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  return sent
}

/** Holds the answer of a path back until it is let go. */
async function hold(page: Page, path: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    await promise
    await route.fallback()
  })
  return resolve
}

test.describe('the users of an administrator', { tag: '@fixture' }, () => {
  test('on a wide window are one table that is sorted by its headings', async ({ page, enter }) => {
    await page.setViewportSize(WIDE)
    await enter('admin', USERS)
    const table = page.getByRole('table', { name: '사용자와 계좌의 상태' })
    for (const name of ['총자산', '오늘', '미체결', '마지막 주문', '차이', '멈춤', '아침 점검', 'KEY', 'SOC'])
      await expect(table.getByRole('columnheader', { name })).toBeVisible()
    const first = table.getByRole('row').nth(1)
    await take(page, ['차이'])
    await expect(table.getByRole('columnheader', { name: '차이' })).toHaveAttribute('aria-sort', 'descending')
    await expect(first).toContainText(/차이 \d/)
    await take(page, ['SOC', /^SOC/])
    await expect(first).toContainText('SOC 꺼짐')
    await table.getByRole('link', { name: 'junho@example.com' }).click()
    await expect(page).toHaveURL(/\/u2\/balance$/)
  })

  test('on a phone are cards with the same facts', async ({ page, enter }) => {
    await enter('admin', USERS)
    const card = page.getByRole('region', { name: 'newbie@example.com' })
    for (const text of [/[\d,]+원/, '오늘', '미체결', '마지막 주문', '준비됨', 'KEY', 'SOC', '매매 중'])
      await expect(card).toContainText(text)
    await expect(page.getByRole('table')).toHaveCount(0)
  })

  test('say who is not ready in the morning and why, can be narrowed to them, and lead to their check', async ({
    page,
    enter,
  }) => {
    await enter('admin', USERS)
    await take(page, ['준비 안 됨 1'])
    await expect(page.getByRole('main').getByRole('link', { name: 'admin@example.com' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'minji@example.com' })).toHaveCount(0)
    await expect(page.getByText('오늘 상한가·하한가를 아직 읽지 못했습니다.')).toBeVisible()
    await page.getByRole('link', { name: '준비 안 됨 · 2가지' }).click()
    await expect(page).toHaveURL(/\/a1\/morning$/)
  })

  test('fit a screen of 320 px', async ({ page, enter }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await enter('admin', USERS)
    await expect(page.getByRole('region', { name: '모든 사용자에게 할 일' })).toBeVisible()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  })

  test('may be let add stocks, one by one', async ({ page, enter }) => {
    await enter('admin', USERS)
    const menu = 'newbie@example.com 메뉴'
    // An open menu offers what it was opened with.
    for (const step of [/^종목 추가 허용/, /^종목 추가 막기/]) {
      await take(page, [menu])
      await Promise.all([page.waitForResponse(/\/may-add$/), take(page, [step])])
      await settled(page)
    }
    await take(page, [menu])
    await expect(page.getByRole('button', { name: /^종목 추가 허용/ })).toBeVisible()
  })

  test('have what can be done to all by weight, and what sends orders looks it', async ({ page, enter }) => {
    await enter('admin', USERS)
    const panel = page.getByRole('region', { name: '모든 사용자에게 할 일' })
    const groups = panel.getByRole('group')
    await expect(groups).toHaveCount(4)
    expect((await groups.allInnerTexts()).map((text) => text.split('\n').filter(Boolean))).toEqual([
      ['보기', '잔고 확인'],
      ['연결', '키 만들기', '로그인', '소켓 모두 연결', '소켓 모두 끊기'],
      ['장부', '잔고 맞춤', '종목 추가'],
      ['주문', '주문 모두 취소', '매도 모두 걸기'],
    ])
    const sent = writesOf(page)
    await panel.getByRole('button', { name: '매도 모두 걸기' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('사용자 4명 모두에게 적용됩니다.')
    await expect(question).toContainText('보유 종목 12개')
    await take(page, ['취소'])
    expect(sent).toEqual([])
  })
})

test.describe('a task over all users', { tag: '@fixture' }, () => {
  test('with a wrong password is tried once, and nobody’s key is touched', async ({ page, enter }) => {
    await enter('admin', USERS)
    const sent = writesOf(page)
    await take(page, [MENU, '키 만들기', ['관리자 비밀번호', 'wrong'], '확인'])
    const message = page.getByRole('alertdialog')
    await expect(message).toContainText('관리자 비밀번호가 맞지 않습니다.')
    await expect(message).not.toContainText('clear')
    expect(sent).toHaveLength(1)
  })

  test('that failed for some says for how many, and never clear', async ({ page, enter, site }) => {
    // Junho’s key is not open.
    await enter('admin', USERS)
    await take(page, [MENU, '잔고 확인'])
    const message = page.getByRole('alertdialog')
    await expect(message).toContainText('4명 중 3명을 마쳤습니다')
    await expect(message).not.toContainText('clear')
    await take(page, ['확인'])
    // The one that failed comes first.
    const lines = page.getByRole('region', { name: '잔고 확인', exact: true }).getByRole('listitem')
    await expect(lines.first()).toContainText('junho@example.com')
    site.fixture?.state.jobs.clear()
  })

  test('refuses a second one in words, before anything is typed for it', async ({ page, enter, site }) => {
    const end = await hold(page, '**/balance/check')
    await enter('admin', USERS)
    await take(page, [MENU, '잔고 확인', MENU, '종목 추가'])
    await expect(page.getByRole('alertdialog')).toContainText('잔고 확인 중입니다.')
    await expect(page.getByLabel('종목코드 6자리')).toHaveCount(0)
    end()
    site.fixture?.state.jobs.clear()
  })

  test('keeps what was typed where it is refused for everybody', async ({ page, enter }) => {
    await page.route('**/stock/005930', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 422, json: { code: 'INVALID', message: '최대 매수 금액은 0원부터입니다.' } })
        : route.fallback(),
    )
    await enter('admin', USERS)
    const sent = writesOf(page)
    await take(page, [MENU, '종목 추가', ['종목코드 6자리', '005930'], '확인'])
    const dialog = page.getByRole('dialog', { name: /설정$/ })
    await dialog.getByLabel('최고 매수가').fill('70,000')
    await dialog.getByRole('button', { name: '저장' }).click()
    await take(page, ['확인'])
    await expect(dialog.getByLabel('최고 매수가')).toHaveValue('70,000')
    // Nobody else was asked for the same.
    expect(sent).toHaveLength(1)
  })

  test('says its seconds, and after twenty of them why and what to do', async ({ page, enter, site }) => {
    await page.clock.install()
    const end = await hold(page, '**/balance/check')
    await enter('admin', USERS)
    await take(page, [MENU, '잔고 확인'])
    const panel = page.getByRole('region', { name: '잔고 확인', exact: true })
    await page.clock.runFor(5_000)
    await expect(panel).toContainText(/[5-9]초/)
    await expect(panel).not.toContainText('차례로 묻습니다')
    await page.clock.runFor(16_000)
    await expect(panel).toContainText('사용자마다 증권사에 차례로 묻습니다.')
    await expect(panel).toContainText('급하면 매매를 멈춘 뒤 다시 하세요.')
    end()
    site.fixture?.state.jobs.clear()
  })

  test('that ends while one is elsewhere leaves a note that leads back to its lines', async ({ page, enter, site }) => {
    const end = await hold(page, '**/balance/check')
    await enter('admin', USERS)
    await take(page, [MENU, '잔고 확인'])
    await page.getByRole('link', { name: 'minji@example.com' }).click()
    await expect(page).toHaveURL(/\/u1\/balance$/)
    end()
    const note = page.getByRole('region', { name: '모든 사용자 잔고 확인 결과' })
    await expect(note).toContainText('잔고 확인:')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await note.getByRole('link', { name: '열기' }).click()
    await expect(page).toHaveURL(/\/user\/admin\/user$/)
    await expect(page.getByRole('region', { name: '잔고 확인', exact: true })).toContainText('minji@example.com')
    await expect(note).toHaveCount(0)
    site.fixture?.state.jobs.clear()
  })
})

test.describe('on a wide window', { tag: '@fixture' }, () => {
  for (const page of ['gain', 'money'])
    test(`cards of ${page} leave no holes`, async ({ page: browser, enter }) => {
      await browser.setViewportSize(WIDE)
      await enter('admin', `/user/admin/${page}?fromDate=20261116&toDate=20261120`)
      const cards = browser
        .getByRole('region', { name: 'minji@example.com' })
        .locator('section', { has: browser.locator('h2', { hasText: /^2026-11-/ }) })
      await expect(cards).toHaveCount(5)
      const boxes = await Promise.all((await cards.all()).map((card) => card.boundingBox()))
      if (page === 'gain') {
        // Days of many heights go down columns: none is shorter than another by more than a card and the space below it.
        const columns = [...Map.groupBy(boxes, (box) => box?.x).values()].map((column) =>
          Math.max(...column.map((box) => (box?.y ?? 0) + (box?.height ?? 0))),
        )
        expect(columns.length).toBeGreaterThan(1)
        const tallest = Math.max(...boxes.map((box) => box?.height ?? 0))
        expect(Math.max(...columns) - Math.min(...columns)).toBeLessThanOrEqual(tallest + 12)
        return
      }
      const rows = Map.groupBy(boxes, (box) => box?.y)
      expect(rows.size).toBeGreaterThan(1)
      const ends = [...rows.values()].map((row) =>
        Math.round(Math.max(...row.map((box) => (box?.x ?? 0) + (box?.width ?? 0)))),
      )
      expect(new Set(ends).size).toBe(1)
      for (const row of rows.values()) expect(new Set(row.map((box) => Math.round(box?.height ?? 0))).size).toBe(1)
    })

  test('the wheel of a long task lies over nobody’s name', async ({ page, enter, site }) => {
    const end = await hold(page, '**/balance/check')
    for (const size of [WIDE, { width: 390, height: 844 }]) {
      await page.setViewportSize(size)
      await enter('admin', USERS)
      await take(page, [MENU, '잔고 확인'])
      const wheel = await page.getByRole('status', { name: '처리 중' }).locator('span').last().boundingBox()
      for (const email of await page
        .getByRole('main')
        .getByRole('link', { name: /@example\.com$/ })
        .all()) {
        const name = await email.boundingBox()
        if (wheel === null || name === null) throw new Error('not drawn')
        const apart =
          wheel.x >= name.x + name.width ||
          wheel.x + wheel.width <= name.x ||
          wheel.y >= name.y + name.height ||
          wheel.y + wheel.height <= name.y
        expect(apart).toBe(true)
      }
      // Where no name ever is: in the top bar, or in the corner above the bottom bar.
      const middle = (wheel?.y ?? 0) + (wheel?.height ?? 0) / 2
      expect(middle).toBeCloseTo(size === WIDE ? 28 : size.height - 64 - 12 - 18, 0)
    }
    end()
    site.fixture?.state.jobs.clear()
  })
})

test.describe('what one user loses', { tag: '@fixture' }, () => {
  for (const [item, follows] of [
    ['키 삭제', 'Digger가 이 사용자의 주문을 내지도 취소하지도 못하고'],
    ['소켓 끊기', '새 가격이 오지 않아 자동으로 사지 않습니다.'],
  ] as const)
    test(`${item} asks first and says what follows`, async ({ page, enter }) => {
      await enter('admin', USERS)
      const sent = writesOf(page)
      await take(page, ['minji@example.com 메뉴', item])
      await expect(page.getByRole('alertdialog')).toContainText(follows)
      await take(page, ['취소'])
      await expect(page.getByRole('alertdialog')).toHaveCount(0)
      expect(sent).toEqual([])
    })
})

test(
  'a correction that ends on another page names its stock in a note',
  { tag: '@fixture' },
  async ({ page, enter }) => {
    const end = await hold(page, '**/fix-balance')
    await enter('admin', '/u1/stock/005930/trade')
    await take(page, [/메뉴$/, '잔고 맞춤'])
    await expect(page.getByText('minji@example.com 삼성전자 잔고 맞춤 중입니다.')).toBeVisible()
    await page.getByRole('navigation', { name: '바로 가기' }).getByRole('link', { name: '손익' }).click()
    await expect(page).toHaveURL(/\/gain$/)
    end()
    await expect(page.getByRole('region', { name: 'minji@example.com 삼성전자 잔고 맞춤 결과' })).toContainText(
      '장부를 증권사 잔고에 맞췄습니다.',
    )
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  },
)

test(
  'the activity log names stocks beside their codes, and finds a line by its words',
  { tag: '@fixture' },
  async ({ page, enter }) => {
    await enter('user', '/user/audit')
    const lines = page.getByRole('list', { name: '활동 기록' }).getByRole('listitem')
    await expect(lines.filter({ hasText: '005930 삼성전자' })).toHaveCount(1)
    await page.getByLabel('기록에서 찾기').fill('삼성 추가')
    await expect(lines).toHaveCount(1)
    await page.getByLabel('기록에서 찾기').fill('로그인')
    await expect(lines).toHaveCount(2)
    await page.getByLabel('기록에서 찾기').fill('없는 말')
    await expect(page.getByText('여기에는 그런 기록이 없습니다.')).toBeVisible()
  },
)
