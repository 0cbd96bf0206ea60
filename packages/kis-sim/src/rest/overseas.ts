import { ledgerReply, quotation, type Call, type Reply } from './call.ts'
import { empty } from './columns.ts'

/** Nobody here owns or trades anything abroad: every list is empty, every sum is zero, no code is known. */
const NO_PAGES = { ctx_area_fk200: ' '.repeat(200), ctx_area_nk200: ' '.repeat(200) }

const NO_ASSETS = empty(
  `pchs_amt_smtl:0 evlu_amt_smtl:0 evlu_pfls_amt_smtl:0 dncl_amt:0 cma_evlu_amt:0 tot_dncl_amt:0 etc_mgna:0
  wdrw_psbl_tot_amt:0 frcr_evlu_tota:0 evlu_erng_rt1:0.00 pchs_amt_smtl_amt:0 evlu_amt_smtl_amt:0 tot_evlu_pfls_amt:0
  tot_asst_amt:0 buy_mgn_amt:0 mgna_tota:0 frcr_use_psbl_amt:0 ustl_sll_amt_smtl:0 ustl_buy_amt_smtl:0
  tot_frcr_cblc_smtl:0 tot_loan_amt:0`,
)
/**
 * An account without foreign money shows a row of dollars all the same, with the day's rate (the balance printed in the
 * README of Soju06/python-kis: USD, amount 0, rate 1384.6). The rate is that one.
 */
const NO_DOLLARS = empty(
  `crcy_cd:USD crcy_cd_name: frcr_buy_amt_smtl:0.000000 frcr_sll_amt_smtl:0.000000 frcr_dncl_amt_2:0.000000
  frst_bltn_exrt:1384.60000000 frcr_buy_mgn_amt:0.000000 frcr_etc_mgna:0.000000 frcr_drwg_psbl_amt_1:0.000000
  frcr_evlu_amt2:0.000000 acpl_cstd_crcy_yn:N nxdy_frcr_drwg_psbl_amt:0.000000`,
)
const NO_BALANCE = empty(
  `frcr_pchs_amt1:0 ovrs_rlzt_pfls_amt:0 ovrs_tot_pfls:0 rlzt_erng_rt:0.00 tot_evlu_pfls_amt:0 tot_pftrt:0.00
  frcr_buy_amt_smtl1:0 ovrs_rlzt_pfls_amt2:0 frcr_buy_amt_smtl2:0`,
)
const NO_PROFIT = empty(
  `stck_sll_amt_smtl:0 stck_buy_amt_smtl:0 smtl_fee1:0 excc_dfrm_amt:0 ovrs_rlzt_pfls_tot_amt:0 tot_pftrt:0.00
  bass_dt: exrt:0`,
)
/** All texts empty, `last` among them: that is how a client sees that there is no such code. */
const NO_PRICE = empty('rsym: zdiv: base: pvol: last: sign: diff: rate: tvol: tamt: ordy:')

const nothing = (call: Call, payload: object): Reply => ledgerReply(call, payload, { empty: true })

export const overseasAssets = (call: Call): Reply =>
  nothing(call, { output1: [], output2: [{ ...NO_DOLLARS, crcy_cd_name: '미국 달러' }], output3: NO_ASSETS })

export const overseasBalance = (call: Call): Reply => nothing(call, { ...NO_PAGES, output1: [], output2: NO_BALANCE })

export const overseasList = (call: Call): Reply => nothing(call, { ...NO_PAGES, output: [] })

export const overseasProfit = (call: Call): Reply => nothing(call, { ...NO_PAGES, output1: [], output2: NO_PROFIT })

export const overseasPrice = (): Reply => quotation({ output: NO_PRICE })
