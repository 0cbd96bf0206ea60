import { buyingPower } from '../exchange/admission.ts'
import { ledgerReply, type Call, type Reply } from './call.ts'
import { empty } from './columns.ts'
import { whole } from './numbers.ts'

/** Every field of intgr-margin for an account without credit, funds, bonds or foreign money. */
const EMPTY_MARGIN = empty(
  `
  acmga_rt:0 acmga_pct100_aptm_rson: stck_cash_objt_amt:0 stck_sbst_objt_amt:0 stck_evlu_objt_amt:0
  stck_ruse_psbl_objt_amt:0 stck_fund_rpch_chgs_objt_amt:0 stck_fncg_rdpt_objt_atm:0 bond_ruse_psbl_objt_amt:0
  stck_cash_use_amt:0 stck_sbst_use_amt:0 stck_evlu_use_amt:0 stck_ruse_psbl_amt_use_amt:0
  stck_fund_rpch_chgs_use_amt:0 stck_fncg_rdpt_amt_use_amt:0 bond_ruse_psbl_amt_use_amt:0 stck_cash_ord_psbl_amt:0
  stck_sbst_ord_psbl_amt:0 stck_evlu_ord_psbl_amt:0 stck_ruse_psbl_ord_psbl_amt:0 stck_fund_rpch_ord_psbl_amt:0
  bond_ruse_psbl_ord_psbl_amt:0 rcvb_amt:0 stck_loan_grta_ruse_psbl_amt:0 stck_cash20_max_ord_psbl_amt:0
  stck_cash30_max_ord_psbl_amt:0 stck_cash40_max_ord_psbl_amt:0 stck_cash50_max_ord_psbl_amt:0
  stck_cash60_max_ord_psbl_amt:0 stck_cash100_max_ord_psbl_amt:0 stck_rsip100_max_ord_psbl_amt:0
  bond_max_ord_psbl_amt:0 stck_fncg45_max_ord_psbl_amt:0 stck_fncg50_max_ord_psbl_amt:0 stck_fncg60_max_ord_psbl_amt:0
  stck_fncg70_max_ord_psbl_amt:0 stck_stln_max_ord_psbl_amt:0 lmt_amt:0 ovrs_stck_itgr_mgna_dvsn_name: usd_objt_amt:0
  usd_use_amt:0 usd_ord_psbl_amt:0 hkd_objt_amt:0 hkd_use_amt:0 hkd_ord_psbl_amt:0 jpy_objt_amt:0 jpy_use_amt:0
  jpy_ord_psbl_amt:0 cny_objt_amt:0 cny_use_amt:0 cny_ord_psbl_amt:0 usd_ruse_objt_amt:0 usd_ruse_amt:0
  usd_ruse_ord_psbl_amt:0 hkd_ruse_objt_amt:0 hkd_ruse_amt:0 hkd_ruse_ord_psbl_amt:0 jpy_ruse_objt_amt:0
  jpy_ruse_amt:0 jpy_ruse_ord_psbl_amt:0 cny_ruse_objt_amt:0 cny_ruse_amt:0 cny_ruse_ord_psbl_amt:0
  usd_gnrl_ord_psbl_amt:0 usd_itgr_ord_psbl_amt:0 hkd_gnrl_ord_psbl_amt:0 hkd_itgr_ord_psbl_amt:0
  jpy_gnrl_ord_psbl_amt:0 jpy_itgr_ord_psbl_amt:0 cny_gnrl_ord_psbl_amt:0 cny_itgr_ord_psbl_amt:0
  stck_itgr_cash20_ord_psbl_amt:0 stck_itgr_cash30_ord_psbl_amt:0 stck_itgr_cash40_ord_psbl_amt:0
  stck_itgr_cash50_ord_psbl_amt:0 stck_itgr_cash60_ord_psbl_amt:0 stck_itgr_cash100_ord_psbl_amt:0
  stck_itgr_100_ord_psbl_amt:0 stck_itgr_fncg45_ord_psbl_amt:0 stck_itgr_fncg50_ord_psbl_amt:0
  stck_itgr_fncg60_ord_psbl_amt:0 stck_itgr_fncg70_ord_psbl_amt:0 stck_itgr_stln_ord_psbl_amt:0
  bond_itgr_ord_psbl_amt:0 stck_cash_ovrs_use_amt:0 stck_sbst_ovrs_use_amt:0 stck_evlu_ovrs_use_amt:0
  stck_re_use_amt_ovrs_use_amt:0 stck_fund_rpch_ovrs_use_amt:0 stck_fncg_rdpt_ovrs_use_amt:0
  bond_re_use_ovrs_use_amt:0 usd_oth_mket_use_amt:0 jpy_oth_mket_use_amt:0 cny_oth_mket_use_amt:0
  hkd_oth_mket_use_amt:0 usd_re_use_oth_mket_use_amt:0 jpy_re_use_oth_mket_use_amt:0 cny_re_use_oth_mket_use_amt:0
  hkd_re_use_oth_mket_use_amt:0 hgkg_cny_re_use_amt:0 usd_frst_bltn_exrt:0.0000 hkd_frst_bltn_exrt:0.0000
  jpy_frst_bltn_exrt:0.0000 cny_frst_bltn_exrt:0.0000
  `,
)

/** intgr-margin: deposits that orders may use; won only here. */
export function margin(call: Call): Reply {
  const { account } = call
  // The margin here is the account's, whatever the stock: what can be bought at most is the same in every column.
  const atMost = whole(buyingPower(account))
  const output = {
    ...EMPTY_MARGIN,
    acmga_rt: whole(account.spec.marginPercent ?? 100),
    stck_cash_objt_amt: whole(account.truth.cash()),
    stck_cash_use_amt: whole(account.reserved()),
    stck_cash_ord_psbl_amt: whole(account.orderable()),
    ...Object.fromEntries(
      [20, 30, 40, 50, 60, 100].flatMap((percent) => [
        [`stck_cash${percent}_max_ord_psbl_amt`, atMost],
        [`stck_itgr_cash${percent}_ord_psbl_amt`, atMost],
      ]),
    ),
  }
  return ledgerReply(call, { output })
}
