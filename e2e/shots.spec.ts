import type { Page } from '@playwright/test'
import { MADE_UP_PAGES } from './pages.ts'
import { drawAll, expect, settled, test } from './test.ts'

/** Pages that need some steps first. */
const STATES: readonly { name: string; who: 'user' | 'admin' | 'newbie'; path: string; to: (page: Page) => unknown }[] =
  [
    {
      name: 'edit-dialog',
      who: 'admin',
      path: '/user/stock?showOnlyWatch=false',
      to: async (page) => {
        await page.getByRole('article').first().getByRole('button').first().click()
        await page.getByRole('button', { name: '종목 수정' }).click()
        await page.getByRole('dialog').getByRole('button', { name: '저장' }).waitFor()
      },
    },
    {
      name: 'bulk-results',
      who: 'admin',
      path: '/user/admin/user',
      to: async (page) => {
        await page.getByRole('button', { name: '사용자 메뉴', exact: true }).click()
        await page.getByRole('button', { name: '잔고 확인' }).click()
        await page.getByRole('button', { name: '확인', exact: true }).click()
      },
    },
    {
      name: 'sell-at-price',
      who: 'admin',
      path: '/user/stock?showOnlyWatch=false',
      to: async (page) => {
        await page.getByRole('article').first().getByRole('button').first().click()
        await page.getByRole('button', { name: '지정가 매도' }).click()
        await page.getByLabel('매도가').waitFor()
      },
    },
    { name: 'empty-balance', who: 'newbie', path: '/user/balance', to: () => undefined },
    { name: 'gain-year', who: 'user', path: '/user/gain?fromDate=20260101&toDate=20261231', to: () => undefined },
  ]

/** Pictures of every page, for people to look at: `npm run shots`. */
for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, { tag: '@fixture' }, () => {
    test.use({ colorScheme })
    const take = async (page: Page, name: string, size: string) => {
      await settled(page)
      await drawAll(page)
      await page.screenshot({
        path: `shots/${size}/${name}-${colorScheme}.png`,
        fullPage: true,
        animations: 'disabled',
      })
    }
    for (const { name, who, path, shows } of MADE_UP_PAGES) {
      test(name, async ({ page, enter, isMobile }) => {
        await (who === 'nobody' ? page.goto(path) : enter(who, path))
        await expect(page.getByRole('main').getByText(shows).first()).toBeVisible()
        await take(page, name, isMobile ? 'phone' : 'desktop')
      })
    }
    for (const { name, who, path, to } of STATES) {
      test(name, async ({ page, enter, isMobile }) => {
        await enter(who, path)
        await expect(page.getByRole('main').getByText(/./).first()).toBeVisible()
        await settled(page)
        await to(page)
        await take(page, name, isMobile ? 'phone' : 'desktop')
      })
    }
  })
}
