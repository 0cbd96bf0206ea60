import type { Page } from '@playwright/test'
import type { FixtureJobs } from './fixture/jobs.ts'
import { MADE_UP_PAGES } from './pages.ts'
import { drawAll, expect, settled, test, STOP } from './test.ts'

const hasKey = (userId: string): boolean => !['u2', 'm05', 'm17'].includes(userId)

/** A job for 42 people, some of whom have no key, of whom so many have ended; and one from before. */
async function showJob(page: Page, jobs: FixtureJobs | undefined, ended: number): Promise<number> {
  const by = 'admin@example.com'
  jobs?.clear()
  const before = jobs?.start('check', by, hasKey) ?? 0
  jobs?.workOff(before, Infinity)
  if (jobs) jobs.more = Array.from({ length: 38 }, (_, n) => moreOf(n))
  const id = jobs?.start('sell', by, hasKey) ?? 0
  jobs?.workOff(id, ended)
  await page.reload()
  await page.getByRole('list', { name: '사용자별 결과' }).or(page.getByText('최근 작업')).first().waitFor()
  return id
}

const moreOf = (n: number) => ({ userId: `m${String(n).padStart(2, '0')}`, email: `person${n}@example.com` })

/** Pages that need some steps first. */
const STATES: readonly {
  name: string
  who: 'user' | 'admin' | 'newbie'
  path: string
  to: (page: Page, jobs?: FixtureJobs) => unknown
}[] = [
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
      await page.getByRole('button', { name: '잔고 확인', exact: true }).click()
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
      await page.getByLabel('매도가').fill('76,655')
      await page.getByText(/원에 냅니다\.$/).waitFor()
    },
  },
  {
    name: 'sell-trade',
    who: 'user',
    path: '/user/stock/005930/trade',
    to: async (page) => {
      const trades = page.getByRole('region', { name: '매매 목록' }).getByRole('article')
      await trades.filter({ hasNotText: '매수 중' }).last().getByRole('button', { name: '매도' }).click()
      await page.getByRole('button', { name: '매도 (시장가)' }).click()
      await page.getByRole('button', { name: /주 시장가에 매도/ }).waitFor()
    },
  },
  {
    name: 'settings-changed',
    who: 'user',
    path: '/user/stock/005930/settings',
    to: async (page) => {
      await page.getByLabel('최고 매수가').fill('80,000')
      await page.getByLabel('매수 비율').fill('1')
      await page.getByLabel('매도 비율').fill('0.1')
      await page.getByRole('button', { name: '바꾼 값 3개 저장' }).waitFor()
    },
  },
  {
    name: 'job-preview',
    who: 'admin',
    path: '/user/admin/job',
    to: (page) => page.getByRole('button', { name: '매도 모두 걸기' }).click(),
  },
  { name: 'job-running', who: 'admin', path: '/user/admin/job', to: (page, jobs) => showJob(page, jobs, 14) },
  {
    name: 'job-cancelled',
    who: 'admin',
    path: '/user/admin/job',
    to: async (page, jobs) => {
      const id = await showJob(page, jobs, 14)
      jobs?.cancel(id)
      jobs?.workOff(id, 4)
      await page.goto(`/user/admin/job?job=${id}`)
      await page.getByText('다시 하기').waitFor()
    },
  },
  {
    name: 'job-failures',
    who: 'admin',
    path: '/user/admin/job',
    to: async (page, jobs) => {
      const id = await showJob(page, jobs, Infinity)
      await page.goto(`/user/admin/job?job=${id}`)
      await page.getByText('다시 하기').waitFor()
    },
  },
  { name: 'empty-notification', who: 'newbie', path: '/user/notification', to: () => undefined },
  {
    name: 'notification-adding',
    who: 'admin',
    path: '/user/notification',
    to: async (page) => {
      await page.getByRole('button', { name: '텔레그램 잇기' }).click()
      await page.getByRole('button', { name: '웹훅 더하기' }).click()
      await page.getByText('K7PXM2QWAH').waitFor()
    },
  },
  {
    name: 'stop-sheet',
    who: 'user',
    path: '/user/balance',
    to: async (page) => {
      await page.getByRole('button', { name: STOP }).click()
      await page.getByRole('button', { name: '모두 취소하고 멈춤' }).waitFor()
    },
  },
  {
    name: 'stop-own-orders',
    who: 'user',
    path: '/user/balance',
    to: async (page) => {
      await page.getByRole('button', { name: STOP }).click()
      await page.getByRole('button', { name: '모두 취소하고 멈춤' }).click()
      await page.getByRole('button', { name: '그만두기' }).waitFor()
    },
  },
  {
    name: 'stop-link',
    who: 'user',
    path: '/user/limits',
    to: async (page) => {
      const panel = page.getByRole('region', { name: '멈춤 링크' })
      await panel.getByRole('button', { name: /만들기$/ }).click()
      const anew = page.getByRole('alertdialog').getByRole('button', { name: '새로 만들기' })
      if (await anew.isVisible()) await anew.click()
      await page.getByLabel('새 멈춤 링크').waitFor()
    },
  },
  {
    name: 'halt-refused',
    who: 'user',
    path: `/halt#${'B'.repeat(43)}`,
    to: async (page) => {
      await page.getByRole('button', { name: '모두 취소하고 멈춤' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'empty-balance', who: 'newbie', path: '/user/balance', to: () => undefined },
  {
    name: 'gain-menu',
    who: 'user',
    path: '/user/gain',
    to: async (page) => {
      await page.getByRole('button', { name: '실현 손익 메뉴' }).click()
      await page.getByRole('dialog').getByRole('listitem').last().waitFor()
    },
  },
  { name: 'gain-year', who: 'user', path: '/user/gain?fromDate=20260101&toDate=20261231', to: () => undefined },
]

/** The narrowest phones, px. */
const NARROW = 320

/** Pictures of every page, for people to look at: `npm run shots`. */
for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, { tag: '@fixture' }, () => {
    test.use({ colorScheme })
    const take = async (page: Page, name: string, isMobile: boolean) => {
      if (!isMobile) return keep(page, name, 'desktop')
      const { width, height } = page.viewportSize() ?? { width: 390, height: 844 }
      await takePhone(page, name, width)
      await page.setViewportSize({ width: NARROW, height })
      await takePhone(page, name, NARROW)
    }
    // A long list draws what is near the screen: on phones the screen is as tall as the page.
    const takePhone = async (page: Page, name: string, width: number) => {
      await settled(page)
      await drawAll(page)
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      await page.setViewportSize({ width, height })
      await keep(page, name, width === NARROW ? 'narrow' : 'phone')
    }
    const keep = async (page: Page, name: string, size: string) => {
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
        await take(page, name, isMobile)
      })
    }
    for (const { name, who, path, to } of STATES) {
      test(name, async ({ page, enter, isMobile, site }) => {
        site.fixture?.state.jobs.clear()
        await enter(who, path)
        await expect(page.getByRole('main').getByText(/./).first()).toBeVisible()
        await settled(page)
        await to(page, site.fixture?.state.jobs)
        await take(page, name, isMobile)
      })
    }
  })
}
