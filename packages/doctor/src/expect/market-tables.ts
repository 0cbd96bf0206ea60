import { source } from '../finding.ts'
import { levels, table } from './table.ts'

/** Fields as the broker's workbook and samples list them, typed here by themselves: the client's own schemas are what is examined. */
export const PRICE = table(
  { name: '현재가', part: 'output', shape: 'object', source: source('S', '3.1') },
  {
    'whole!': 'stck_prpr stck_oprc stck_hgpr stck_lwpr stck_mxpr stck_llam stck_sdpr acml_vol aspr_unit',
    'text!:00,51,52,53,54,55,57,58,59': 'iscd_stat_cls_code',
    'yn!': 'temp_stop_yn',
    'text!': 'rprs_mrkt_kor_name',
    signed: 'prdy_vrss frgn_ntby_qty pgtr_ntby_qty',
    sign: 'prdy_vrss_sign',
    rate2: `prdy_ctrt prdy_vrss_vol_rate wghn_avrg_stck_prc hts_frgn_ehrt marg_rate per pbr eps bps vol_tnrt whol_loan_rmnd_rate
      d250_hgpr_vrss_prpr_rate d250_lwpr_vrss_prpr_rate dryy_hgpr_vrss_prpr_rate dryy_lwpr_vrss_prpr_rate
      w52_hgpr_vrss_prpr_ctrt w52_lwpr_vrss_prpr_ctrt`,
    whole: `acml_tr_pbmn rstc_wdth_prc lstn_stcn hts_avls stck_fcam stck_sspr cpfn hts_deal_qty_unit_val stac_month
      d250_hgpr d250_lwpr stck_dryy_hgpr stck_dryy_lwpr w52_hgpr w52_lwpr frgn_hldn_qty last_ssts_cntg_qty`,
    decimal: `pvt_scnd_dmrs_prc pvt_frst_dmrs_prc pvt_pont_val pvt_frst_dmsp_prc pvt_scnd_dmsp_prc dmrs_val dmsp_val apprch_rate`,
    day: 'd250_hgpr_date d250_lwpr_date dryy_hgpr_date dryy_lwpr_date w52_hgpr_date w52_lwpr_date',
    yn: `oprc_rang_cont_yn clpr_rang_cont_yn crdt_able_yn elw_pblc_yn ssts_yn vi_cls_code ovtm_vi_cls_code invt_caful_yn
      short_over_yn sltr_yn mang_issu_cls_code`,
    'text:00,01,02,03': 'mrkt_warn_cls_code',
    stock: 'stck_shrn_iscd',
    text: 'new_hgpr_lwpr_cls_code bstp_kor_isnm grmn_rate_cls_code fcam_cnnm cpfn_cnnm',
  },
)

export const BOOK = table(
  { name: '호가', part: 'output1', shape: 'object', source: source('D', '3.3') },
  {
    'whole!': levels('askp', 'bidp', 'askp_rsqn', 'bidp_rsqn'),
    time: 'aspr_acpt_hour',
    signed: `${levels('askp_rsqn_icdc', 'bidp_rsqn_icdc')} total_askp_rsqn_icdc total_bidp_rsqn_icdc ovtm_total_askp_icdc
      ovtm_total_bidp_icdc ntby_aspr_rsqn`,
    whole: 'total_askp_rsqn total_bidp_rsqn ovtm_total_askp_rsqn ovtm_total_bidp_rsqn',
    text: 'new_mkop_cls_code',
  },
)

export const EXPECTED_PRICE = table(
  { name: '예상 체결', part: 'output2', shape: 'object', source: source('D', '3.3') },
  {
    text: 'antc_mkop_cls_code',
    whole: 'stck_prpr stck_oprc stck_hgpr stck_lwpr stck_sdpr antc_cnpr antc_vol',
    sign: 'antc_cntg_vrss_sign',
    signed: 'antc_cntg_vrss',
    rate2: 'antc_cntg_prdy_ctrt',
    stock: 'stck_shrn_iscd',
    yn: 'vi_cls_code',
  },
)

