import type { Page } from '@playwright/test'
import { expect, settled, take, test } from './test.ts'

const CODE = '005930'

/** The sheet of the first card's sale. */
async function open(page: Page, row: string) {
  await page.getByRole('article').first().getByRole('button').first().click()
  await page.getByRole('button', { name: row, exact: true }).click()
  return page.getByRole('dialog')
}

const sales = (page: Page): string[] => {
  const sent: string[] = []
  page.on('request', (one) => {
    if (one.method() === 'POST' && one.url().includes('/sell'))
      sent.push(new URL(one.url()).pathname + new URL(one.url()).search)
  })
  return sent
}

test.describe('a sale', { tag: '@fixture' }, () => {
  test.beforeEach(({ site }) => {
    const state = site.fixture?.state
    const stock = state?.stock('a1', CODE)
    if (state && stock) state.put('a1', { ...stock, price: 146_500, remainCount: 8, remainAmount: 8 * 147_600 })
  })

  test('at a price says what it would send while it is typed, and sends that', async ({ page, enter }) => {
    await enter('admin', '/user/balance')
    const sent = sales(page)
    const sheet = await open(page, '지정가 매도')
    // A habitual Enter sells nothing.
    await expect(sheet.getByRole('button', { name: '삼성전자 지정가 매도 닫기' })).toBeFocused()
    await expect(sheet.getByLabel('매도가')).toHaveValue('146,500')
    await expect(sheet).toContainText('팔 수 있는 6주 / 보유 8주')
    await expect(sheet).toContainText('2주는 직접 낸 매도 주문에 묶여 있습니다.')
    await expect(sheet.getByRole('button', { name: '6주 146,500원에 매도' })).toBeEnabled()

    await sheet.getByLabel('매도가').fill('146,550')
    await expect(sheet).toContainText('100원 단위에 맞춰 146,600원에 냅니다.')
    await take(page, ['절반 3주', '나눌 개수 1 늘리기'])
    await expect(sheet).toContainText('2주 + 1주')
    await expect(sheet).toContainText('3주 × 146,600 = 439,800원')
    await sheet.getByLabel('매도가').fill('팔만원어치')
    await expect(sheet.getByRole('status')).toHaveText('매도가를 1원 이상의 숫자로 넣어 주세요.')
    await expect(sheet.getByRole('button', { name: /매도$/ })).toBeDisabled()
    await sheet.getByLabel('매도가').fill('14만 6,550')
    await take(page, ['3주 146,600원에 매도'])
    const alert = page.getByRole('alertdialog')
    await expect(alert).toContainText('done')
    await expect(alert).toContainText('매도 주문 2건, 모두 3주: 2주를 146,600원에(NXT, 293,200원)')
    expect(sent).toEqual([`/api/a1/stock/${CODE}/sell/price?sellPrice=146550&sellCount=2&qty=3`])
    await take(page, ['확인'])
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('of half a holding takes four presses from the balance', async ({ page, enter }) => {
    await enter('admin', '/user/balance')
    const sent = sales(page)
    await settled(page)
    await page.getByRole('article').first().getByRole('button').first().click()
    await take(page, ['시장가 매도', '절반 3주', '3주 시장가에 매도 · 지금 146,500원'])
    await expect(page.getByRole('alertdialog')).toContainText('매도 3주를 시장가로(NXT) 주문했습니다.')
    expect(sent).toEqual([`/api/a1/stock/${CODE}/sell/market-price?qty=3&seenPrice=146500`])
  })

  test('that would be refused says why instead, and what was typed stays after a refusal', async ({ page, enter }) => {
    await enter('admin', '/user/balance')
    const sheet = await open(page, '지정가 매도')
    await sheet.getByLabel('수량', { exact: true }).fill('7')
    await expect(sheet.getByRole('status')).toContainText('팔 수 있는 주식은 6주입니다.')
    await expect(sheet.getByRole('button', { name: '매도', exact: true })).toBeDisabled()
    await sheet.getByLabel('수량', { exact: true }).fill('5')
    await page.route('**/sell/price?*', (route) =>
      route.fulfill({ status: 409, json: { code: 'STOPPED', message: '이 종목은 멈춰 있습니다.' } }),
    )
    await take(page, ['5주 146,500원에 매도'])
    await expect(page.getByRole('alertdialog')).toContainText('이 종목은 멈춰 있습니다.')
    await take(page, ['확인'])
    await expect(sheet.getByLabel('수량', { exact: true })).toHaveValue('5')
    await expect(sheet.getByRole('button', { name: '5주 146,500원에 매도' })).toBeEnabled()
  })

  test('follows the price while it is open, and cannot be pressed through', async ({ page, enter, site }) => {
    await enter('admin', '/user/balance')
    const sent = sales(page)
    await page.getByRole('article').first().getByRole('button').first().click()
    // The second press of a double one finds the button of the sheet in the place of the row.
    const row = page.getByRole('button', { name: '시장가 매도', exact: true })
    await row.click()
    const sheet = page.getByRole('dialog')
    await sheet
      .getByRole('button', { name: /매도( ·.*)?$/ })
      .click({ force: true, timeout: 400 })
      .catch(() => undefined)
    site.fixture?.state.setPrice('a1', CODE, 150_000)
    await expect(sheet.getByRole('button', { name: '6주 시장가에 매도 · 지금 150,000원' })).toBeEnabled()
    await expect(sheet).toContainText('오늘의 하한가 105,000원보다 낮게는 팔리지 않습니다.')
    expect(sent).toEqual([])
  })

  test('that only rests at the target says so in the menu', async ({ page, enter, site }) => {
    const state = site.fixture?.state
    const stock = state?.stock('a1', CODE)
    if (state && stock) state.put('a1', { ...stock, nextSellPrice: 149_400, autoSellWithAvgPrice: false })
    await enter('admin', '/user/balance')
    await page.getByRole('article').first().getByRole('button').first().click()
    const rows = page.getByRole('dialog').getByRole('listitem')
    const row = page.getByRole('button', { name: '매도', exact: true })
    await expect(row).toHaveAccessibleDescription('목표가 149,400원부터 매매마다 걸기')
    for (const one of await rows.all()) expect((await one.boundingBox())?.height).toBe(60)
  })

  test('needs no scrolling sideways at 320 px', async ({ page, enter }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await enter('admin', '/user/balance')
    const sheet = await open(page, '지정가 매도')
    const button = sheet.getByRole('button', { name: '6주 146,500원에 매도' })
    await expect(button).toBeInViewport({ ratio: 1 })
    expect(
      await sheet.evaluate((one) =>
        [...one.querySelectorAll('*')].every((e) => e.scrollWidth <= e.clientWidth || e.clientWidth === 0),
      ),
    ).toBe(true)
  })
})
