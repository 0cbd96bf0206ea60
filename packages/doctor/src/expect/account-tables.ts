import { source } from '../finding.ts'
import { table } from './table.ts'

/** All kinds of orders (kis-protocol 4.3). */
const DIVISIONS = 'text:00,01,02,03,04,05,06,07,11,12,13,14,15,16,21,22,23,24,27,28,29,41,42,43,44,45,46,47' as const

export const HOLDINGS = table(
  { name: '잔고', part: 'output1', shape: 'list', source: source('D', '4.8') },
  {
    'stock!': 'pdno',
    'whole!': 'hldg_qty ord_psbl_qty pchs_amt prpr',
    'price4!': 'pchs_avg_pric',
    'signed!': 'evlu_pfls_amt',
    'rate2!': 'evlu_pfls_rt',
    text: 'prdt_name trad_dvsn_name item_mgna_rt_name grta_rt_name',
    whole: 'bfdy_buy_qty bfdy_sll_qty thdt_buyqty thdt_sll_qty evlu_amt loan_amt stln_slng_chgs sbst_pric',
    rate8: 'evlu_erng_rt fltt_rt',
    day: 'loan_dt expd_dt',
    signed: 'bfdy_cprs_icdc',
    price4: 'stck_loan_unpr',
  },
)

export const BALANCE_SUMS = table(
  { name: '잔고 합계', part: 'output2', shape: 'listOfOne', source: source('D', '4.8') },
  {
    'signed!': 'prvs_rcdl_excc_amt',
    'whole!': 'scts_evlu_amt',
    signed: `dnca_tot_amt nxdy_excc_amt evlu_pfls_smtl_amt tot_evlu_amt nass_amt bfdy_tot_asst_evlu_amt asst_icdc_amt`,
    whole: `cma_evlu_amt bfdy_buy_amt thdt_buy_amt nxdy_auto_rdpt_amt bfdy_sll_amt thdt_sll_amt d2_auto_rdpt_amt bfdy_tlex_amt
      thdt_tlex_amt tot_loan_amt pchs_amt_smtl_amt evlu_amt_smtl_amt tot_stln_slng_chgs`,
    yn: 'fncg_gld_auto_rdpt_yn',
    rate8: 'asst_icdc_erng_rt',
  },
)

export const BUYABLE = table(
  { name: '매수 가능', part: 'output', shape: 'object', source: source('D', '4.5') },
  {
    'whole!': 'ord_psbl_cash nrcvb_buy_amt nrcvb_buy_qty psbl_qty_calc_unpr',
    whole: `max_buy_amt max_buy_qty ord_psbl_sbst ruse_psbl_amt fund_rpch_chgs cma_evlu_amt ovrs_re_use_amt_wcrc
      ord_psbl_frcr_amt_wcrc`,
  },
)

export const SELLABLE = table(
  { name: '매도 가능', part: 'output', shape: 'object', source: source('D', '4.6') },
  {
    'whole!': 'ord_psbl_qty',
    stock: 'pdno',
    text: 'prdt_name',
    whole: 'buy_qty sll_qty cblc_qty nsvg_qty pchs_amt now_pric evlu_amt',
    price4: 'pchs_avg_pric',
    signed: 'evlu_pfls_amt',
    rate2: 'evlu_pfls_rt',
  },
)

export const ORDERS = table(
  { name: '주문·체결 목록', part: 'output1', shape: 'list', source: source('D', '4.7') },
  {
    'day!': 'ord_dt',
    'odno!': 'odno',
    'branch!': 'ord_gno_brno',
    'stock!': 'pdno',
    'text!:01,02': 'sll_buy_dvsn_cd',
    'whole!': 'ord_qty ord_unpr tot_ccld_qty tot_ccld_amt rmn_qty rjct_qty',
    'time!': 'ord_tmd',
    'text!:KRX,NXT,SOR': 'excg_id_dvsn_Cd',
    original: 'orgn_odno',
    yn: 'cncl_yn',
    whole: 'avg_prvs cnc_cfrm_qty cncl_cfrm_qty stpm_cndt_pric',
    day: 'loan_dt rsvn_ord_end_dt',
    time: 'infm_tmd stpm_efct_occr_dtmd',
    branch: 'ord_orgno',
    [DIVISIONS]: 'ord_dvsn_cd',
    text: `ord_dvsn_name sll_buy_dvsn_cd_name prdt_name ordr_empno ccld_cndt_name inqr_ip_addr
      cpbc_ordp_ord_rcit_dvsn_cd cpbc_ordp_infm_mthd_dvsn_cd ctac_tlno prdt_type_cd excg_dvsn_cd cpbc_ordp_mtrl_dvsn_cd`,
  },
)

