import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'

/** Counts the taps from where one is to an answer. */
function taps(page: Page) {
  let count = 0
  return {
    tap: async (name: string | RegExp) => {
      count += 1
      await page.getByRole('button', { name }).click()
    },
    count: () => count,
  }
}

test('which user has a difference is one tap from the users', { tag: '@fixture' }, async ({ page, enter }) => {
  await enter('admin', '/user/admin/user')
  await expect(page.getByText('봐야 할 사용자')).toBeVisible()
  const { tap, count } = taps(page)
  await tap(/^차이 있음 \d+$/)
  const shown = page.getByRole('region', { name: /@example\.com$/ })
  await expect(page.getByRole('region', { name: 'minji@example.com' })).toContainText(/차이 \d/)
  const texts = await shown.allInnerTexts()
  expect(texts.filter((text) => !/차이 \d/.test(text))).toEqual([])
  expect(count()).toBe(1)
})
