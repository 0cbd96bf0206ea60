import type { Page } from '@playwright/test'
import type { FixtureState } from './fixture/state.ts'
import { expect, settled, take, test } from './test.ts'

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const firstCard = (page: Page) => page.getByRole('article').first()
const cardNames = async (page: Page): Promise<string[]> =>
  (await page.getByRole('main').getByRole('article').all()).length === 0
    ? []
    : page
        .getByRole('main')
        .getByRole('article')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))

/** Changes a stock until the page shows it: nothing arrives before its stream is open. */
async function change(
  state: FixtureState | undefined,
  code: string,
  fields: Partial<ReturnType<FixtureState['stock']>>,
  seen: () => Promise<void>,
): Promise<void> {
  await expect(async () => {
    if (state) state.put('u1', { ...state.stock('u1', code), ...fields, updatedAt: new Date().toISOString() })
    await seen()
  }).toPass()
}

/** A buy that waits since so many seconds for what the broker has not answered. */
const due = (seconds: number) => ({
  due: { side: 'buy' as const, since: new Date(Date.now() - seconds * 1_000).toISOString() },
  reasons: [
    {
      side: 'buy' as const,
      ok: false,
      code: 'askingCash' as const,
      text: '살 수 있는 금액을 증권사에 묻는 중입니다.',
    },
  ],
})

test.describe('a card', { tag: '@fixture' }, () => {
  test('says how far the next buy and the next sale are, and how much of the cap is used', async ({ page, enter }) => {
    await enter('user', '/user/balance')
    const one = card(page, 'SK하이닉스')
    await expect(one).toContainText('9주 × 248,500원 오늘 −0.99%')
    await expect(one).toContainText('다음 매수 −1.5%')
    await expect(one).toContainText('244만 / 2,000만')
    await expect(one).toContainText('다음 매도 +10.3%')
    await expect(one).toContainText(/사다리 \d+칸: \d+칸 삼, \d+칸 남음/)
    await expect(one).toContainText('왜 안 샀나 다음 매수까지 −1.5% 남아 기다립니다.')
    // What is off says so in a word, too.
    await expect(card(page, '현대차')).toContainText('BUY 자동매수 꺼짐')
    await expect(card(page, '현대차')).toContainText('다음 매수 꺼짐')
  })

  test('the bar does not move with the price, the distances do', async ({ page, enter, site }) => {
    await enter('user', '/user/balance')
    const one = card(page, 'SK하이닉스')
    await expect(one).toContainText('다음 매수 −1.5%')
    const bar = () => one.locator('[data-state]').first().innerHTML()
    const before = await bar()
    await expect(async () => {
      site.fixture?.state.setPrice('u1', '000660', 251_000)
      await expect(one).toContainText('다음 매수 −2.5%', { timeout: 200 })
    }).toPass()
    expect(await bar()).toBe(before)
    site.fixture?.state.setPrice('u1', '000660', 248_500)
  })

  test('an order that is due and does not leave says so after 30 s, on its card and above every page', async ({
    page,
    enter,
    site,
  }) => {
    const state = site.fixture?.state
    const before = state?.stock('u1', '035720')
    await enter('user', '/user/balance')
    await settled(page)
    const one = card(page, '카카오')
    const banner = page.getByText(/주문이 늦어지고 있습니다\./)
    await change(state, '035720', due(5), () => expect(one).toContainText('묻는 중입니다.', { timeout: 200 }))
    await expect(one).not.toContainText('차례인데')
    await change(state, '035720', due(31), () =>
      expect(one).toContainText(/3\d초째 나가지 않았습니다/, { timeout: 200 }),
    )
    await expect(one).toContainText('답이 오면 바로 냅니다. 지금 할 일은 없습니다.')
    await expect(one).toContainText(/\d\d:\d\d:\d\d부터/)
    await expect(banner).toContainText('카카오 매수')
    await change(state, '035720', due(700), () => expect(one).toContainText('관리자에게 알려 주세요', { timeout: 200 }))
    await page.getByRole('link', { name: '까닭 보기' }).click()
    await expect(page).toHaveURL(/\/user\/today$/)
    await expect(banner).toContainText('카카오 매수')
    await change(state, '035720', { due: null }, () => expect(banner).not.toContainText('카카오', { timeout: 200 }))
    if (before) state?.put('u1', before)
  })

  for (const width of [320, 390, 1440])
    test(`nothing of it is wider than it is at ${width} px`, async ({ page, enter }) => {
      await page.setViewportSize({ width, height: 800 })
      await enter('user', '/user/stock?showDetail=true&showOnlyWatch=false')
      await settled(page)
      const wide = await page.evaluate<string[]>(`[...document.querySelectorAll('main article')].flatMap((card) =>
        [...card.querySelectorAll('p, dl, div')].filter((part) => part.scrollWidth > part.clientWidth + 1
          && getComputedStyle(part).overflow === 'visible' && part.className !== '').map((part) => part.textContent))`)
      expect(wide).toEqual([])
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
    })
})

