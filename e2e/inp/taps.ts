import type { Locator, Page } from '@playwright/test'
import { touch } from './interactions.ts'

/** One press of a main path: where it begins, what it presses, and how what came of it goes away again. */
export interface Tap {
  name: string
  who: 'user' | 'admin'
  path: string
  /** Gets there: opens the sheet in which it is, say. Not measured. */
  before?: (page: Page) => Promise<void>
  what: (page: Page) => Locator
  /** Of what is pressed, px; its middle when absent. */
  at?: { x: number; y: number }
  /** Types this into it instead of pressing. */
  text?: string
}

const TRADE = '/user/stock/005930/trade'
const ADMIN = '/u1/balance'
const RANGE = 'fromDate=20261101&toDate=20261130'

const firstCard = (page: Page): Locator => page.getByRole('article').first()
const tab = (name: string) => (page: Page) =>
  page.getByRole('navigation', { name: '바로 가기' }).getByRole('link', { name, exact: true })
const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const inDialog = (name: string | RegExp) => (page: Page) =>
  page.getByRole('dialog').last().getByRole('button', { name })
const open =
  (...whats: ((page: Page) => Locator)[]) =>
  async (page: Page) => {
    for (const what of whats) {
      // In sight, and no longer on its way up with its sheet.
      await what(page).scrollIntoViewIfNeeded()
      await touch(page, what(page))
    }
  }
const card = (page: Page) => firstCard(page).getByRole('button').first()
const toTrade = open(card, inDialog(/^매매$/))

const user = (name: string, path: string, rest: Omit<Tap, 'name' | 'who' | 'path'>): Tap => ({
  name,
  who: 'user',
  path,
  ...rest,
})
const admin = (name: string, path: string, rest: Omit<Tap, 'name' | 'who' | 'path'>): Tap => ({
  ...user(name, path, rest),
  who: 'admin',
})

/** Every press of the main paths; from the balance where a person begins there. */
export const TAPS: readonly Tap[] = [
  user('balance → stocks', '/user/balance', { what: tab('종목') }),
  user('balance → orders', '/user/balance', { what: tab('주문') }),
  user('balance → gain', '/user/balance', { what: tab('손익') }),
  user('balance → today', '/user/balance', { what: (page) => page.getByRole('link', { name: /오늘 보기/ }) }),
  user('stocks → balance', '/user/stock', { what: tab('잔고') }),
  user('orders → balance', '/user/kis/order', { what: tab('잔고') }),
  user('gain → balance', `/user/gain?${RANGE}`, { what: tab('잔고') }),
  user('today → balance', '/user/today', { what: tab('잔고') }),
  user('more', '/user/balance', { what: button('더보기') }),
  user('more, closed', '/user/balance', { before: open(button('더보기')), what: inDialog('메뉴 닫기') }),
  user('more → money', '/user/balance', {
    before: open(button('더보기')),
    what: (page) => page.getByRole('dialog').getByRole('link', { name: '자산 내역' }),
  }),
  user('card', '/user/balance', { what: card }),
  user('card → trade', '/user/balance', { before: open(card), what: inDialog(/^매매$/) }),
  user('⋮', '/user/balance', { what: button('잔고 메뉴') }),
  user('⋮, closed', '/user/balance', { before: open(button('잔고 메뉴')), what: inDialog('잔고 닫기') }),
  user('detail on', '/user/balance', { what: button('자세히') }),
  user('detail off', '/user/balance?showDetail=true', { what: button('자세히') }),
  user('saved gain off', '/user/balance', { what: button('누적 손익') }),
  user('order by name', '/user/balance', { what: button('이름') }),
  user('order by today', '/user/balance', { what: button('오늘') }),
  user('stop of a stock', '/user/balance', { what: button(/ 멈추기$/) }),
  user('stop of a stock, closed', '/user/balance', { before: open(button(/ 멈추기$/)), what: inDialog(/닫기$/) }),
  user('stop of the account', '/user/balance', { what: button(/, 멈추기$/) }),
  user('search, a digit', '/user/balance', { what: (page) => page.getByRole('searchbox'), text: '3' }),
  user('search, a digit (stocks)', '/user/stock?showOnlyWatch=false', {
    what: (page) => page.getByRole('searchbox'),
    text: '3',
  }),
  user('all stocks', '/user/stock', { what: button('지켜보는 것만') }),
  user('order filter', '/user/kis/order', { what: button(/^BUY/) }),
  user('an order', '/user/kis/order', {
    what: (page) => page.getByRole('main').getByRole('listitem').first().getByRole('button').first(),
  }),
  user('gain of last month', `/user/gain?${RANGE}`, { what: button('지난달') }),
  user('chart range', TRADE, { what: button('1개월') }),
  user('chart, minutes', TRADE, { what: button('분봉') }),
  user('chart pressed', TRADE, {
    what: (page) => page.getByRole('region', { name: '가격 차트' }).locator('svg'),
    at: { x: 90, y: 90 },
  }),
  user('past trades', TRADE, { what: button('지난 매매') }),
  user('⋮ of a trade page', TRADE, { what: button(/ 메뉴$/) }),
  user('trade → settings', '/user/balance', {
    before: toTrade,
    what: (page) => page.getByRole('link', { name: '설정과 다음 주문' }),
  }),
  user('settings, a digit', '/user/stock/005930/settings', {
    what: (page) => page.locator('input[name=buyPercent]'),
    text: '2',
  }),
  user('settings, filled', '/user/stock/005930/settings', { what: button('-0.01') }),
  user('settings, saved', '/user/stock/005930/settings', {
    before: open(button('-0.01')),
    what: button(/^바꾼 값 \d+개 저장$/),
  }),
  user('a trade', TRADE, {
    what: (page) =>
      page
        .getByRole('article', { name: / 매수$/ })
        .getByRole('button')
        .first(),
  }),
  user('a sale of a trade', TRADE, {
    before: open((page) =>
      page
        .getByRole('article', { name: / 매수$/ })
        .getByRole('button')
        .first(),
    ),
    what: inDialog(/^매도 \(시장가\)/),
  }),
  admin('BUY of a card', ADMIN, { what: (page) => firstCard(page).getByRole('switch', { name: '자동 매수' }) }),
  admin('SELL of a card', ADMIN, { what: (page) => firstCard(page).getByRole('switch', { name: '자동 매도' }) }),
  admin('WATCH of a card', ADMIN, { what: (page) => firstCard(page).getByRole('switch', { name: '시세 구독' }) }),
  admin('sale', ADMIN, { before: open(card), what: inDialog('시장가 매도') }),
  admin('sale, half', ADMIN, { before: open(card, inDialog('시장가 매도')), what: inDialog(/^절반/) }),
  admin('sale, sent', ADMIN, { before: open(card, inDialog('시장가 매도')), what: inDialog(/시장가에 매도/) }),
]
