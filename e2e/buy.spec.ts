import type { Page } from '@playwright/test'
import { atBothSizes } from './sizes.ts'
import { expect, settled, take, test } from './test.ts'

/** Samsung of the administrator: 71,200 won, a ceiling of 85,440. */
const CODE = '005930'
/** Its last trade is an hour old. */
const QUIET = '247540'

async function open(page: Page, code: string) {
  await settled(page)
  await page.getByRole('button', { name: /메뉴$/ }).last().click()
  await page.getByRole('button', { name: '시장가 매수', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: /시장가 매수$/ })
  await expect(sheet, code).toBeVisible()
  return sheet
}

const buys = (page: Page): unknown[] => {
  const sent: unknown[] = []
  page.on('request', (one) => {
    if (one.method() === 'POST' && one.url().endsWith('/order/buy')) sent.push(one.postDataJSON())
  })
  return sent
}

test.describe('a buy', { tag: '@fixture' }, () => {
  test('says what it would send while it is typed, what it may cost and what stays, and sends that', async ({
    page,
    enter,
  }) => {
    await enter('admin', `/user/stock/${CODE}/trade`)
    const sent = buys(page)
    const sheet = await open(page, CODE)
    await expect(sheet.getByRole('button', { name: '삼성전자 시장가 매수 닫기' })).toBeFocused()
    await expect(sheet.getByRole('button', { name: '매수', exact: true })).toBeDisabled()
    await expect(sheet).toContainText('만원 단위입니다. 100을 넣으면 1,000,000원어치를 삽니다.')
    await sheet.getByLabel('금액').fill('칠')
    await expect(sheet.getByRole('status')).toHaveText('금액을 만원 단위 숫자로 넣어 주세요.')
    await sheet.getByLabel('금액').fill('7')
    await expect(sheet.getByRole('status')).toContainText('한 주(71200원)를 사기에 모자란 금액입니다.')
    await sheet.getByLabel('금액').fill('100')
    const texts = ['1,000,000원어치를 삽니다.', '거래소SOR', '지정가 85,440원', '14주 × 85,440 = 1,196,160원']
    await atBothSizes(page, async () => {
      for (const text of [...texts, '12,000,000원', '10,803,840원']) await expect(sheet).toContainText(text)
    })
    await take(page, ['14주 85,440원에 매수'])
    await expect(page.getByRole('alertdialog')).toContainText('done')
    expect(sent).toEqual([{ amount: '100', seen: { price: 71_200, worst: 85_440 } }])
    await take(page, ['확인'])
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('by a price of an hour ago takes one more press, which says so first', async ({ page, enter }) => {
    await enter('admin', `/u1/stock/${QUIET}/trade`)
    const sent = buys(page)
    const sheet = await open(page, QUIET)
    await sheet.getByLabel('금액').fill('100')
    await expect(sheet).toContainText('마지막 체결가가 1분 넘게 지났거나 단일가 시간이라 그 값에 지정가로 냅니다.')
    const button = sheet.getByRole('button', { name: '6주 158,300원에 매수' })
    await button.click()
    await atBothSizes(page, () => expect(sheet.getByRole('status')).toContainText('시세가 1시간 전 것입니다.'))
    expect(sent).toEqual([])
    await button.click()
    await expect(page.getByRole('alertdialog')).toContainText('done')
    expect(sent).toEqual([{ amount: '100', seen: { price: 158_300, worst: 158_300 } }])
  })

  test('that would be refused says why instead of being sent', async ({ page, enter }) => {
    await enter('admin', `/user/stock/${CODE}/trade`)
    await page.route('**/buy?*', async (route) => {
      const reply = await route.fetch()
      const quote: unknown = await reply.json()
      await route.fulfill({ response: reply, json: { ...Object(quote), refusal: '매수가 멈춰 있습니다.' } })
    })
    const sheet = await open(page, CODE)
    await sheet.getByLabel('금액').fill('100')
    await atBothSizes(page, async () => {
      await expect(sheet.getByRole('status')).toHaveText('매수가 멈춰 있습니다.')
      await expect(sheet.getByRole('button', { name: /에 매수/ })).toBeDisabled()
    })
  })

  test('whose price has moved since is refused by the server, and what was typed stays', async ({ page, enter }) => {
    await enter('admin', `/user/stock/${CODE}/trade`)
    const message = '보신 뒤로 값이 2% 넘게 바뀌었습니다. 화면의 값을 보고 다시 눌러 주세요.'
    await page.route('**/order/buy', (route) => route.fulfill({ status: 409, json: { code: 'CONFLICT', message } }))
    const sheet = await open(page, CODE)
    await sheet.getByLabel('금액').fill('100')
    await take(page, ['14주 85,440원에 매수'])
    await expect(page.getByRole('alertdialog')).toContainText(message)
    await take(page, ['확인'])
    await atBothSizes(page, async () => {
      await expect(sheet.getByLabel('금액')).toHaveValue('100')
      await expect(sheet.getByRole('button', { name: '14주 85,440원에 매수' })).toBeEnabled()
    })
  })

  test('needs no scrolling sideways at 320 px', async ({ page, enter }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await enter('admin', `/u1/stock/${QUIET}/trade`)
    const sheet = await open(page, QUIET)
    await sheet.getByLabel('금액').fill('100,000')
    await expect(sheet.getByRole('button', { name: /에 매수/ })).toBeInViewport({ ratio: 1 })
    expect(
      await sheet.evaluate((one) =>
        [...one.querySelectorAll('*')].every((e) => e.scrollWidth <= e.clientWidth || e.clientWidth === 0),
      ),
    ).toBe(true)
  })
})

test.describe('what the exchange does to a stock', { tag: '@fixture' }, () => {
  test('stands on its card, and a press says what it means', async ({ page, enter }) => {
    await enter('user', '/user/stock')
    const card = page.getByRole('article', { name: 'LG전자' })
    const tags = card.getByRole('button', { name: /^LG전자 종목 상태 투자경고 투자주의/ })
    await tags.click()
    const meaning = page.getByRole('alertdialog')
    await expect(meaning).toContainText('LG전자: 투자경고, 투자주의')
    await expect(meaning).toContainText('Digger는 이 종목을 스스로 사지 않습니다.')
    await expect(meaning).toContainText('26-11-20 08:59:21에 확인했습니다.')
    await take(page, ['확인'])
    await expect(
      page.getByRole('article', { name: '삼성전자' }).getByRole('button', { name: /종목 상태/ }),
    ).toHaveCount(0)
  })

  test('stands on the trade page, in the sheets and on the settings page', async ({ page, enter }) => {
    await enter('admin', '/u1/stock/066570/trade')
    const tags = page.getByRole('button', { name: /^LG전자 종목 상태 투자경고/ })
    await expect(tags.first()).toBeVisible()
    const sheet = await open(page, '066570')
    await sheet.getByLabel('금액').fill('100')
    await expect(sheet.getByRole('button', { name: /종목 상태/ })).toBeVisible()
    await expect(sheet).toContainText('투자경고 종목입니다. Digger는 스스로 사지 않습니다.')
    await take(page, ['닫기'])
    await enter('admin', '/u1/stock/066570/settings')
    await expect(page.getByText('투자경고 종목이라 자동 매수를 켜도 사지 않습니다.')).toBeVisible()
  })
})
