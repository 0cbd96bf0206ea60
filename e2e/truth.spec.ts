import type { Page } from '@playwright/test'
import { expect, settled, take, test } from './test.ts'

const CODE = '005930'
/** Settings of a stock that nobody holds and whose price is below the ceiling: it would be bought at once. */
const FROM_THE_TOP = {
  price: 152_800,
  remainCount: 0,
  remainAmount: 0,
  takenOver: { count: 0, amount: 0 },
  autoBuy: true,
  maxBuyPrice: 200_000,
  lastBuyPrice: null,
  buyUnitPrice: 500_000,
  maxBuyAmount: 5_000_000,
  buyPercent: -0.2,
  sellPercent: 1.2,
  autoSellWithAvgPrice: false,
  useMinSellPrice: false,
}
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

test.describe('numbers are true at that moment', { tag: '@fixture' }, () => {
  test('the gain of all times has what was sold out, too', async ({ page, enter, site }) => {
    const state = site.fixture?.state
    const before = state?.stock('u1', '000660')
    if (!state || !before) return
    state.put('u1', { ...before, remainCount: 0, remainAmount: 0, accGainAmount: 385_000 })
    await enter('user', '/user/balance')
    const all = state.of('u1')
    const held = all.filter(({ remainCount }) => remainCount > 0)
    const [ofAll, ofHeld] = [all, held].map((stocks) =>
      Math.abs(stocks.reduce((sum, { accGainAmount }) => sum + accGainAmount, 0)).toLocaleString('ko-KR'),
    )
    expect(ofAll).not.toBe(ofHeld)
    await expect(page.getByRole('region', { name: '자산' })).toContainText(
      new RegExp(`누적 손익(?:[▲▼] )?[+−]${ofAll}원`),
    )
    state.put('u1', before)
  })

  test('a waiting buy names no price, and one that was made says when', async ({ page, enter, site }) => {
    const state = site.fixture?.state
    const before = state?.stock('u1', '000660')
    if (!state || !before) return
    const bought = { side: 'buy' as const, ok: true, code: 'priceReached' as const, at: '2026-11-20T13:12:05+09:00' }
    state.put('u1', { ...before, reasons: [{ ...bought, text: '현재가 148,300원이 다음 매수가 이하였습니다.' }] })
    await enter('user', '/user/balance')
    await expect(card(page, '카카오')).toContainText(/왜 안 샀나 다음 매수까지 −1\.\d% 남아 기다립니다\./)
    await expect(card(page, '카카오')).not.toContainText('현재가')
    await expect(card(page, 'SK하이닉스')).toContainText('왜 샀나 11/20 13:12:05 현재가 148,300원이')
    await page.goto('/user/stock/000660/trade')
    await expect(page.getByRole('region', { name: '판단 이유' })).toContainText('왜 샀나 11/20 13:12:05 현재가')
    state.put('u1', before)
  })

  test('a preview begins at the price that is there, and says how far down the money lasts', async ({
    page,
    enter,
    site,
  }) => {
    const state = site.fixture?.state
    const before = state?.stock('a1', CODE)
    if (!state || !before) return
    state.put('a1', {
      ...before,
      ...FROM_THE_TOP,
    })
    await enter('admin', `/a1/stock/${CODE}/settings`)
    const preview = page.getByRole('region', { name: '미리 보기' })
    await expect(preview.getByRole('listitem').first()).toHaveText('지금 152,800원 3주 · 458,400원')
    await expect(preview).toContainText(/지금 가격에서 \d\.\d% 내린 1[45]\d,\d{3}원에서 한도의 99%를 다 씁니다\./)
    await expect(preview).toContainText(/비용을 빼고 \+[\d,]+원이 남습니다\./)
    await page.getByLabel('매도 비율').fill('0.1')
    await expect(preview).toContainText(/비용을 빼고 −[\d,]+원이 남습니다\./)
    await page.getByLabel('매도 비율').fill('많이')
    await expect(preview).toContainText('숫자가 아닌 값이 있어 계산할 수 없습니다.')
    await page.getByLabel('매도 비율').fill('1.2')
    // As a phone's Korean keyboard writes it, and as people say it.
    await page.getByLabel('최대 매수 금액').fill('５００만')
    await expect(page.getByRole('region', { name: '저장' })).toHaveCount(0)
    await page.getByLabel('1회 매수 금액').fill('-5')
    await expect(page.getByLabel('1회 매수 금액')).toHaveAccessibleDescription(/0원부터 1조 원까지/)
    await expect(preview).not.toContainText(/[-−][\d,]+주/)
    state.put('a1', before)
  })

  test('a merged row says what was paid, and calls the price an average', async ({ page, enter }) => {
    await page.route('**/kis/ordered?*', (route) =>
      route.fulfill({
        json: [
          [20, 150_050],
          [7, 149_900],
        ].map(([qty, price]) => ({
          code: CODE,
          name: '삼성전자',
          orderType: 'BUY',
          exchangeCode: 'KRX',
          qty,
          price,
          orderDateTime: '2026-11-20T10:00:00+09:00',
        })),
      }),
    )
    await enter('user', '/user/kis/ordered')
    const main = page.getByRole('main')
    await expect(main).toContainText('BUY27주4,050,300원')
    await expect(main.getByRole('listitem').first()).toContainText('평균 150,012 × 27주 = 4,050,300원')
  })

  test('one trade is sold by a sheet that names it, what it costs and what stays', async ({ page, enter }) => {
    await enter('user', '/user/stock/000660/trade')
    await settled(page)
    const trade = page.getByRole('region', { name: '매매 목록' }).getByRole('article').last()
    await trade.getByRole('button', { name: '매도' }).click()
    const sheet = page.getByRole('dialog')
    await expect(sheet).toHaveAccessibleName(/^SK하이닉스 \d+주 \(매수가 [\d,]+원\)$/)
    const row = sheet.getByRole('button', { name: '매도', exact: true })
    await expect(row).toHaveAccessibleDescription(/^목표가 [\d,]+원에 걸기$/)
    await take(page, ['매도 (시장가)'])
    await expect(sheet).toHaveAccessibleName('SK하이닉스 매도 (시장가)')
    await expect(sheet).toContainText(/현재가 [\d,]+원/)
    await expect(sheet).toContainText(/팔리면 남는 손익약 [▲▼]? ?[+−][\d,]+원/)
  })
})

