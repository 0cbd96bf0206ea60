import { expect, test } from 'vitest'
import { adminPages } from './adminPages.ts'
import { ADMIN_LINKS, ADMIN_TABS, isWithin, USER_LINKS, USER_TABS } from './menuLinks.ts'
import { pages } from './pages.ts'

test('every link leads to a page that is there', () => {
  for (const [path] of [...USER_LINKS, ...USER_TABS]) expect(Object.keys(pages)).toContain(path)
  for (const [path] of [...ADMIN_LINKS, ...ADMIN_TABS]) expect(Object.keys(adminPages)).toContain(path)
})

test('no two rows of the menu have the same words', () => {
  const words = [...USER_LINKS, ...ADMIN_LINKS].map(([, label]) => label)
  expect(new Set(words).size).toBe(words.length)
})

test.each([
  ['/user/balance', '잔고'],
  ['/u1/stock', '종목'],
  ['/u1/stock/005930/trade', '종목'],
  ['/user/stock/005930/settings', '종목'],
  ['/user/kis/order', '주문'],
  ['/user/kis/ordered', '주문'],
  ['/user/gain', '손익'],
  // The broker's balance is no page of ours called balance.
  ['/user/kis/balance', undefined],
  ['/user/stockings', undefined],
  ['/user/notification', undefined],
])('%s belongs to the tab %s', (path, label) => {
  expect(USER_TABS.filter(([tab]) => isWithin(tab, path)).map(([, name]) => name)).toEqual(label ? [label] : [])
})

test('of an administrator’s tabs one at most is the current one', () => {
  for (const path of Object.keys(adminPages))
    expect(ADMIN_TABS.filter(([tab]) => isWithin(tab, `/user${path}`)).length).toBeLessThanOrEqual(1)
})
