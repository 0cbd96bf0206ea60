import type { CallName, Input } from '@digger/contract'
import { SETTINGS } from '@digger/engine/testing'
import { PASSWORD, credentialsOf } from './server-fixture.ts'

/** Input without the user, which the test puts in: who it is about is what is tested. */
type Sample<N extends CallName> = {
  params?: Omit<NonNullable<Input<N>['params']>, 'userId'>
  query?: Partial<Record<string, string>>
  body?: Input<N>['body']
}

const stock = { code: '005930' }
const trade = { code: '005930', tradeId: '1' }

/** A good input of every call of the contract. A call without one is a type error. */
export const samples: { readonly [N in CallName]: Sample<N> } = {
  login: { body: { email: 'owner@digger.test', password: PASSWORD } },
  logout: {},
  signUp: { body: { email: 'new@digger.test', password: PASSWORD, ...credentialsOf('new') } },
  me: {},
  changePassword: { body: { oldPassword: PASSWORD, newPassword: PASSWORD } },
  stocks: { query: { withSavedGain: 'false', showOnlyWatch: 'false' } },
  stock: { params: stock, query: { simulPrice: '71000' } },
  updateStock: { params: stock, body: { ...SETTINGS, maxBuyPrice: '75,000' } },
  deleteStock: { params: stock },
  toggleSubscribed: { params: stock },
  candles: { params: stock, query: { unit: 'day', fromDate: '20260101', toDate: '20261120' } },
  sellStock: { params: stock },
  sellStockAtPrice: { params: stock, query: { sellPrice: '72000', sellCount: '2' } },
  sellStockAtMarket: { params: stock },
  checkBalance: { params: stock },
  fixBalance: { params: stock },
  keepShares: { params: stock, body: { count: '1,000' } },
  releaseTrades: { params: stock, body: { tradeIds: [1, 2] } },
  adjustment: { params: stock },
  adjustStock: { params: stock, body: { day: '20261123', how: 'keep' } },
  giveUpExpected: { params: stock, body: { count: 4, amount: 139_300, trades: 2, cost: 139_300 } },
  applyOrder: { params: stock },
  marketBuy: { params: stock, body: { amount: '100' } },
  trades: { params: stock, query: { withOldTrade: 'true', simulPrice: '71000' } },
  sellTrade: { params: trade },
  sellTradeAtCurrent: { params: trade },
  sellTradeAtMarket: { params: trade },
  balance: { query: { withSavedGain: 'false' } },
  gain: { query: { fromDate: '20261101', toDate: '20261130' } },
  cancelOrders: { query: { code: '005930' } },
  cancelOrder: { params: { orderId: '0000004321' }, body: { orderId: '0000004321' } },
  money: { query: { fromDate: '20261101', toDate: '20261130' } },
  setBankBalance: { body: { amount: '1,000,000' } },
  ordered: { query: { fromDate: '20261101', toDate: '20261130', code: '' } },
  importOrdered: { query: { fromDate: '20261101', toDate: '20261130', code: '005930', fromLastOrder: 'true' } },
  orders: { query: { orderType: 'SELL', code: '005930' } },
  brokerBalance: {},
  socket: {},
  connectSocket: {},
  disconnectSocket: {},
  events: {},
  stop: {},
  dismissOtherServer: {},
  limits: {},
  venues: {},
  setVenues: { body: { sor: true, preMarket: false, afterMarket: true } },
  setLimits: { body: { positionAmount: '100,000,000' } },
  setStop: { body: { level: 'stock', code: '005930', stop: 'reduce' } },
  audit: { query: { limit: '10', before: '2026-11-21T00:00:00+09:00' } },
  adminUsers: {},
  adminUser: {},
  adminOrdered: { query: { code: '005930' } },
  adminOrders: {},
  adminBrokerBalance: {},
  adminStocks: {},
  adminGain: { query: { fromDate: '20261101', toDate: '20261130' } },
  adminMoney: {},
  adminConnectSocket: {},
  adminDisconnectSocket: {},
  createUserKey: { body: { email: 'owner@digger.test', password: PASSWORD } },
  deleteUserKey: {},
  bulkLogin: {},
  bulkCancel: {},
  bulkSell: {},
  bulkCheck: {},
  bulkFix: {},
  calendar: {},
  setCalendarDay: { params: { day: '20270104' }, body: { is: 'closed' } },
  deleteCalendarDay: { params: { day: '20270104' } },
  adminLogout: {},
}
