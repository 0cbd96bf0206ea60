import type { Locator, Page } from '@playwright/test'
import { expect, settled, test } from './test.ts'

/** Counts what a person presses, from the first page on. */
class Presses {
  count = 0
  async press(what: Locator): Promise<void> {
    this.count += 1
    await what.click()
  }
  /** A field that has the focus already costs no press. */
  async type(field: Locator, text: string): Promise<void> {
    const isFocused = await field.evaluate((input) => input === input.ownerDocument.activeElement)
    if (!isFocused) await this.press(field)
    await field.page().keyboard.press('Control+A')
    await field.page().keyboard.type(text)
  }
}

/** Questions that people have all day, each with the presses it may take from the balance. */
const WAYS: readonly { name: string; max: number; go: (page: Page, presses: Presses) => Promise<void> }[] = [
  {
    name: 'what today brought net',
    max: 0,
    go: async (page) => {
      await expect(page.getByText(/^판 것 \+[\d,]+원/)).toBeVisible()
    },
  },
  {
    name: 'why nothing was bought',
    max: 1,
    go: async (page) => {
      await expect(page.getByRole('article').first()).toContainText(/왜 안 샀나 .+기다립니다\./)
    },
  },
  {
    name: 'stop buying one stock',
    max: 2,
    go: async (page, presses) => {
      const card = page.getByRole('article', { name: '삼성전자', exact: true })
      await presses.press(card.getByRole('button', { name: '삼성전자 멈추기' }))
      await presses.press(page.getByRole('dialog').getByRole('button', { name: '매수 멈춤' }))
      await expect(card).toContainText('이 종목은 매수 멈춤입니다.')
      await expect(card).toContainText('다음 매수 멈춤')
    },
  },
  {
    name: 'what was done today, and why',
    max: 1,
    go: async (page, presses) => {
      await presses.press(page.getByRole('link', { name: /오늘 보기/ }))
      await expect(page.getByRole('region', { name: '한 일' })).toContainText('목표가 1.2%에 팝니다.')
    },
  },
]

test.describe('presses from the balance', { tag: '@fixture' }, () => {
  for (const { name, max, go } of WAYS)
    test(`${name}: ${max}`, async ({ page, enter, site }) => {
      await enter('user', '/user/balance')
      await settled(page)
      const presses = new Presses()
      await go(page, presses)
      expect(presses.count).toBeLessThanOrEqual(max)
      const state = site.fixture?.state
      if (state) state.put('u1', { ...state.stock('u1', '005930'), stop: 'active' })
    })
})

const STOCK = '005930'

for (const who of ['user', 'admin'] as const)
  test(
    `changing the step of ${who === 'user' ? 'one’s own stock' : 'a stock as administrator'} from 1 % to 2 %: 4`,
    { tag: '@fixture' },
    async ({ page, enter, site }) => {
      const [id, path] = who === 'user' ? ['u1', '/user/balance'] : ['u1', '/u1/balance']
      const state = site.fixture?.state
      if (!state) throw new Error('needs made-up stocks')
      state.put(id, { ...state.stock(id, STOCK), buyPercent: -1 })
      await enter(who, path)
      await settled(page)
      const presses = new Presses()
      await presses.press(page.getByRole('article', { name: '삼성전자', exact: true }).getByRole('button').first())
      await presses.press(page.getByRole('button', { name: '매매', exact: true }))
      await presses.press(page.getByRole('link', { name: /^−1%마다/ }))
      await expect(page.getByLabel('매수 비율')).toBeFocused()
      await presses.type(page.getByLabel('매수 비율'), '-2')
      await presses.press(page.getByRole('button', { name: /저장$/ }))
      await expect(page.getByRole('alertdialog')).toContainText('done')
      expect(presses.count).toBeLessThanOrEqual(4)
      expect(state.stock(id, STOCK).buyPercent).toBe(-2)
    },
  )

test('selling half of a holding now: 4', { tag: '@fixture' }, async ({ page, enter, site }) => {
  const state = site.fixture?.state
  if (!state) throw new Error('needs made-up stocks')
  const held = { ...state.stock('a1', STOCK), remainCount: 8, remainAmount: 8 * 147_600 }
  state.put('a1', held)
  await enter('admin', '/user/balance')
  await settled(page)
  const presses = new Presses()
  await presses.press(page.getByRole('article', { name: '삼성전자', exact: true }).getByRole('button').first())
  await presses.press(page.getByRole('button', { name: '시장가 매도', exact: true }))
  const sheet = page.getByRole('dialog')
  await presses.press(sheet.getByRole('button', { name: /^절반/ }))
  await presses.press(sheet.getByRole('button', { name: /^3주 시장가에 매도/ }))
  await expect(page.getByRole('alertdialog')).toContainText('done')
  expect(presses.count).toBeLessThanOrEqual(4)
})

test('which user has a difference is one press from the users', { tag: '@fixture' }, async ({ page, enter }) => {
  await enter('admin', '/user/admin/user')
  await expect(page.getByText('봐야 할 사용자')).toBeVisible()
  const presses = new Presses()
  await presses.press(page.getByRole('button', { name: /^차이 있음 \d+$/ }))
  const shown = page.getByRole('region', { name: /@example\.com$/ })
  await expect(page.getByRole('region', { name: 'minji@example.com' })).toContainText(/차이 \d/)
  const texts = await shown.allInnerTexts()
  expect(texts.filter((text) => !/차이 \d/.test(text))).toEqual([])
  expect(presses.count).toBe(1)
})
