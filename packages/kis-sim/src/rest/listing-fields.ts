import { empty } from './columns.ts'

/** Every field of search-stock-info where nothing is known: dates and names empty, amounts 0, answers N. */
export const EMPTY_STOCK = empty(
  `
  pdno: prdt_type_cd: prdt_name: prdt_name120: prdt_abrv_name: prdt_eng_name: prdt_eng_name120: prdt_eng_abrv_name:
  mket_id_cd: scty_grp_id_cd: excg_dvsn_cd: setl_mmdd: lstg_stqt:0 lstg_cptl_amt:0 cpta:0 papr:0 issu_pric:0
  kospi200_item_yn:N scts_mket_lstg_dt: scts_mket_lstg_abol_dt: kosdaq_mket_lstg_dt: kosdaq_mket_lstg_abol_dt:
  frbd_mket_lstg_dt: frbd_mket_lstg_abol_dt: reits_kind_cd: etf_dvsn_cd: oilf_fund_yn:N idx_bztp_lcls_cd:
  idx_bztp_mcls_cd: idx_bztp_scls_cd: stck_kind_cd: mfnd_opng_dt: mfnd_end_dt: dpsi_erlm_cncl_dt: etf_cu_qty:0
  std_pdno: dpsi_aptm_erlm_yn:N etf_txtn_type_cd: etf_type_cd: lstg_abol_dt: nwst_odst_dvsn_cd:
  sbst_pric:0 thco_sbst_pric:0 thco_sbst_pric_chng_dt: tr_stop_yn:N admn_item_yn:N thdt_clpr:0 bfdy_clpr:0
  clpr_chng_dt: std_idst_clsf_cd: std_idst_clsf_cd_name: idx_bztp_lcls_cd_name: idx_bztp_mcls_cd_name:
  idx_bztp_scls_cd_name: ocr_no: crfd_item_yn:N elec_scty_yn:Y issu_istt_cd: etf_chas_erng_rt_dbnb:0
  etf_etn_ivst_heed_item_yn:N stln_int_rt_dvsn_cd: frnr_psnl_lmt_rt:0.00000000 lstg_rqsr_issu_istt_cd:
  lstg_rqsr_item_cd: trst_istt_issu_istt_cd: cptt_trad_tr_psbl_yn:N nxt_tr_stop_yn:N
  `,
)

/** Every field of search-info where nothing is known. */
export const EMPTY_PRODUCT = empty(
  `
  pdno: prdt_type_cd: prdt_name: prdt_name120: prdt_abrv_name: prdt_eng_name: prdt_eng_name120: prdt_eng_abrv_name:
  std_pdno: shtn_pdno: prdt_sale_stat_cd: prdt_risk_grad_cd: prdt_clsf_cd: prdt_clsf_name: sale_strt_dt: sale_end_dt:
  wrap_asst_type_cd: ivst_prdt_type_cd: ivst_prdt_type_cd_name: frst_erlm_dt:
  `,
)