test.describe('a list of stocks', { tag: '@fixture' }, () => {
  test('stands in the order that a chip chooses, which the address keeps', async ({ page, enter }) => {
    await page.setViewportSize({ width: 390, height: 4_000 })
    await enter('user', '/user/balance')
    await settled(page)
    const order = page.getByRole('group', { name: '차례' })
    await order.getByRole('button', { name: '이름' }).click()
    await expect(page).toHaveURL(/order=name/)
    const names = await cardNames(page)
    expect(names.length).toBeGreaterThan(5)
    expect(names).toEqual(names.toSorted(new Intl.Collator('ko').compare))
    await order.getByRole('button', { name: '손익률순' }).click()
    await expect.poll(async () => (await cardNames(page))[0]).toBe('삼성전자')
    await page.reload()
    await settled(page)
    expect((await cardNames(page))[0]).toBe('삼성전자')
    await order.getByRole('button', { name: '손익률순' }).click()
    await expect(page).not.toHaveURL(/order=/)
  })

  test('finds a stock by its name, its first consonants, or its code', async ({ page, enter }) => {
    await page.setViewportSize({ width: 390, height: 4_000 })
    await enter('user', '/user/stock?showOnlyWatch=false')
    await settled(page)
    const search = page.getByRole('searchbox', { name: '종목 찾기' })
    for (const [typed, found] of [
      ['전자', ['삼성전자', 'LG전자']],
      ['ㅎㄷㅊ', ['현대차']],
      ['0356', []],
      ['0354', ['NAVER']],
    ] as const) {
      await search.fill(typed)
      await expect.poll(() => cardNames(page)).toEqual(found)
    }
    await search.fill('없는것')
    await expect(page.getByText('‘없는것’에 맞는 종목이 없습니다')).toBeVisible()
    await page.getByRole('button', { name: '모두 보기' }).click()
    await expect(search).toHaveValue('')
    await expect(card(page, '현대차')).toBeVisible()
  })

  test('what is not held is one line in a common card, with the same menu; detail opens it', async ({
    page,
    enter,
  }) => {
    await enter('user', '/user/stock')
    await settled(page)
    const common = page.getByRole('region', { name: '들고 있지 않은 종목' })
    const row = common.getByRole('article', { name: 'NAVER' })
    await expect(row).toContainText('213,000원')
    await expect(row).toContainText('다음 매수 −1.5%')
    expect((await row.boundingBox())?.height).toBeLessThan(70)
    await row.getByRole('button').click()
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText(['매매'])
    await page.keyboard.press('Escape')
    await take(page, ['자세히'])
    await expect(common).toHaveCount(0)
  })

  test('is a table where there is room and somebody wants it', async ({ page, enter }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await enter('user', '/user/balance')
    await take(page, ['표로 보기'])
    await expect(page).toHaveURL(/table=true/)
    const rows = page.getByRole('table').locator('tbody').getByRole('row')
    await expect(rows).toHaveCount(9)
    await expect(rows.filter({ hasText: 'SK하이닉스' })).toContainText('−1.5%')
    await expect(rows.filter({ hasText: '현대차' })).toContainText('BUY 꺼짐')
    await page.getByRole('columnheader').getByRole('button', { name: '보유 금액' }).click()
    await expect(rows.first()).toContainText('삼성바이오로직스')
    await rows.first().getByRole('button').click()
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText(['매매'])
    await page.keyboard.press('Escape')
    // On a phone the same address shows cards.
    await page.setViewportSize({ width: 390, height: 800 })
    await expect(card(page, '삼성전자')).toBeVisible()
  })

  test('the account: what it is worth, what today brought, and the way to today', async ({ page, enter, site }) => {
    const state = site.fixture?.state
    await enter('user', '/user/balance')
    const assets = page.getByRole('region', { name: '자산' })
    await expect(assets).toContainText('시세를 아직 받지 못해 더할 수 없습니다.')
    state?.setPrice('u1', '950170', 4_280)
    const frozen = state?.stock('u1', '105560')
    if (frozen) state?.put('u1', { ...frozen, frozen: null })
    await page.reload()
    const all = state?.of('u1').filter(({ remainCount }) => remainCount > 0) ?? []
    const total = all.reduce((sum, { price, remainCount }) => sum + (price ?? 0) * remainCount, 12_345_678)
    await expect(assets).toContainText(`총평가자산${total.toLocaleString('ko-KR')}원`)
    await expect(assets).toContainText(/판 것 \+[\d,]+원/)
    await assets.getByRole('link', { name: /오늘 보기/ }).click()
    await expect(page).toHaveURL(/\/user\/today$/)
    if (frozen) state?.put('u1', frozen)
    const jtc = state?.stock('u1', '950170')
    if (jtc) state?.put('u1', { ...jtc, price: null, priceAt: null })
  })
})

