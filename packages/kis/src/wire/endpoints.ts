/** One REST call of the broker: where it lives and which transaction id names it in each environment. */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly real: string
  /** Null: the paper host does not know this call (EGW02006 with the real id, OPSQ0002 with an invented V-id). */
  readonly paper: string | null
  /** Ids from before NXT opened (2025-03-04): KRX only, "may be blocked without notice"; never sent by this client. */
  readonly realOld: string | null
  readonly paperOld: string | null
}

const QUOTATIONS = '/uapi/domestic-stock/v1/quotations'
const TRADING = '/uapi/domestic-stock/v1/trading'

const KSD = '/uapi/domestic-stock/v1/ksdinfo'

const order = (path: string, real: string, realOld: string): Endpoint => ({
  method: 'POST',
  path: `${TRADING}/${path}`,
  real,
  paper: `V${real.slice(1)}`,
  realOld,
  paperOld: `V${realOld.slice(1)}`,
})

const account = (path: string, real: string, more: Partial<Endpoint> = {}): Endpoint => ({
  method: 'GET',
  path: `${TRADING}/${path}`,
  real,
  paper: `V${real.slice(1)}`,
  realOld: null,
  paperOld: null,
  ...more,
})

const realOnly = { paper: null } as const

/** Quotations carry the same id in both environments. */
const quotation = (path: string, id: string, more: Partial<Endpoint> = {}): Endpoint => ({
  method: 'GET',
  path: `${QUOTATIONS}/${path}`,
  real: id,
  paper: id,
  realOld: null,
  paperOld: null,
  ...more,
})

/** What the depository (KSD) announces; the paper host does not know these. */
const announced = (path: string, id: string): Endpoint => ({
  ...quotation(path, id, realOnly),
  path: `${KSD}/${path}`,
})

export const ENDPOINTS = {
  orderBuy: order('order-cash', 'TTTC0012U', 'TTTC0802U'),
  orderSell: order('order-cash', 'TTTC0011U', 'TTTC0801U'),
  orderRevise: order('order-rvsecncl', 'TTTC0013U', 'TTTC0803U'),
  openOrders: account('inquire-psbl-rvsecncl', 'TTTC0084R', { paper: null, realOld: 'TTTC8036R' }),
  executions: account('inquire-daily-ccld', 'TTTC0081R', { realOld: 'TTTC8001R', paperOld: 'VTTC8001R' }),
  executionsOlder: account('inquire-daily-ccld', 'CTSC9215R', { realOld: 'CTSC9115R', paperOld: 'VTSC9115R' }),
  buyable: account('inquire-psbl-order', 'TTTC8908R'),
  sellable: account('inquire-psbl-sell', 'TTTC8408R', realOnly),
  balance: account('inquire-balance', 'TTTC8434R'),
  balanceRealised: account('inquire-balance-rlz-pl', 'TTTC8494R', realOnly),
  accountBalance: account('inquire-account-balance', 'CTRP6548R', realOnly),
  periodTradeProfit: account('inquire-period-trade-profit', 'TTTC8715R', realOnly),
  periodProfit: account('inquire-period-profit', 'TTTC8708R', realOnly),
  price: quotation('inquire-price', 'FHKST01010100'),
  price2: quotation('inquire-price-2', 'FHPST01010000', realOnly),
  orderBook: quotation('inquire-asking-price-exp-ccn', 'FHKST01010200'),
  lastTrades: quotation('inquire-ccnl', 'FHKST01010300'),
  dailyPrice: quotation('inquire-daily-price', 'FHKST01010400'),
  dayChart: quotation('inquire-daily-itemchartprice', 'FHKST03010100'),
  minuteChart: quotation('inquire-time-itemchartprice', 'FHKST03010200'),
  minuteChartPast: quotation('inquire-time-dailychartprice', 'FHKST03010230', realOnly),
  viStatus: quotation('inquire-vi-status', 'FHPST01390000', realOnly),
  stockInfo: quotation('search-stock-info', 'CTPF1002R', realOnly),
  productInfo: quotation('search-info', 'CTPF1604R', realOnly),
  holidays: quotation('chk-holiday', 'CTCA0903R', realOnly),
  paidInCapital: announced('paidin-capin', 'HHKDB669100C0'),
  bonusIssues: announced('bonus-issue', 'HHKDB669101C0'),
  dividends: announced('dividend', 'HHKDB669102C0'),
  faceValueChanges: announced('rev-split', 'HHKDB669105C0'),
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof ENDPOINTS

/** Paths outside the business APIs. `Approval` is case-sensitive. */
export const AUTH_PATHS = {
  token: '/oauth2/tokenP',
  revoke: '/oauth2/revokeP',
  approval: '/oauth2/Approval',
  hashkey: '/uapi/hashkey',
} as const

/** Rows of one answer page; daily-ccld and balance page in smaller steps on paper. */
export const PAGE_ROWS = {
  balance: { real: 50, paper: 20 },
  executions: { real: 100, paper: 15 },
  openOrders: { real: 50, paper: 50 },
  dayChart: 100,
  minuteChart: 30,
  minuteChartPast: 120,
} as const

/** Response header `tr_cont`: F and M announce another page, D, E and blank are the last one. */
export const CONT_MORE: readonly string[] = ['F', 'M']
export const CONT_LAST: readonly string[] = ['D', 'E', '']
/** Request header `tr_cont` of every page but the first. */
export const CONT_NEXT = 'N'
