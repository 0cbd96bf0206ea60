import type { Known } from './outcome.ts'

const PYTHON = /^python-kis$/
const MOJITO = /^mojito$/
const PYKIS = /^pykis$/
const POSTMAN = /^Postman/

/** What cannot work at the broker either, what the pretend KIS refuses as the broker does, and what it leaves out. */
export const KNOWN: readonly Known[] = [
  {
    client: POSTMAN,
    call: /./,
    shows: /pretend KIS does not imitate/,
    verdict: 'not imitated',
    why: 'not imitated',
  },
  {
    client: POSTMAN,
    call: /ELW시세/,
    shows: /OPSQ0002/,
    verdict: 'own fault',
    why: 'the path is that of the daily prices, the id that of a ranking of warrants',
  },
  {
    client: POSTMAN,
    call: /투자계좌자산현황조회/,
    shows: /OPSQ2000/,
    verdict: 'right refusal',
    why: 'asks about product 21; the keys open product 01',
  },
  {
    client: PYTHON,
    call: /^kis\.stock/,
    shows: /KisNotFoundError/,
    verdict: 'right refusal',
    why: 'no such code, as the client says itself',
  },
  {
    client: PYTHON,
    call: /buy too much/,
    shows: /APBK0952|40250000/,
    verdict: 'right refusal',
    why: 'more than the account can pay',
  },
  {
    client: PYTHON,
    call: /paper (account\.profits|order\.modify)/,
    shows: /NotImplementedError: 모의투자에서는/,
    verdict: 'right refusal',
    why: 'not on paper, as the client says itself before it asks',
  },
  {
    client: PYTHON,
    call: /account\.balance|stock\.(buy|sell|quantity)|order\./,
    shows: /INVALID_CHECK_INQR_DVSN/,
    verdict: 'own fault',
    why: 'asks for the balance by issue, which the broker refuses since 2026-02-10',
  },
  {
    client: MOJITO,
    call: /paper fetch_open_order/,
    shows: /EGW02006/,
    verdict: 'right refusal',
    why: 'the paper host has no list of open orders',
  },
  {
    client: MOJITO,
    call: /off the grid/,
    shows: /APBK0918|40270000/,
    verdict: 'right refusal',
    why: 'a price off the grid',
  },
  {
    client: PYKIS,
    call: /sell_kr_stock too much/,
    shows: /초과|부족/,
    verdict: 'right refusal',
    why: 'more shares than the account holds',
  },
  {
    client: PYKIS,
    call: /get_kr_buyable_cash/,
    shows: /없는 서비스 코드/,
    verdict: 'own fault',
    why: 'the path is that of the executions, the id that of the buying power',
  },
  {
    client: PYKIS,
    call: /get_os_(stock_balance|orders)/,
    shows: /없는 서비스 코드/,
    verdict: 'own fault',
    why: 'ids of 2022 (JTTT…), which the broker has replaced',
  },
  {
    client: PYKIS,
    call: /get_os_current_price/,
    shows: /convert string to float/,
    verdict: 'own fault',
    why: 'takes the empty price of an unknown code for a number',
  },
  {
    client: PYKIS,
    call: /paper get_kr_orders/,
    shows: /없는 서비스 코드/,
    verdict: 'right refusal',
    why: 'the paper host has no list of open orders',
  },
]
