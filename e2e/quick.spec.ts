import type { Page } from '@playwright/test'
import { expect, settled, test } from './test.ts'

/** Presses as they come that waited for a busy page: with no picture between them. */
const press = (page: Page, name: string, times: number) =>
  page.evaluate(`(() => {
    const isIt = (one) => one.ariaLabel === '${name}' || one.textContent === '${name}'
    const button = [...document.querySelectorAll('main button')].find(isIt)
    for (let n = 0; n < ${times}; n += 1) button.click()
  })()`)

test.describe('presses that come at once', { tag: '@fixture' }, () => {
  test('step from month to month, and back', async ({ page, enter }) => {
    await enter('user', '/user/gain?fromDate=20261101&toDate=20261130')
    await settled(page)
    await press(page, '이전 달', 3)
    await expect(page).toHaveURL(/fromDate=20260801&toDate=20260831$/)
    await page.goBack()
    await expect(page).toHaveURL(/fromDate=20260901&toDate=20260930$/)
  })

  test('switch a part of the view on, off and on', async ({ page, enter }) => {
    await enter('user', '/user/balance')
    await settled(page)
    const detail = page.getByRole('main').getByRole('button', { name: '자세히', exact: true })
    await press(page, '자세히', 3)
    await expect(detail).toHaveAttribute('aria-pressed', 'true')
    await page.goBack()
    await expect(detail).toHaveAttribute('aria-pressed', 'false')
  })
})
