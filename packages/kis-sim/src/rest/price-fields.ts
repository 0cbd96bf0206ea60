import { empty } from './columns.ts'

/** Every field of inquire-price with its value for an unknown code; most of a live issue's are reference data. */
export const EMPTY_PRICE = empty(
  `
  iscd_stat_cls_code:00 marg_rate:0.00 rprs_mrkt_kor_name: new_hgpr_lwpr_cls_code: bstp_kor_isnm:
  temp_stop_yn:N oprc_rang_cont_yn:N clpr_rang_cont_yn:N crdt_able_yn:N grmn_rate_cls_code: elw_pblc_yn:N
  stck_prpr:0 prdy_vrss:0 prdy_vrss_sign:0 prdy_ctrt:0.00 acml_tr_pbmn:0 acml_vol:0 prdy_vrss_vol_rate:0.00
  stck_oprc:0 stck_hgpr:0 stck_lwpr:0 stck_mxpr:0 stck_llam:0 stck_sdpr:0 wghn_avrg_stck_prc:0.00
  hts_frgn_ehrt:0.00 frgn_ntby_qty:0 pgtr_ntby_qty:0 pvt_scnd_dmrs_prc:0 pvt_frst_dmrs_prc:0 pvt_pont_val:0
  pvt_frst_dmsp_prc:0 pvt_scnd_dmsp_prc:0 dmrs_val:0 dmsp_val:0 cpfn:0 rstc_wdth_prc:0 stck_fcam:0
  stck_sspr:0 aspr_unit:0 hts_deal_qty_unit_val:1 lstn_stcn:0 hts_avls:0 per:0.00 pbr:0.00 stac_month:12
  vol_tnrt:0.00 eps:0.00 bps:0.00 d250_hgpr:0 d250_hgpr_date: d250_hgpr_vrss_prpr_rate:0.00 d250_lwpr:0
  d250_lwpr_date: d250_lwpr_vrss_prpr_rate:0.00 stck_dryy_hgpr:0 dryy_hgpr_vrss_prpr_rate:0.00
  dryy_hgpr_date: stck_dryy_lwpr:0 dryy_lwpr_vrss_prpr_rate:0.00 dryy_lwpr_date: w52_hgpr:0
  w52_hgpr_vrss_prpr_ctrt:0.00 w52_hgpr_date: w52_lwpr:0 w52_lwpr_vrss_prpr_ctrt:0.00 w52_lwpr_date:
  whol_loan_rmnd_rate:0.00 ssts_yn:N stck_shrn_iscd: fcam_cnnm: cpfn_cnnm: apprch_rate: frgn_hldn_qty:0
  vi_cls_code:N ovtm_vi_cls_code:N last_ssts_cntg_qty:0 invt_caful_yn:N mrkt_warn_cls_code:00 short_over_yn:N
  sltr_yn:N mang_issu_cls_code:N
  `,
)

/** Every field of inquire-price-2 with its value for an unknown code. */
export const EMPTY_PRICE_2 = empty(
  `
  rprs_mrkt_kor_name: new_hgpr_lwpr_cls_code: mxpr_llam_cls_code: crdt_able_yn:N stck_mxpr:0 elw_pblc_yn:N
  prdy_clpr_vrss_oprc_rate:0.00 crdt_rate:0.00 marg_rate:0.00 lwpr_vrss_prpr:0 lwpr_vrss_prpr_sign:3
  prdy_clpr_vrss_lwpr_rate:0.00 stck_lwpr:0 hgpr_vrss_prpr:0 hgpr_vrss_prpr_sign:3 prdy_clpr_vrss_hgpr_rate:0.00
  stck_hgpr:0 oprc_vrss_prpr:0 oprc_vrss_prpr_sign:3 mang_issu_yn:N divi_app_cls_code: short_over_yn:N
  mrkt_warn_cls_code:00 invt_caful_yn:N stange_runup_yn:N ssts_hot_yn:N low_current_yn:N vi_cls_code:N
  short_over_cls_code:0 stck_llam:0 new_lstn_cls_name: vlnt_deal_cls_name: flng_cls_name: revl_issu_reas_name:
  mrkt_warn_cls_name: stck_sdpr:0 bstp_cls_code: stck_prdy_clpr:0 insn_pbnt_yn:N fcam_mod_cls_name: stck_prpr:0
  prdy_vrss:0 prdy_vrss_sign:3 prdy_ctrt:0.00 acml_tr_pbmn:0 acml_vol:0 prdy_vrss_vol_rate:0.00 bstp_kor_isnm:
  sltr_yn:N trht_yn:N oprc_rang_cont_yn:N vlnt_fin_cls_code: stck_oprc:0 prdy_vol:0
  `,
)
