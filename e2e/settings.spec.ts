import type { Page } from '@playwright/test'
import { expect, settled, take, test } from './test.ts'

const CODE = '005930'
const PATH = `/a1/stock/${CODE}/settings`
const value = (page: Page, name: string) => page.getByLabel(name)

test.describe('settings', { tag: '@fixture' }, () => {
  test.beforeEach(({ site }) => {
    const state = site.fixture?.state
    const stock = state?.stock('a1', CODE)
    if (state && stock)
      state.put('a1', {
        ...stock,
        price: 70_000,
        remainCount: 0,
        remainAmount: 0,
        maxBuyPrice: 75_000,
        maxBuyAmount: 10_000_000,
        lastBuyPrice: 75_000,
        buyUnitPrice: 210_000,
        buyPercent: -10,
        sellPercent: 1.2,
        autoBuy: true,
        autoSell: true,
        useMinSellPrice: false,
      })
  })

  test('say what is wrong at each field, all at once, and send nothing', async ({ page, enter }) => {
    await enter('admin', PATH)
    const saved: string[] = []
    page.on('request', (one) => one.method() === 'POST' && saved.push(one.url()))
    await expect(page.getByRole('region', { name: '저장' })).toHaveCount(0)
    await value(page, '최고 매수가').fill('칠만')
    await value(page, '매수 비율').fill('1')
    await value(page, '매도 비율').fill('0')
    const errors = page.locator('[aria-invalid="true"]')
    await expect(errors).toHaveCount(3)
    await expect(value(page, '최고 매수가')).toHaveAccessibleDescription(/숫자로 넣어 주세요/)
    await expect(value(page, '매수 비율')).toHaveAccessibleDescription(/0보다 작아야 합니다/)
    await expect(value(page, '매도 비율')).toHaveAccessibleDescription(/0보다 커야 합니다/)
    const bar = page.getByRole('region', { name: '저장' })
    await expect(bar).toContainText('고쳐야 저장할 수 있는 값이 3개 있습니다.')
    await take(page, ['바꾼 값 3개 저장'])
    await expect(value(page, '최고 매수가')).toBeFocused()
    expect(saved).toEqual([])
    await take(page, ['되돌리기'])
    await expect(value(page, '최고 매수가')).toHaveValue('75,000')
    await expect(bar).toHaveCount(0)
  })

  test('show what is changed beside what it was, and keep the bar in sight', async ({ page, enter }) => {
    await enter('admin', PATH)
    await take(page, ['2000 · 2,000만'])
    await value(page, '매도 비율').fill('0.2')
    await expect(page.getByText('지금 10,000,000원')).toBeVisible()
    await expect(page.getByText('지금 1.2%')).toBeVisible()
    // A sale that loses by its costs, while it is typed.
    await expect(value(page, '매도 비율')).toHaveAccessibleDescription(/수수료와 세금을 빼면 손해입니다/)
    await value(page, '자동 매수 (BUY)').focus()
    await expect(page.getByRole('button', { name: '바꾼 값 2개 저장' })).toBeInViewport({ ratio: 1 })
    // The same number in other words is no change.
    await value(page, '최대 매수 금액').fill('1,000만')
    await expect(page.getByRole('button', { name: '바꾼 값 1개 저장' })).toBeVisible()
  })

  test('separate thousands while they are typed, and the caret stays', async ({ page, enter }) => {
    await enter('admin', PATH)
    const field = value(page, '1회 매수 금액')
    await field.fill('')
    await field.pressSequentially('1234567')
    await expect(field).toHaveValue('1,234,567')
    await field.press('ArrowLeft')
    await field.press('ArrowLeft')
    await field.press('Backspace')
    await expect(field).toHaveValue('123,467')
    await field.pressSequentially('89')
    await expect(field).toHaveValue('12,348,967')
    await field.press('Home')
    for (let at = 0; at < 4; at += 1) await field.press('Delete')
    await expect(field).toHaveValue('8,967')
  })

  test('that would buy at once say so, and are asked about', async ({ page, enter, site }) => {
    await enter('admin', PATH)
    await settled(page)
    await value(page, '매수 비율').fill('-1')
    const bar = page.getByRole('region', { name: '저장' })
    await expect(bar).toContainText('저장하면 3주를 바로 삽니다.')
    await take(page, ['바꾼 값 1개 저장'])
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('저장하면 3주를 바로 삽니다.')
    await expect(question).toContainText('지금 가격은 70,000원입니다.')
    await take(page, ['취소'])
    expect(site.fixture?.state.stock('a1', CODE).buyPercent).toBe(-10)
    await take(page, ['바꾼 값 1개 저장'])
    await question.getByRole('button', { name: '저장' }).click()
    await expect(question).toContainText('done')
    expect(site.fixture?.state.stock('a1', CODE).buyPercent).toBe(-1)
  })

  test('in the dialog: Escape loses nothing that was typed; what the server refuses stands at its field', async ({
    page,
    enter,
  }) => {
    await enter('admin', '/user/stock?showOnlyWatch=false')
    await page.getByRole('article').first().getByRole('button').first().click()
    await take(page, ['종목 수정'])
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('최고 매수가')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await page.getByRole('article').first().getByRole('button').first().click()
    await take(page, ['종목 수정'])
    await dialog.getByLabel('최고 매수가').fill('칠만')
    await dialog.getByLabel('매도 비율').fill('많이')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(dialog.getByLabel('최고 매수가')).toHaveValue('칠만')
    await dialog.getByRole('button', { name: '저장' }).click()
    await expect(dialog.getByLabel('최고 매수가')).toHaveAccessibleDescription(/원 단위의 정수로/)
    await expect(dialog.getByLabel('매도 비율')).toHaveAccessibleDescription(/숫자로 넣어/)
    await expect(dialog.getByLabel('최고 매수가')).toBeFocused()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await dialog.getByRole('button', { name: '취소' }).click()
    await expect(dialog).toHaveCount(0)
  })
})