export const ORDER_SUMS = table(
  { name: '주문·체결 합계', part: 'output2', shape: 'object', source: source('D', '4.7') },
  { whole: 'tot_ord_qty tot_ccld_qty tot_ccld_amt prsm_tlex_smtl', price4: 'pchs_avg_pric' },
)

export const OPEN_ORDERS = table(
  { name: '정정·취소 가능한 주문', part: 'output', shape: 'list', source: source('S', '4.6') },
  {
    'branch!': 'ord_gno_brno',
    'odno!': 'odno',
    'stock!': 'pdno',
    'text!:01,02': 'sll_buy_dvsn_cd',
    'whole!': 'ord_qty ord_unpr tot_ccld_qty tot_ccld_amt psbl_qty',
    'text!:KRX,NXT,SOR': 'excg_id_dvsn_cd',
    'time!': 'ord_tmd',
    original: 'orgn_odno',
    whole: 'stpm_cndt_pric',
    yn: 'stpm_efct_occr_yn',
    [DIVISIONS]: 'ord_dvsn_cd',
    text: `ord_dvsn_name prdt_name rvse_cncl_dvsn_name mgco_aptm_odno excg_dvsn_cd excg_id_dvsn_name`,
  },
)

const PROFIT_SUMS = `sll_qty_smtl sll_tr_amt_smtl sll_fee_smtl sll_tltx_smtl buy_tr_amt_smtl buy_fee_smtl
  buy_tax_smtl buy_excc_amt_smtl tot_qty tot_tr_amt loan_int`

export const DAY_PROFITS = table(
  { name: '기간 손익', part: 'output1', shape: 'list', source: source('S', '4.9') },
  {
    'day!': 'trad_dt',
    'whole!': 'buy_amt sll_amt fee tl_tax',
    'signed!': 'rlzt_pfls',
    whole: 'loan_int sll_qty1 buy_qty1',
    rate8: 'pfls_rt',
  },
)

export const DAY_PROFIT_SUMS = table(
  { name: '기간 손익 합계', part: 'output2', shape: 'object', source: source('S', '4.9') },
  {
    'whole!': 'tot_fee tot_tltx',
    'signed!': 'tot_rlzt_pfls',
    signed: 'sll_excc_amt_smtl tot_excc_amt',
    whole: `${PROFIT_SUMS} buy_qty_smtl`,
  },
)

export const TRADE_PROFITS = table(
  { name: '종목별 손익', part: 'output1', shape: 'list', source: source('S', '4.9') },
  {
    'day!': 'trad_dt',
    'stock12!': 'pdno',
    'whole!': 'sll_qty buy_amt sll_amt fee tl_tax',
    'signed!': 'rlzt_pfls',
    text: 'prdt_name trad_dvsn_name',
    day: 'loan_dt',
    whole: 'hldg_qty buy_qty loan_int',
    decimal: 'pchs_unpr sll_pric',
    rate8: 'pfls_rt',
  },
)

export const TRADE_PROFIT_SUMS = table(
  { name: '종목별 손익 합계', part: 'output2', shape: 'object', source: source('S', '4.9') },
  {
    signed: 'sll_excc_amt_smtl tot_excc_amt tot_rlzt_pfls',
    whole: `${PROFIT_SUMS} buyqty_smtl tot_fee tot_tltx`,
    rate8: 'tot_pftrt',
  },
)
