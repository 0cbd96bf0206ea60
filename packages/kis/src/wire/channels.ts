/** Real-time channels by what they carry. Only the KRX channels and the paper notices exist on paper. */
export const CHANNELS = {
  tick: { KRX: 'H0STCNT0', NXT: 'H0NXCNT0', UN: 'H0UNCNT0' },
  book: { KRX: 'H0STASP0', NXT: 'H0NXASP0', UN: 'H0UNASP0' },
  notice: { real: 'H0STCNI0', paper: 'H0STCNI9' },
  /** Market operation: state changes of a stock's session, VI, halts. Real only. */
  operation: { KRX: 'H0STMKO0', NXT: 'H0NXMKO0', UN: 'H0UNMKO0' },
} as const

/** Registrations of one connection, all channels summed, the notice channel included; the 42nd is refused (OPSP0008). */
export const MAX_REGISTRATIONS = 41

export const TR_TYPE = { register: '1', unregister: '2' } as const

/** Trading ticks of every venue. Frames before 2026-09-14 end after index 45. */
export const TICK_FIELDS = [
  'MKSC_SHRN_ISCD',
  'STCK_CNTG_HOUR',
  'STCK_PRPR',
  'PRDY_VRSS_SIGN',
  'PRDY_VRSS',
  'PRDY_CTRT',
  'WGHN_AVRG_STCK_PRC',
  'STCK_OPRC',
  'STCK_HGPR',
  'STCK_LWPR',
  'ASKP1',
  'BIDP1',
  'CNTG_VOL',
  'ACML_VOL',
  'ACML_TR_PBMN',
  'SELN_CNTG_CSNU',
  'SHNU_CNTG_CSNU',
  'NTBY_CNTG_CSNU',
  'CTTR',
  'SELN_CNTG_SMTN',
  'SHNU_CNTG_SMTN',
  'CCLD_DVSN',
  'SHNU_RATE',
  'PRDY_VOL_VRSS_ACML_VOL_RATE',
  'OPRC_HOUR',
  'OPRC_VRSS_PRPR_SIGN',
  'OPRC_VRSS_PRPR',
  'HGPR_HOUR',
  'HGPR_VRSS_PRPR_SIGN',
  'HGPR_VRSS_PRPR',
  'LWPR_HOUR',
  'LWPR_VRSS_PRPR_SIGN',
  'LWPR_VRSS_PRPR',
  'BSOP_DATE',
  'NEW_MKOP_CLS_CODE',
  'TRHT_YN',
  'ASKP_RSQN1',
  'BIDP_RSQN1',
  'TOTAL_ASKP_RSQN',
  'TOTAL_BIDP_RSQN',
  'VOL_TNRT',
  'PRDY_SMNS_HOUR_ACML_VOL',
  'PRDY_SMNS_HOUR_ACML_VOL_RATE',
  'HOUR_CLS_CODE',
  'MRKT_TRTM_CLS_CODE',
  'VI_STND_PRC',
  'MARKET_CLS_CODE',
] as const

/** Fields of a tick record before 2026-09-14; also the least this client accepts. */
export const TICK_FIELDS_OLD_COUNT = 46

/** Field counts of the books before 2026-09-14 (the tail is missing). */
export const BOOK_FIELDS_OLD_COUNT = { KRX: 59, NXT: 65, UN: 65 } as const

const NOTICE_HEAD = [
  'CUST_ID',
  'ACNT_NO',
  'ODER_NO',
  'OODER_NO',
  'SELN_BYOV_CLS',
  'RCTF_CLS',
  'ODER_KIND',
  'ODER_COND',
  'STCK_SHRN_ISCD',
  'CNTG_QTY',
  'CNTG_UNPR',
  'STCK_CNTG_HOUR',
  'RFUS_YN',
  'CNTG_YN',
  'ACPT_YN',
  'BRNC_NO',
  'ODER_QTY',
  'ACNT_NAME',
] as const

/** Execution notice of today: 26 fields. */
export const NOTICE_FIELDS = [
  ...NOTICE_HEAD,
  'ORD_COND_PRC',
  'ORD_EXG_GB',
  'POPUP_YN',
  'FILLER',
  'CRDT_CLS',
  'CRDT_LOAN_DATE',
  'CNTG_ISNM40',
  'ODER_PRC',
] as const

/** Execution notice before NXT: 23 fields, the first 18 the same. */
export const NOTICE_FIELDS_OLD = [
  ...NOTICE_HEAD,
  'CNTG_ISNM',
  'CRDT_CLS',
  'CRDT_LOAN_DATE',
  'CNTG_ISNM40',
  'ODER_PRC',
] as const

/** ORD_EXG_GB of a notice: where the order, or the part of a SOR order, went. */
export const NOTICE_VENUE = { KRX: '1', NXT: '2', SOR_KRX: '3', SOR_NXT: '4' } as const
