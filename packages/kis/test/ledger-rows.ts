import { ok } from './broker.ts'
import type { Reply } from './broker.ts'

/** Rows of the documented example: 4 of 10 filled, the rest cancelled. */
export const CANCEL_ROW = {
  ord_dt: '20261116',
  ord_gno_brno: '06010',
  odno: '0000012399',
  orgn_odno: '0000012345',
  ord_dvsn_name: '지정가',
  sll_buy_dvsn_cd: '02',
  sll_buy_dvsn_cd_name: '현금매수취소',
  pdno: '005930',
  prdt_name: '삼성전자',
  ord_qty: '6',
  ord_unpr: '0',
  ord_tmd: '093502',
  tot_ccld_qty: '0',
  avg_prvs: '0',
  cncl_yn: 'N',
  tot_ccld_amt: '0',
  ord_dvsn_cd: '00',
  cnc_cfrm_qty: '6',
  rmn_qty: '0',
  rjct_qty: '0',
  infm_tmd: '093502',
  excg_dvsn_cd: '02',
  excg_id_dvsn_Cd: 'KRX',
}
export const ORDER_ROW = {
  ...CANCEL_ROW,
  odno: '0000012345',
  orgn_odno: '0000000000',
  ord_qty: '10',
  ord_unpr: '70000',
  ord_tmd: '093355',
  tot_ccld_qty: '4',
  tot_ccld_amt: '279600',
  avg_prvs: '69900',
  infm_tmd: '',
}
/** One answer page of daily-ccld. */
export const page = (rows: object[], cont?: string, more = {}): Reply => ({
  ...(cont === undefined ? {} : { cont }),
  body: ok({ output1: rows, output2: {}, ctx_area_fk100: '', ctx_area_nk100: '', ...more }),
})
export const today = { from: '20261116', to: '20261116' }
