import type { Page } from '@playwright/test'
import { calls } from '@digger/contract'
import { fillJoin } from './join.ts'
import { expect, settled, take, test } from './test.ts'

/** Where the first letter of a text is drawn, px from the left. */
const leftOfText = (page: Page, selector: string): Promise<number> =>
  page.evaluate(`(() => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector(${JSON.stringify(selector)}))
    return range.getBoundingClientRect().left
  })()`)

test.describe('nothing is out of place', { tag: '@fixture' }, () => {
  test('the name of another’s account is within the top bar of an administrator’s phone', async ({ page, enter }) => {
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 700 })
      await enter('admin', '/u1/stock/005930/trade')
      await settled(page)
      const bar = await page.locator('#root > div > header').boundingBox()
      const name = await page.getByRole('banner').getByText('minji@example.com').boundingBox()
      expect((name?.y ?? 0) - (bar?.y ?? 0)).toBeGreaterThanOrEqual(3)
    }
  })

  test('in the dialog of a stock that is added, labels begin where the buttons do', async ({ page, enter }) => {
    await enter('admin', '/user/stock/999990/trade')
    await take(page, ['종목 추가'])
    const dialog = page.getByRole('dialog')
    const button = await dialog.getByRole('button', { name: /^1000/ }).boundingBox()
    expect(Math.abs((await leftOfText(page, 'dialog label')) - (button?.x ?? 0))).toBeLessThan(2)
  })

  test('an administrator’s badges begin where the name above does', async ({ page, enter }) => {
    await enter('admin', '/user/balance')
    await settled(page)
    const badge = await page.getByRole('article').first().getByRole('switch').first().locator('[data-on]').boundingBox()
    expect(Math.abs((await leftOfText(page, 'main article h2')) - (badge?.x ?? 0))).toBeLessThan(1.5)
    await page.goto('/user/admin/user')
    const user = page.getByRole('region', { name: 'newbie@example.com' })
    const [mark, total] = await Promise.all([
      user.getByText('KEY').first().boundingBox(),
      user.getByText('12,345,678원', { exact: true }).boundingBox(),
    ])
    expect(Math.abs((mark?.x ?? 0) - (total?.x ?? Infinity))).toBeLessThan(1.5)
  })

  test('particles fit the names they stand behind', async ({ page, enter }) => {
    await enter('admin', '/u1/stock?showOnlyWatch=false&showDetail=true')
    await settled(page)
    for (const [name, text] of [
      ['삼성전자', '삼성전자를 목록에서'],
      ['SK하이닉스', 'SK하이닉스를 목록에서'],
    ] as const) {
      await page.getByRole('article', { name, exact: true }).getByRole('button').first().click()
      await take(page, ['삭제'])
      await expect(page.getByRole('alertdialog')).toContainText(text)
      await take(page, ['취소'])
    }
  })

  test('beside the top bar there is no strip: the scroll bar is there, not room for one', async ({ page, enter }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await enter('user', '/user/socket')
    expect(
      await page.evaluate(`(({ scrollbarGutter, overflowY }) => [scrollbarGutter, overflowY])(
        getComputedStyle(document.documentElement))`),
    ).toEqual(['auto', 'scroll'])
  })

  test('no amount breaks before its 원 at 320 px', async ({ page, enter }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await page.route('**/api/user/balance?*', async (route) => {
      const reply = await route.fetch()
      await route.fulfill({ json: { ...(await reply.json()), depositAmount: 115_599_450_000 } })
    })
    await enter('user', '/user/balance')
    const assets = page.getByRole('region', { name: '자산' })
    await expect(assets).toContainText('115,599,450,000원')
    const heights = await assets.locator('dd').evaluateAll((all) => all.map((one) => one.clientHeight))
    expect(heights.filter((height) => height > 30)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  })

  test('an account number is taken with its hyphen, and in full-width digits', async ({ page }) => {
    for (const [typed, shown] of [
      ['1234567801', '12345678-01'],
      ['１２３４５６７８-０１', '１２３４５６７８-０１'],
    ] as const) {
      await fillJoin(page, { accountNumber: typed, htsId: 'sora' })
      await expect(page.getByLabel('accountNumber')).toHaveValue(shown)
      const sent = page.waitForRequest('**/api/user/user')
      await take(page, ['JOIN'])
      expect(calls.signUp.body.parse((await sent).postDataJSON()).accountNumber).toBe('1234567801')
    }
  })
})
