/**
 * Replies as others have seen or printed them; each says where. Account numbers, names and numbers of people's orders are
 * made up where the source had real ones.
 */

/** KIS's portal workbook (the API document people download), response example of the sheet 주식주문(현금). */
export const ORDER_RECEIPT = {
  rt_cd: '0',
  msg_cd: 'APBK0013',
  msg1: '주문 전송 완료 되었습니다.',
  output: { KRX_FWDG_ORD_ORGNO: '06010', ODNO: '0001569157', ORD_TMD: '155211' },
}

/**
 * tgparkk/kis-trading-template, RoboTrader_template/tests, replies of the trial that cancelled a real order on 2026-10-06:
 * accepted, and refused because nothing was left. The refusal has an empty `output`.
 */
export const CANCEL_RECEIPT = {
  rt_cd: '0',
  msg_cd: 'APBK0013',
  msg1: '주문 전송 완료 되었습니다.',
  output: { KRX_FWDG_ORD_ORGNO: '91252', ODNO: '0000012399', ORD_TMD: '083502' },
}
export const NOTHING_TO_CANCEL = {
  rt_cd: '1',
  msg_cd: 'APBK0918',
  msg1: '정정/취소할 수량이 없습니다.',
  output: {},
}

/** Portal workbook, sheet 주식일별주문체결조회: English names, no venue, `cncl_yn` empty. */
export const REJECTED_ROW = {
  ord_dt: '20220103',
  ord_gno_brno: '06010',
  odno: '0001568197',
  orgn_odno: '',
  ord_dvsn_name: 'Limit',
  sll_buy_dvsn_cd: '02',
  sll_buy_dvsn_cd_name: 'BUY REJECT',
  pdno: '009150',
  prdt_name: '삼성전기',
  ord_qty: '10',
  ord_unpr: '150000',
  ord_tmd: '170100',
  tot_ccld_qty: '0',
  avg_prvs: '0',
  cncl_yn: '',
  tot_ccld_amt: '0',
  ordr_empno: 'Nsmart',
  ord_dvsn_cd: '00',
  cncl_cfrm_qty: '0',
  rmn_qty: '0',
  rjct_qty: '10',
  ccld_cndt_name: 'None',
  inqr_ip_addr: '...',
  prdt_type_cd: '300',
  excg_dvsn_cd: '02',
}

/**
 * mgh3326/auto_trader, tests/services/brokers/kis/test_live_order_expiry.py: an order for SOR as a real account listed it on
 * 2026-06-09. There is no `prcs_stat_name` and no `rvse_cncl_dvsn_*`; after the day such an order has rjct_qty = ord_qty.
 */
export const SOR_ROW = {
  ord_dt: '20260609',
  odno: '0029287200',
  orgn_odno: '0000000000',
  pdno: '047810',
  prdt_name: '한국항공우주',
  sll_buy_dvsn_cd: '02',
  sll_buy_dvsn_cd_name: '매수',
  ord_qty: '2',
  ord_unpr: '126000',
  tot_ccld_qty: '0',
  rjct_qty: '0',
  rmn_qty: '2',
  cncl_yn: 'N',
  excg_id_dvsn_cd: 'SOR',
  ord_tmd: '153125',
}

/** Same project, tests/test_orders_history_summary_rob657.py: an order that had died at the close of 2026-07-02, and all its row says. */
export const DEAD_ROW = {
  ord_dt: '20260702',
  ord_tmd: '100800',
  odno: '0013894000',
  sll_buy_dvsn_cd: '02',
  pdno: '000270',
  prdt_name: '기아',
  ord_qty: '8',
  ord_unpr: '129600',
  tot_ccld_qty: '0',
  rmn_qty: '0',
}

/**
 * tgparkk/kis-trading-template, RoboTrader_template/tests (partial fill, then a time-out): 3 of 10 filled and the rest
 * cancelled, as seen on a real account on 2026-10-08. Neither `cncl_yn` nor the confirmed count tells of it.
 */
export const REMAINDER_CANCELLED_ROW = {
  ord_dt: '20261008',
  ord_tmd: '093000',
  odno: '0000012345',
  orgn_odno: '',
  sll_buy_dvsn_cd: '02',
  pdno: '005930',
  ord_qty: '10',
  ord_unpr: '70000',
  tot_ccld_qty: '3',
  tot_ccld_amt: '210000',
  avg_prvs: '70000',
  rmn_qty: '0',
  cncl_yn: '',
  cncl_cfrm_qty: '0',
}

/** Portal workbook, sheet 주식정정취소가능주문조회: an order that was amended, and an untouched one. */
export const AMENDED_OPEN_ROW = {
  ord_gno_brno: '06010',
  odno: '0001569139',
  orgn_odno: '0001569136',
  ord_dvsn_name: '지정가',
  pdno: '009150',
  prdt_name: 'SamsungElecMech',
  rvse_cncl_dvsn_name: 'BUY AMEND*',
  ord_qty: '1',
  ord_unpr: '140000',
  ord_tmd: '131438',
  tot_ccld_qty: '0',
  tot_ccld_amt: '0',
  psbl_qty: '1',
  sll_buy_dvsn_cd: '02',
  ord_dvsn_cd: '00',
  mgco_aptm_odno: '',
}
export const OPEN_ROW = {
  ...AMENDED_OPEN_ROW,
  odno: '0001569138',
  orgn_odno: '',
  rvse_cncl_dvsn_name: '',
  ord_unpr: '200000',
  ord_tmd: '131421',
}