export const CHART_HEAD = table(
  { name: '일봉의 머리', part: 'output1', shape: 'object', source: source('D', '3.4') },
  {
    'text!': 'hts_kor_isnm',
    whole: `stck_prpr stck_prdy_clpr acml_vol acml_tr_pbmn prdy_vol stck_mxpr stck_llam stck_oprc stck_hgpr stck_lwpr
      stck_prdy_oprc stck_prdy_hgpr stck_prdy_lwpr askp bidp stck_fcam lstn_stcn cpfn hts_avls`,
    signed: 'prdy_vrss prdy_vrss_vol',
    sign: 'prdy_vrss_sign',
    rate2: 'prdy_ctrt vol_tnrt per eps pbr',
    stock: 'stck_shrn_iscd',
  },
)

export const DAY_BARS = table(
  { name: '일봉', part: 'output2', shape: 'list', source: source('D', '3.4') },
  {
    'day!': 'stck_bsop_date',
    'whole!': 'stck_clpr stck_oprc stck_hgpr stck_lwpr acml_vol',
    whole: 'acml_tr_pbmn',
    'text:00,01,02,03,04,05,06,07': 'flng_cls_code',
    rate2: 'prtt_rate',
    yn: 'mod_yn',
    sign: 'prdy_vrss_sign',
    signed: 'prdy_vrss',
    text: 'revl_issu_reas',
  },
)

export const MINUTE_HEAD = table(
  { name: '분봉의 머리', part: 'output1', shape: 'object', source: source('S', '3.5') },
  {
    text: 'hts_kor_isnm',
    whole: 'stck_prpr stck_prdy_clpr acml_vol acml_tr_pbmn',
    signed: 'prdy_vrss',
    sign: 'prdy_vrss_sign',
    rate2: 'prdy_ctrt',
  },
)

export const MINUTE_BARS = table(
  { name: '분봉', part: 'output2', shape: 'list', source: source('S', '3.5') },
  {
    'day!': 'stck_bsop_date',
    'time!': 'stck_cntg_hour',
    'whole!': 'stck_prpr stck_oprc stck_hgpr stck_lwpr cntg_vol',
    whole: 'acml_tr_pbmn',
  },
)

export const STOCK_INFO = table(
  { name: '종목 정보', part: 'output', shape: 'object', source: source('S', '3.6') },
  {
    'text!': 'prdt_abrv_name scty_grp_id_cd',
    'text!:STK,KSQ,KNX': 'mket_id_cd',
    'yn!': 'tr_stop_yn cptt_trad_tr_psbl_yn nxt_tr_stop_yn',
    stock12: 'pdno',
    yn: `admn_item_yn kospi200_item_yn oilf_fund_yn dpsi_aptm_erlm_yn crfd_item_yn elec_scty_yn etf_etn_ivst_heed_item_yn`,
    whole: 'lstg_stqt lstg_cptl_amt cpta papr issu_pric etf_cu_qty sbst_pric thco_sbst_pric thdt_clpr bfdy_clpr',
    day: `lstg_abol_dt scts_mket_lstg_dt scts_mket_lstg_abol_dt kosdaq_mket_lstg_dt kosdaq_mket_lstg_abol_dt frbd_mket_lstg_dt
      frbd_mket_lstg_abol_dt mfnd_opng_dt mfnd_end_dt dpsi_erlm_cncl_dt thco_sbst_pric_chng_dt clpr_chng_dt`,
    decimal: 'etf_chas_erng_rt_dbnb frnr_psnl_lmt_rt',
    text: `prdt_type_cd prdt_name prdt_name120 prdt_eng_name prdt_eng_name120 prdt_eng_abrv_name excg_dvsn_cd setl_mmdd
      reits_kind_cd etf_dvsn_cd idx_bztp_lcls_cd idx_bztp_mcls_cd idx_bztp_scls_cd idx_bztp_lcls_cd_name idx_bztp_mcls_cd_name
      idx_bztp_scls_cd_name stck_kind_cd std_pdno etf_txtn_type_cd etf_type_cd nwst_odst_dvsn_cd std_idst_clsf_cd
      std_idst_clsf_cd_name ocr_no issu_istt_cd stln_int_rt_dvsn_cd lstg_rqsr_issu_istt_cd lstg_rqsr_item_cd
      trst_istt_issu_istt_cd`,
  },
)

export const HOLIDAYS = table(
  { name: '개장일', part: 'output', shape: 'list', source: source('S', '3.7') },
  {
    'day!': 'bass_dt',
    'yn!': 'opnd_yn',
    'text:01,02,03,04,05,06,07': 'wday_dvsn_cd',
    yn: 'bzdy_yn tr_day_yn sttl_day_yn',
  },
)