test.describe('what takes long, is refused, or is pressed twice', { tag: '@fixture' }, () => {
  test('a check of one stock says its seconds, its name, and after twenty of them what to do', async ({
    page,
    enter,
  }) => {
    const answered = Promise.withResolvers<void>()
    await page.route('**/check-balance', async (route) => {
      await answered.promise
      await route.fallback()
    })
    await page.clock.install()
    await enter('admin', `/u1/stock/${CODE}/trade`)
    await take(page, [/메뉴$/, '잔고 확인'])
    const main = page.getByRole('main')
    await expect(main).toContainText('minji@example.com 삼성전자 잔고 확인 중입니다.')
    await page.clock.runFor(5_000)
    await expect(main).toContainText(/[5-9]초/)
    await expect(main).not.toContainText('급하면')
    await page.clock.runFor(16_000)
    await expect(main).toContainText('급하면 매매를 멈춘 뒤 다시 하세요.')
    await page.getByRole('navigation', { name: '바로 가기' }).getByRole('link', { name: '손익' }).click()
    // Whoever is still there reads it there.
    await expect(page).toHaveURL(/\/u1\/gain/)
    await expect(page.getByRole('heading', { level: 1 })).not.toContainText('삼성전자')
    answered.resolve()
    await expect(page.getByRole('region', { name: 'minji@example.com 삼성전자 잔고 확인 결과' })).toContainText(
      '2주가 모자랍니다',
    )
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })

  test('who cuts the own connection is asked, and told what follows', async ({ page, enter, site }) => {
    await enter('user', '/user/socket')
    await take(page, ['끊기'])
    await expect(page.getByRole('alertdialog')).toContainText('새 가격이 오지 않아 자동으로 사지 않습니다.')
    await take(page, ['취소'])
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    expect(site.fixture?.state.connected.has('u1')).toBe(true)
  })

  test('who may no longer add stocks is told so, and nothing typed is lost', async ({ page, enter, site }) => {
    const state = site.fixture?.state
    await enter('newbie', '/user/stock/005930/trade')
    await expect(page.getByText('005930 종목은 목록에 없습니다')).toBeVisible()
    await expect(page.getByRole('main').getByRole('button', { name: '종목 추가' })).toHaveCount(0)
    state?.mayAdd.add('u3')
    await page.reload()
    await take(page, ['종목 추가'])
    await page.getByRole('dialog').getByLabel('최대 매수 금액').fill('7,000,000')
    state?.mayAdd.delete('u3')
    await take(page, ['저장'])
    await expect(page.getByRole('alertdialog')).toContainText('종목을 추가할 권한이 없습니다. 관리자에게')
    await take(page, ['확인'])
    await expect(page.getByRole('dialog').getByLabel('최대 매수 금액')).toHaveValue('7,000,000')
    expect(state?.of('u3')).toEqual([])
  })

  test('the second half of a double press on a question does not press the row below', async ({ page, enter }) => {
    const answered = Promise.withResolvers<void>()
    const sent: string[] = []
    await page.route('**/balance/cancel*', async (route) => {
      sent.push(route.request().method())
      await answered.promise
      await route.fulfill({ json: {} })
    })
    await enter('admin', '/u1/kis/order')
    await settled(page)
    await take(page, ['미체결 주문 메뉴', 'CANCEL ALL'])
    const yes = await page.getByRole('alertdialog').getByRole('button', { name: '모두 취소' }).boundingBox()
    if (yes === null) throw new Error('no button')
    const [x, y] = [yes.x + yes.width / 2, yes.y + yes.height / 2]
    await page.mouse.dblclick(x, y)
    await expect.poll(() => sent).toEqual(['POST'])
    await expect(page.getByRole('dialog')).toHaveCount(0)
    // There is a row: pressed on purpose it opens.
    expect(await page.evaluate(`document.elementFromPoint(${x}, ${y}).closest('li button') !== null`)).toBe(true)
    await expect(async () => {
      await page.mouse.click(x, y)
      await expect(page.getByRole('dialog')).toBeVisible({ timeout: 500 })
    }).toPass()
    answered.resolve()
  })
})