test.describe('an administrator’s switch', { tag: '@fixture' }, () => {
  test('of the watching is there at once, and can be taken back', async ({ page, enter }) => {
    await enter('admin', '/user/stock?showOnlyWatch=false')
    const badge = firstCard(page).getByRole('switch', { name: '시세 구독' })
    const answered = Promise.withResolvers<void>()
    await page.route('**/subscribed', async (route) => {
      await answered.promise
      await route.continue()
    })
    const before = (await badge.getAttribute('aria-checked')) === 'true'
    await badge.click()
    // No reply has come yet.
    await expect(badge).toHaveAttribute('aria-checked', String(!before))
    answered.resolve()
    await expect(page.getByRole('status').filter({ hasText: '시세 구독을' })).toBeVisible()
    await page.getByRole('button', { name: '되돌리기', exact: true }).click()
    await expect(badge).toHaveAttribute('aria-checked', String(before))
    await expect(page.getByText('시세 구독을')).toHaveCount(0)
  })

  test('of the watching goes back where it is refused', async ({ page, enter }) => {
    await enter('admin', '/user/stock?showOnlyWatch=false')
    await page.route('**/subscribed', (route) =>
      route.fulfill({ status: 422, json: { code: 'REJECTED', message: '구독할 수 없습니다.' } }),
    )
    const badge = firstCard(page).getByRole('switch', { name: '시세 구독' })
    const before = (await badge.getAttribute('aria-checked')) ?? ''
    await badge.click()
    await expect(page.getByRole('alertdialog')).toContainText('구독할 수 없습니다.')
    await expect(badge).toHaveAttribute('aria-checked', before)
    await expect(page.getByRole('button', { name: '되돌리기', exact: true })).toHaveCount(0)
  })

  test('of buying says that it is being saved, changes then, and can be taken back', async ({ page, enter }) => {
    await enter('admin', '/user/stock?showOnlyWatch=false')
    const badge = firstCard(page).getByRole('switch', { name: '자동 매수' })
    const answered = Promise.withResolvers<void>()
    await page.route(/\/api\/\w+\/stock\/\w{6}$/, async (route) => {
      await answered.promise
      await route.continue()
    })
    const before = (await badge.getAttribute('aria-checked')) === 'true'
    await badge.click()
    await expect(badge).toContainText('저장 중')
    await expect(badge).toHaveAttribute('aria-checked', String(before))
    answered.resolve()
    await expect(badge).toHaveAttribute('aria-checked', String(!before))
    await expect(badge).not.toContainText('저장 중')
    await page.getByRole('button', { name: '되돌리기', exact: true }).click()
    await expect(badge).toHaveAttribute('aria-checked', String(before))
  })
})
