/**
 * Values that no other value of any reply speaks about: another unit of them, written as before, is not seen by reading. None is one
 * that Digger decides by.
 */
export const UNCHECKED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'a code whose values no document lists': [
      'search-stock-info prdt_type_cd',
      'search-stock-info setl_mmdd',
      'search-stock-info stck_kind_cd',
      'inquire-price stac_month',
      'inquire-asking-price-exp-ccn new_mkop_cls_code',
      'inquire-asking-price-exp-ccn antc_mkop_cls_code',
      'inquire-daily-ccld prdt_type_cd',
    ],
    'a figure of its own': [
      'inquire-price marg_rate',
      'inquire-price prdy_vrss_vol_rate',
      'inquire-price hts_deal_qty_unit_val',
      'inquire-balance bfdy_buy_qty',
      'inquire-balance bfdy_sll_qty',
      'inquire-period-profit pfls_rt',
      'inquire-period-trade-profit hldg_qty',
      'inquire-period-trade-profit buy_qty',
      'inquire-period-trade-profit buy_amt',
      'inquire-period-trade-profit tot_pftrt',
    ],
    'in no document': ['inquire-daily-itemchartprice prdy_ctrt'],
    'the depository’s, to be seen on the day only': [
      'bonus-issue tot_issue_stk_qty',
      'bonus-issue issue_stk_qty',
      'bonus-issue fix_rate',
    ],
    'a cursor, echoed as it came': ['chk-holiday ctx_area_fk', 'chk-holiday ctx_area_nk'],
  }).flatMap(([why, names]) => names.map((name) => [name, why] as const)),
)
