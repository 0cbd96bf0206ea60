import { addDays, isDay, kstTime, weekday } from '@digger/core'
import type { SimIssue } from '../exchange/issue.ts'
import { isin } from '../exchange/universe.ts'
import { badInput, field, quotation, success, type Reply, type Call } from './call.ts'
import { EMPTY_PRODUCT, EMPTY_STOCK } from './listing-fields.ts'
import { listedIssue } from './market.ts'
import { whole } from './numbers.ts'
import { listedShares } from './price.ts'

const notFound: Reply = { status: 200, body: { rt_cd: '7', msg_cd: 'KIOK0560', msg1: '조회할 내용이 없습니다' } }

/** These two calls write codes in 12 characters. */
const longCode = (code: string): string => code.padStart(12, '0')

const listed = (call: Call): SimIssue | undefined => listedIssue(call, field(call, 'PDNO').slice(-6))

export function stockInfo(call: Call): Reply {
  const issue = listed(call)
  if (!issue) return notFound
  const { code, name, market, kind } = issue.listing
  const { onNxt, stoppedOnNxt, halted } = issue.status
  const output = {
    ...EMPTY_STOCK,
    pdno: longCode(code),
    prdt_type_cd: '300',
    mket_id_cd: market === 'KOSDAQ' ? 'KSQ' : market === 'KONEX' ? 'KNX' : 'STK',
    scty_grp_id_cd: kind === 'etf' ? 'EF' : 'ST',
    excg_dvsn_cd: market === 'KOSDAQ' ? '03' : '02',
    setl_mmdd: '1231',
    lstg_stqt: whole(listedShares(issue)),
    prdt_name: name,
    prdt_name120: name,
    prdt_abrv_name: name,
    std_pdno: isin(code),
    [market === 'KOSDAQ' ? 'kosdaq_mket_lstg_dt' : 'scts_mket_lstg_dt']: issue.listing.listed ?? '',
    admn_item_yn: issue.status.warning === 'administrative' ? 'Y' : 'N',
    tr_stop_yn: halted ? 'Y' : 'N',
    thdt_clpr: whole(issue.shownLast('KRX')),
    bfdy_clpr: whole(issue.shownBase),
    clpr_chng_dt: call.broker.ledger.day,
    kospi200_item_yn: market === 'KOSPI' && kind === 'stock' ? 'Y' : 'N',
    stck_kind_cd: kind === 'etf' ? '' : '101',
    cptt_trad_tr_psbl_yn: onNxt ? 'Y' : 'N',
    nxt_tr_stop_yn: onNxt && (halted || stoppedOnNxt) ? 'Y' : 'N',
  }
  return success('KIOK0530', '조회되었습니다', { output })
}

export function productInfo(call: Call): Reply {
  const issue = listed(call)
  if (!issue) return notFound
  const { code, name } = issue.listing
  const output = {
    ...EMPTY_PRODUCT,
    pdno: longCode(code),
    prdt_type_cd: field(call, 'PRDT_TYPE_CD') || '300',
    prdt_name: name,
    prdt_name120: name,
    prdt_abrv_name: name,
    std_pdno: isin(code),
    shtn_pdno: code,
  }
  return success('KIOK0530', '조회되었습니다', { output })
}

/** Issues under a volatility interruption. */
export function viStatus(call: Call): Reply {
  const code = field(call, 'FID_INPUT_ISCD')
  const issues = [...call.broker.exchange.issues.values()].filter(
    (issue) => issue.interruptedUntil !== null && (code === '' || code === issue.listing.code),
  )
  const output = issues.map((issue) => ({
    hts_kor_isnm: issue.listing.name,
    mksc_shrn_iscd: issue.listing.code,
    vi_cls_code: 'Y',
    bsop_date: call.broker.ledger.day,
    cntg_vi_hour: kstTime(call.broker.clock.now()),
    vi_cncl_hour: kstTime(issue.interruptedUntil ?? 0),
    vi_kind_code: '1',
    vi_prc: whole(issue.last),
    vi_stnd_prc: whole(issue.shownBase),
    vi_dprt: '0.00',
    vi_dmc_stnd_prc: '0',
    vi_dmc_dprt: '0.00',
    vi_count: '1',
  }))
  return quotation({ output })
}

/** The broker lists about 24 days per reply. */
const HOLIDAY_ROWS = 24

export function holidays(call: Call): Reply {
  const cursor = call.next ? field(call, 'CTX_AREA_NK') : ''
  const from = cursor || field(call, 'BASS_DT')
  if (!isDay(from)) return badInput('OPSQ2001', 'ERROR : INPUT FIELD NOT FOUND [BASS_DT]')
  const output = Array.from({ length: HOLIDAY_ROWS }, (_, i) => {
    const day = addDays(from, i)
    const open = call.broker.hours.isOpenDay(day) ? 'Y' : 'N'
    return {
      bass_dt: day,
      wday_dvsn_cd: String(weekday(day) + 1).padStart(2, '0'),
      bzdy_yn: open,
      tr_day_yn: open,
      opnd_yn: open,
      sttl_day_yn: open,
    }
  })
  const context = { ctx_area_fk: from.padEnd(20), ctx_area_nk: addDays(from, HOLIDAY_ROWS).padEnd(20) }
  return success(
    'KIOK0500',
    '조회가 계속됩니다..다음버튼을 Click 하십시오.',
    { ...context, output },
    call.next ? 'M' : 'F',
  )
}