/** Portal workbook, sheet 주식잔고조회, asked by loan date: shares of one issue bought with cash and on credit. */
const CASH_HOLDING = {
  pdno: '009150',
  prdt_name: '삼성전기',
  trad_dvsn_name: '현금',
  bfdy_buy_qty: '12',
  thdt_buyqty: '1686',
  thdt_sll_qty: '41',
  hldg_qty: '1657',
  ord_psbl_qty: '1611',
  pchs_avg_pric: '135440.2517',
  pchs_amt: '224424497',
  prpr: '0',
  evlu_amt: '0',
  evlu_pfls_amt: '0',
  evlu_pfls_rt: '0.00',
  evlu_erng_rt: '0.00000000',
  loan_dt: '',
  fltt_rt: '-100.00000000',
  bfdy_cprs_icdc: '-184500',
}
const CREDIT_HOLDING = {
  ...CASH_HOLDING,
  trad_dvsn_name: '자기융자',
  hldg_qty: '3',
  ord_psbl_qty: '3',
  pchs_avg_pric: '123000.0000',
  pchs_amt: '369000',
  loan_dt: '20211223',
}
export const BALANCE = {
  output1: [CASH_HOLDING, CREDIT_HOLDING],
  output2: [
    {
      dnca_tot_amt: '346455',
      nxdy_excc_amt: '346455',
      prvs_rcdl_excc_amt: '346455',
      scts_evlu_amt: '1759600',
      tot_evlu_amt: '2106055',
      evlu_pfls_smtl_amt: '-756922',
      asst_icdc_erng_rt: '0.00000000',
    },
  ],
}

/** Portal workbook, sheets 매수가능조회, 매도가능수량조회 and 기간별손익일별합산조회. */
export const BUYABLE = {
  ord_psbl_cash: '741191178',
  psbl_qty_calc_unpr: '70000',
  nrcvb_buy_amt: '107177377',
  nrcvb_buy_qty: '1531',
  max_buy_amt: '1482382356',
  max_buy_qty: '21176',
  ord_psbl_frcr_amt_wcrc: '1468797045293',
}
export const SELLABLE = { pdno: '005930', prdt_name: '삼성전자', cblc_qty: '1744', ord_psbl_qty: '1744', pchs_amt: '0' }
export const PERIOD_PROFIT = {
  output1: [
    {
      trad_dt: '20240220',
      buy_amt: '116697331',
      sll_amt: '96455',
      rlzt_pfls: '22991',
      fee: '0',
      loan_int: '0',
      tl_tax: '0',
      pfls_rt: '31.29560057',
    },
  ],
  output2: { sll_fee_smtl: '0', buy_qty_smtl: '2003', tot_fee: '0', tot_tltx: '0', tot_rlzt_pfls: '22991' },
}

/** Soju06/python-kis, issue 81: the answer to a balance asked by issue, since 2026-02-10. */
export const BY_ISSUE_REFUSED = { rt_cd: '2', msg_cd: 'OPSQ2001', msg1: 'ERROR : INPUT INVALID_CHECK_INQR_DVSN' }
/** kakao-harris-lee/kis_unified_sts, docs/broker-profiles/evidence: measured in 2026, HTTP 500 both. */
export const TOO_MANY_CALLS = {
  rt_cd: '1',
  msg1: '초당 거래건수를 초과하였습니다.',
  msg_cd: 'EGW00201',
  message: 'EGW00201',
}
export const LEDGER_BUSY = {
  rt_cd: '1',
  msg1: '원장에서 허용 가능한 초당 거래건수를 초과하였습니다.',
  msg_cd: 'EGW00215',
}

/**
 * mgh3326/auto_trader, tests/services/kis_websocket/__init__.py, with another account: counts without zeros, N and Y where
 * KIS's table has 0 and 1.
 */
export const FILL_NOTICE =
  'tester01^1234567801^0030145286^0000000000^02^0^00^00^012450^2^1135000^093001^N^2^Y^0000^2^홍길동^0^KRX^N^^00^00000000^한화에어로^1135000'

/** KIS's guide to its WebSocket, a trade of 2022-08-30 as it was sent then: 46 fields. */
export const TICK_OF_2022 =
  '000660^132848^93000^2^500^0.54^92646.96^92700^93300^92400^93100^93000^1^1058687^98084114400^11039^8523^-2516^89.44^547838^489995^5^0.47^40.42^090017^2^300^124625^5^-300^091329^2^600^20220830^20^N^13588^10258^77418^117103^0.15^1785780^59.28^0^^92700'

/** kgcrom/cluefin, packages/cluefin-openapi/tests/kis/test_domestic_realtime_quote_unit.py: the unified channel, 46 fields. */
export const UNIFIED_TICK =
  '005930^093000^70000^2^1000^1.45^69500^69000^70500^68500^70100^70000^100^5000000^350000000000^1234^1456^222^118.00^2500000^2950000^1^54.12^110.50^090000^2^1000^091530^2^-500^093500^5^1500^20251224^20^N^50000^45000^500000^450000^0.83^4500000^111.11^0^0^68000'
