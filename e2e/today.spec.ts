import { expect, settled, test } from './test.ts'

test.describe('today', { tag: '@fixture' }, () => {
  test('shows what stays, what needs its person, what was done and why, what waits, and the ledger', async ({
    page,
    enter,
    site,
  }) => {
    const state = site.fixture?.state
    // Another test may have had it sent.
    const since = new Date(Date.now() - 34_000).toISOString()
    state?.put('u1', { ...state.stock('u1', '247540'), due: { side: 'buy', since } })
    await enter('user', '/user/today')
    await settled(page)
    const part = (name: string) => page.getByRole('region', { name })
    await expect(part('오늘 손익')).toContainText(/비용 뺌\+[\d,]+원비용 빼기 전 \+[\d,]+원 · 비용 −[\d,]+원/)
    await expect(part('오늘 손익')).toContainText(/산 것 3번[\d,]+원판 것 5번[\d,]+원/)
    await expect(part('확인할 것').getByText('나가야 할 매수 주문이 나가지 못하고 있습니다.')).toBeVisible()
    const done = part('한 일').getByRole('listitem')
    await expect(done).toHaveCount(8)
    await expect(done.first()).toContainText('13:25')
    await expect(done.first()).toContainText('삼성전자 1주 팔았습니다')
    await expect(done.first()).toContainText('71,200원 · 목표가 1.2%에 팝니다.')
    await expect(done.first()).toContainText('+691원')
    await expect(part('한 일').getByText('직접 낸 주문')).toHaveCount(1)
    const waiting = part('기다리는 것').getByRole('listitem')
    await expect(waiting.filter({ hasText: 'SK하이닉스 사기' })).toContainText('−1.5% 내리면')
    await expect(waiting.filter({ hasText: 'SK하이닉스 팔기' })).toContainText('+10.3% 오르면')
    await expect(page.getByText('증권사 장부와 같습니다.')).toBeVisible()
    await done.first().getByRole('link', { name: '삼성전자' }).click()
    await expect(page).toHaveURL(/\/user\/stock\/005930\/trade$/)
  })

  test('a book that differs is amber, and leads to the stock', async ({ page, enter }) => {
    await page.route('**/api/user/today', async (route) => {
      const reply = await route.fetch()
      const today: object = await reply.json()
      await route.fulfill({
        json: { ...today, compared: { at: '2026-11-20T13:29:40+09:00', stocks: 12, differing: ['035720'] } },
      })
    })
    await enter('user', '/user/today')
    await expect(page.getByText('1종목이 증권사 장부와 다릅니다.')).toBeVisible()
    await page.getByRole('link', { name: '다른 종목 보기' }).click()
    await expect(page).toHaveURL(/\/user\/stock\/035720\/trade$/)
  })

  test('is in the menu', async ({ page, enter }) => {
    await enter('user', '/user/money')
    await page.getByRole('button', { name: '메뉴 열기' }).click()
    await page.getByRole('dialog', { name: '메뉴' }).getByRole('link', { name: '오늘' }).click()
    await expect(page.getByRole('heading', { name: '오늘', exact: true })).toBeFocused()
  })
})
