import type { Endpoint } from '@digger/kis'

const call = (path: string, real: string, paper: string | null): Endpoint => ({
  method: 'GET',
  path: `/uapi/${path}`,
  real,
  paper,
  realOld: null,
  paperOld: null,
})

/**
 * Calls about shares of other countries, which clients make beside the domestic ones. Ids from the official samples and
 * collections (koreainvestment/open-trading-api: examples_llm/overseas_stock, legacy/postman).
 */
export const OVERSEAS = {
  overseasAssets: call('overseas-stock/v1/trading/inquire-present-balance', 'CTRP6504R', 'VTRP6504R'),
  overseasBalance: call('overseas-stock/v1/trading/inquire-balance', 'TTTS3012R', 'VTTS3012R'),
  overseasOpenOrders: call('overseas-stock/v1/trading/inquire-nccs', 'TTTS3018R', 'VTTS3018R'),
  overseasExecutions: call('overseas-stock/v1/trading/inquire-ccnl', 'TTTS3035R', 'VTTS3035R'),
  overseasProfit: call('overseas-stock/v1/trading/inquire-period-profit', 'TTTS3039R', null),
  overseasPrice: call('overseas-price/v1/quotations/price', 'HHDFS00000300', 'HHDFS00000300'),
} as const satisfies Record<string, Endpoint>
