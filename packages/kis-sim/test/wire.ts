/**
 * The broker's wire as its documents write it, for judging the pretend broker. Nothing here comes from packages/kis:
 * a client and a simulator that share a table also share its mistakes.
 */
export interface WireCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly real: string
  /** Null: the paper host does not offer the call. */
  readonly paper: string | null
}

const trading = (method: 'GET' | 'POST', name: string, real: string, paper: string | null): WireCall => ({
  method,
  path: `/uapi/domestic-stock/v1/trading/${name}`,
  real,
  paper,
})
/** Quotations have one transaction id on both hosts. */
const quotation = (name: string, id: string, onPaper: boolean): WireCall => ({
  method: 'GET',
  path: `/uapi/domestic-stock/v1/quotations/${name}`,
  real: id,
  paper: onPaper ? id : null,
})

/** What the depository announces, on the real host only. */
const ksd = (name: string, id: string): WireCall => ({
  method: 'GET',
  path: `/uapi/domestic-stock/v1/ksdinfo/${name}`,
  real: id,
  paper: null,
})

export const WIRE = {
  orderBuy: trading('POST', 'order-cash', 'TTTC0012U', 'VTTC0012U'),
  orderSell: trading('POST', 'order-cash', 'TTTC0011U', 'VTTC0011U'),
  orderRevise: trading('POST', 'order-rvsecncl', 'TTTC0013U', 'VTTC0013U'),
  openOrders: trading('GET', 'inquire-psbl-rvsecncl', 'TTTC0084R', null),
  executions: trading('GET', 'inquire-daily-ccld', 'TTTC0081R', 'VTTC0081R'),
  executionsOlder: trading('GET', 'inquire-daily-ccld', 'CTSC9215R', 'VTSC9215R'),
  buyable: trading('GET', 'inquire-psbl-order', 'TTTC8908R', 'VTTC8908R'),
  sellable: trading('GET', 'inquire-psbl-sell', 'TTTC8408R', null),
  balance: trading('GET', 'inquire-balance', 'TTTC8434R', 'VTTC8434R'),
  balanceRealised: trading('GET', 'inquire-balance-rlz-pl', 'TTTC8494R', null),
  accountBalance: trading('GET', 'inquire-account-balance', 'CTRP6548R', null),
  periodTradeProfit: trading('GET', 'inquire-period-trade-profit', 'TTTC8715R', null),
  periodProfit: trading('GET', 'inquire-period-profit', 'TTTC8708R', null),
  margin: trading('GET', 'intgr-margin', 'TTTC0869R', null),
  price: quotation('inquire-price', 'FHKST01010100', true),
  price2: quotation('inquire-price-2', 'FHPST01010000', false),
  orderBook: quotation('inquire-asking-price-exp-ccn', 'FHKST01010200', true),
  lastTrades: quotation('inquire-ccnl', 'FHKST01010300', true),
  dailyPrice: quotation('inquire-daily-price', 'FHKST01010400', true),
  dayChart: quotation('inquire-daily-itemchartprice', 'FHKST03010100', true),
  minuteChart: quotation('inquire-time-itemchartprice', 'FHKST03010200', true),
  minuteChartPast: quotation('inquire-time-dailychartprice', 'FHKST03010230', false),
  viStatus: quotation('inquire-vi-status', 'FHPST01390000', false),
  stockInfo: quotation('search-stock-info', 'CTPF1002R', false),
  productInfo: quotation('search-info', 'CTPF1604R', false),
  holidays: quotation('chk-holiday', 'CTCA0903R', false),
  paidInCapital: ksd('paidin-capin', 'HHKDB669100C0'),
  bonusIssues: ksd('bonus-issue', 'HHKDB669101C0'),
  dividends: ksd('dividend', 'HHKDB669102C0'),
  faceValueChanges: ksd('rev-split', 'HHKDB669105C0'),
} as const satisfies Record<string, WireCall>

export type WireName = keyof typeof WIRE
const isName = (name: string): name is WireName => name in WIRE
export const WIRE_NAMES: readonly WireName[] = Object.keys(WIRE).filter(isName)

const fields = (text: string): readonly string[] => text.trim().split(/\s+/)

/** A tick record since 2026-09-14; the last field is missing before. */
export const TICK = fields(`
  MKSC_SHRN_ISCD STCK_CNTG_HOUR STCK_PRPR PRDY_VRSS_SIGN PRDY_VRSS PRDY_CTRT WGHN_AVRG_STCK_PRC STCK_OPRC STCK_HGPR
  STCK_LWPR ASKP1 BIDP1 CNTG_VOL ACML_VOL ACML_TR_PBMN SELN_CNTG_CSNU SHNU_CNTG_CSNU NTBY_CNTG_CSNU CTTR SELN_CNTG_SMTN
  SHNU_CNTG_SMTN CCLD_DVSN SHNU_RATE PRDY_VOL_VRSS_ACML_VOL_RATE OPRC_HOUR OPRC_VRSS_PRPR_SIGN OPRC_VRSS_PRPR HGPR_HOUR
  HGPR_VRSS_PRPR_SIGN HGPR_VRSS_PRPR LWPR_HOUR LWPR_VRSS_PRPR_SIGN LWPR_VRSS_PRPR BSOP_DATE NEW_MKOP_CLS_CODE TRHT_YN
  ASKP_RSQN1 BIDP_RSQN1 TOTAL_ASKP_RSQN TOTAL_BIDP_RSQN VOL_TNRT PRDY_SMNS_HOUR_ACML_VOL PRDY_SMNS_HOUR_ACML_VOL_RATE
  HOUR_CLS_CODE MRKT_TRTM_CLS_CODE VI_STND_PRC MARKET_CLS_CODE
`)

/** An execution notice since NXT opened. */
export const NOTICE = fields(`
  CUST_ID ACNT_NO ODER_NO OODER_NO SELN_BYOV_CLS RCTF_CLS ODER_KIND ODER_COND STCK_SHRN_ISCD CNTG_QTY CNTG_UNPR
  STCK_CNTG_HOUR RFUS_YN CNTG_YN ACPT_YN BRNC_NO ODER_QTY ACNT_NAME ORD_COND_PRC ORD_EXG_GB POPUP_YN FILLER CRDT_CLS
  CRDT_LOAN_DATE CNTG_ISNM40 ODER_PRC
`)

export const NOTICE_CHANNEL = { real: 'H0STCNI0', paper: 'H0STCNI9' } as const
