const names = (text: string): readonly string[] => text.trim().split(/\s+/)

/**
 * Columns of `output` as the official samples name them (koreainvestment/open-trading-api, revision 885dd4e,
 * examples_llm/domestic_stock/NAME/chk_NAME.py), for judging the pretend broker.
 */
export const OFFICIAL_COLUMNS = {
  price: names(`
    iscd_stat_cls_code marg_rate rprs_mrkt_kor_name new_hgpr_lwpr_cls_code bstp_kor_isnm temp_stop_yn
    oprc_rang_cont_yn clpr_rang_cont_yn crdt_able_yn grmn_rate_cls_code elw_pblc_yn stck_prpr prdy_vrss prdy_vrss_sign
    prdy_ctrt acml_tr_pbmn acml_vol prdy_vrss_vol_rate stck_oprc stck_hgpr stck_lwpr stck_mxpr stck_llam stck_sdpr
    wghn_avrg_stck_prc hts_frgn_ehrt frgn_ntby_qty pgtr_ntby_qty pvt_scnd_dmrs_prc pvt_frst_dmrs_prc pvt_pont_val
    pvt_frst_dmsp_prc pvt_scnd_dmsp_prc dmrs_val dmsp_val cpfn rstc_wdth_prc stck_fcam stck_sspr aspr_unit
    hts_deal_qty_unit_val lstn_stcn hts_avls per pbr stac_month vol_tnrt eps bps d250_hgpr d250_hgpr_date
    d250_hgpr_vrss_prpr_rate d250_lwpr d250_lwpr_date d250_lwpr_vrss_prpr_rate stck_dryy_hgpr dryy_hgpr_vrss_prpr_rate
    dryy_hgpr_date stck_dryy_lwpr dryy_lwpr_vrss_prpr_rate dryy_lwpr_date w52_hgpr w52_hgpr_vrss_prpr_ctrt
    w52_hgpr_date w52_lwpr w52_lwpr_vrss_prpr_ctrt w52_lwpr_date whol_loan_rmnd_rate ssts_yn stck_shrn_iscd fcam_cnnm
    cpfn_cnnm apprch_rate frgn_hldn_qty vi_cls_code ovtm_vi_cls_code last_ssts_cntg_qty invt_caful_yn
    mrkt_warn_cls_code short_over_yn sltr_yn mang_issu_cls_code
  `),
  price2: names(`
    rprs_mrkt_kor_name new_hgpr_lwpr_cls_code mxpr_llam_cls_code crdt_able_yn stck_mxpr elw_pblc_yn
    prdy_clpr_vrss_oprc_rate crdt_rate marg_rate lwpr_vrss_prpr lwpr_vrss_prpr_sign prdy_clpr_vrss_lwpr_rate stck_lwpr
    hgpr_vrss_prpr hgpr_vrss_prpr_sign prdy_clpr_vrss_hgpr_rate stck_hgpr oprc_vrss_prpr oprc_vrss_prpr_sign
    mang_issu_yn divi_app_cls_code short_over_yn mrkt_warn_cls_code invt_caful_yn stange_runup_yn ssts_hot_yn
    low_current_yn vi_cls_code short_over_cls_code stck_llam new_lstn_cls_name vlnt_deal_cls_name flng_cls_name
    revl_issu_reas_name mrkt_warn_cls_name stck_sdpr bstp_cls_code stck_prdy_clpr insn_pbnt_yn fcam_mod_cls_name
    stck_prpr prdy_vrss prdy_vrss_sign prdy_ctrt acml_tr_pbmn acml_vol prdy_vrss_vol_rate bstp_kor_isnm sltr_yn
    trht_yn oprc_rang_cont_yn vlnt_fin_cls_code stck_oprc prdy_vol
  `),
  stockInfo: names(`
    pdno prdt_type_cd prdt_name prdt_name120 prdt_abrv_name prdt_eng_name prdt_eng_name120 prdt_eng_abrv_name
    mket_id_cd scty_grp_id_cd excg_dvsn_cd setl_mmdd lstg_stqt lstg_cptl_amt cpta papr issu_pric kospi200_item_yn
    scts_mket_lstg_dt scts_mket_lstg_abol_dt kosdaq_mket_lstg_dt kosdaq_mket_lstg_abol_dt frbd_mket_lstg_dt
    frbd_mket_lstg_abol_dt reits_kind_cd etf_dvsn_cd oilf_fund_yn idx_bztp_lcls_cd idx_bztp_mcls_cd idx_bztp_scls_cd
    idx_bztp_lcls_cd_name idx_bztp_mcls_cd_name idx_bztp_scls_cd_name stck_kind_cd mfnd_opng_dt mfnd_end_dt
    dpsi_erlm_cncl_dt etf_cu_qty std_pdno dpsi_aptm_erlm_yn etf_txtn_type_cd etf_type_cd lstg_abol_dt
    nwst_odst_dvsn_cd sbst_pric thco_sbst_pric thco_sbst_pric_chng_dt tr_stop_yn admn_item_yn thdt_clpr bfdy_clpr
    clpr_chng_dt std_idst_clsf_cd std_idst_clsf_cd_name ocr_no crfd_item_yn elec_scty_yn issu_istt_cd
    etf_chas_erng_rt_dbnb etf_etn_ivst_heed_item_yn stln_int_rt_dvsn_cd frnr_psnl_lmt_rt lstg_rqsr_issu_istt_cd
    lstg_rqsr_item_cd trst_istt_issu_istt_cd cptt_trad_tr_psbl_yn nxt_tr_stop_yn
  `),
  productInfo: names(`
    pdno prdt_type_cd std_pdno shtn_pdno prdt_sale_stat_cd prdt_risk_grad_cd prdt_clsf_cd sale_strt_dt sale_end_dt
    wrap_asst_type_cd ivst_prdt_type_cd frst_erlm_dt
  `),
  margin: names(`
    acmga_rt acmga_pct100_aptm_rson stck_cash_objt_amt stck_sbst_objt_amt stck_evlu_objt_amt stck_ruse_psbl_objt_amt
    stck_fund_rpch_chgs_objt_amt stck_fncg_rdpt_objt_atm bond_ruse_psbl_objt_amt stck_cash_use_amt stck_sbst_use_amt
    stck_evlu_use_amt stck_ruse_psbl_amt_use_amt stck_fund_rpch_chgs_use_amt stck_fncg_rdpt_amt_use_amt
    bond_ruse_psbl_amt_use_amt stck_cash_ord_psbl_amt stck_sbst_ord_psbl_amt stck_evlu_ord_psbl_amt
    stck_ruse_psbl_ord_psbl_amt stck_fund_rpch_ord_psbl_amt bond_ruse_psbl_ord_psbl_amt rcvb_amt
    stck_loan_grta_ruse_psbl_amt stck_cash20_max_ord_psbl_amt stck_cash30_max_ord_psbl_amt
    stck_cash40_max_ord_psbl_amt stck_cash50_max_ord_psbl_amt stck_cash60_max_ord_psbl_amt
    stck_cash100_max_ord_psbl_amt stck_rsip100_max_ord_psbl_amt bond_max_ord_psbl_amt stck_fncg45_max_ord_psbl_amt
    stck_fncg50_max_ord_psbl_amt stck_fncg60_max_ord_psbl_amt stck_fncg70_max_ord_psbl_amt stck_stln_max_ord_psbl_amt
    lmt_amt ovrs_stck_itgr_mgna_dvsn_name usd_objt_amt usd_use_amt usd_ord_psbl_amt hkd_objt_amt hkd_use_amt
    hkd_ord_psbl_amt jpy_objt_amt jpy_use_amt jpy_ord_psbl_amt cny_objt_amt cny_use_amt cny_ord_psbl_amt
    usd_ruse_objt_amt usd_ruse_amt usd_ruse_ord_psbl_amt hkd_ruse_objt_amt hkd_ruse_amt hkd_ruse_ord_psbl_amt
    jpy_ruse_objt_amt jpy_ruse_amt jpy_ruse_ord_psbl_amt cny_ruse_objt_amt cny_ruse_amt cny_ruse_ord_psbl_amt
    usd_gnrl_ord_psbl_amt usd_itgr_ord_psbl_amt hkd_gnrl_ord_psbl_amt hkd_itgr_ord_psbl_amt jpy_gnrl_ord_psbl_amt
    jpy_itgr_ord_psbl_amt cny_gnrl_ord_psbl_amt cny_itgr_ord_psbl_amt stck_itgr_cash20_ord_psbl_amt
    stck_itgr_cash30_ord_psbl_amt stck_itgr_cash40_ord_psbl_amt stck_itgr_cash50_ord_psbl_amt
    stck_itgr_cash60_ord_psbl_amt stck_itgr_cash100_ord_psbl_amt stck_itgr_100_ord_psbl_amt
    stck_itgr_fncg45_ord_psbl_amt stck_itgr_fncg50_ord_psbl_amt stck_itgr_fncg60_ord_psbl_amt
    stck_itgr_fncg70_ord_psbl_amt stck_itgr_stln_ord_psbl_amt bond_itgr_ord_psbl_amt stck_cash_ovrs_use_amt
    stck_sbst_ovrs_use_amt stck_evlu_ovrs_use_amt stck_re_use_amt_ovrs_use_amt stck_fund_rpch_ovrs_use_amt
    stck_fncg_rdpt_ovrs_use_amt bond_re_use_ovrs_use_amt usd_oth_mket_use_amt jpy_oth_mket_use_amt
    cny_oth_mket_use_amt hkd_oth_mket_use_amt usd_re_use_oth_mket_use_amt jpy_re_use_oth_mket_use_amt
    cny_re_use_oth_mket_use_amt hkd_re_use_oth_mket_use_amt hgkg_cny_re_use_amt usd_frst_bltn_exrt hkd_frst_bltn_exrt
    jpy_frst_bltn_exrt cny_frst_bltn_exrt
  `),
} as const
