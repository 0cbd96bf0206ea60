import { kstTime, tickSize, type Side } from '@digger/core'
import type { SimIssue } from '../exchange/issue.ts'
import { LEVELS, type Level } from '../exchange/quotes.ts'
import type { Tape } from '../exchange/tape.ts'
import { field, quotation, type Reply, type Call } from './call.ts'
import { highsAndLows } from './highs-and-lows.ts'
import { issueOf, noteShownDay, tapeVenue } from './market.ts'
import { EMPTY_PRICE, EMPTY_PRICE_2 } from './price-fields.ts'
import { change, changeSign, decimals, percent, whole } from './numbers.ts'

const vwap = (tape: Tape): string => decimals(tape.volume === 0 ? 0 : tape.amount / tape.volume, 2)

const interrupted = (issue: SimIssue): string => (issue.interruptedUntil === null ? 'N' : 'Y')

/** MRKT_WARN_CLS_CODE: 02 investment warning, 03 investment risk; administration is no market warning. */
const MARKET_WARNING = {
  none: '00',
  caution: '01',
  warning: '02',
  risk: '03',
  administrative: '00',
  liquidation: '00',
} as const

/** What inquire-price says of the exchange's designations. */
function statusFields({ broker }: Call, issue: SimIssue): Record<string, string> {
  const { warning, code, overheated } = issue.status
  const shown = broker.assumed.decide('statusShown')
  const flag = (is: boolean): string => (is ? 'Y' : shown === 'blank' ? '' : 'N')
  return {
    iscd_stat_cls_code: code !== '55' || shown === 'codes' ? code : shown === 'blank' ? '' : NEW_STATUS,
    temp_stop_yn: flag(issue.halted),
    vi_cls_code: flag(issue.interruptedUntil !== null),
    mrkt_warn_cls_code: warning === null && shown === 'blank' ? '' : MARKET_WARNING[warning ?? 'none'],
    mang_issu_cls_code: flag(warning === 'administrative'),
    sltr_yn: flag(warning === 'liquidation'),
    short_over_yn: flag(overheated),
    invt_caful_yn: flag(warning === 'caution'),
  }
}

/** In no table of the broker. */
const NEW_STATUS = '60'

/** inquire-price succeeds for an unknown code, with zeros. */
export function price(call: Call): Reply {
  const issue = issueOf(call)
  if (!issue) return quotation({ output: { ...EMPTY_PRICE, stck_shrn_iscd: field(call, 'FID_INPUT_ISCD') } })
  noteShownDay(call)
  const tape = issue.tapes[tapeVenue(call)]
  const [base, last] = [issue.shownBase, issue.shownLast(tapeVenue(call))]
  const { lower, upper } = issue.shownLimits
  const shares = listedShares(issue)
  const { warning } = issue.status
  return quotation({
    output: {
      ...EMPTY_PRICE,
      ...highsAndLows(call, issue, last),
      ...statusFields(call, issue),
      marg_rate: '20.00',
      rprs_mrkt_kor_name: issue.listing.market === 'KOSDAQ' ? 'KOSDAQ' : 'KOSPI200',
      bstp_kor_isnm: issue.listing.kind === 'etf' ? 'ETF' : '제조',
      crdt_able_yn: warning === null ? 'Y' : 'N',
      ssts_yn: 'Y',
      stck_prpr: whole(last),
      ...change(last, base, issue.shownLimits),
      acml_tr_pbmn: whole(tape.amount),
      acml_vol: whole(tape.volume),
      prdy_vrss_vol_rate: decimals(percent(tape.volume, tape.volumeBefore), 2),
      stck_oprc: whole(tape.open),
      stck_hgpr: whole(tape.high),
      stck_lwpr: whole(tape.low),
      stck_mxpr: whole(upper),
      stck_llam: whole(lower),
      stck_sdpr: whole(base),
      wghn_avrg_stck_prc: vwap(tape),
      rstc_wdth_prc: whole(upper - base),
      aspr_unit: whole(tickSize(last, issue.listing.kind)),
      lstn_stcn: whole(shares),
      hts_avls: whole((shares * last) / 1e8),
      stck_shrn_iscd: issue.listing.code,
    },
  })
}

/** Listed shares are no fact of this exchange; a market value of about 10 trillion won is. */
export const listedShares = (issue: SimIssue): number => Math.round(1e13 / issue.listing.base / 1_000) * 1_000

const warningFields = (warning: SimIssue['status']['warning']): Record<string, string> => ({
  mrkt_warn_cls_code: MARKET_WARNING[warning ?? 'none'],
  mang_issu_yn: warning === 'administrative' ? 'Y' : 'N',
  sltr_yn: warning === 'liquidation' ? 'Y' : 'N',
  invt_caful_yn: warning === 'caution' ? 'Y' : 'N',
})

export function price2(call: Call): Reply {
  const issue = issueOf(call)
  const tape = issue?.tapes.KRX
  if (!issue || !tape) return quotation({ output: EMPTY_PRICE_2 })
  const { open, high, low, volume, amount } = tape
  const { warning } = issue.status
  const [base, last, limits] = [issue.shownBase, issue.shownLast('KRX'), issue.shownLimits]
  const traded = volume > 0
  const ofBase = (price: number): string => decimals(traded ? percent(price - base, base) : 0, 2)
  return quotation({
    output: {
      ...EMPTY_PRICE_2,
      rprs_mrkt_kor_name: issue.listing.market === 'KOSDAQ' ? 'KOSDAQ' : 'KOSPI200',
      bstp_kor_isnm: issue.listing.kind === 'etf' ? 'ETF' : '제조',
      mxpr_llam_cls_code: { '1': '1', '4': '2' }[changeSign(last, base, limits)] ?? '',
      crdt_able_yn: warning === null ? 'Y' : 'N',
      ...warningFields(warning),
      short_over_yn: issue.status.overheated ? 'Y' : 'N',
      short_over_cls_code: issue.status.overheated ? '2' : '0',
      stck_mxpr: whole(limits.upper),
      prdy_clpr_vrss_oprc_rate: ofBase(open),
      prdy_clpr_vrss_hgpr_rate: ofBase(high),
      prdy_clpr_vrss_lwpr_rate: ofBase(low),
      crdt_rate: '20.00',
      marg_rate: '20.00',
      oprc_vrss_prpr: whole(traded ? last - open : 0),
      oprc_vrss_prpr_sign: traded ? changeSign(last, open) : '3',
      hgpr_vrss_prpr: whole(traded ? last - high : 0),
      hgpr_vrss_prpr_sign: traded ? changeSign(last, high) : '3',
      lwpr_vrss_prpr: whole(traded ? last - low : 0),
      lwpr_vrss_prpr_sign: traded ? changeSign(last, low) : '3',
      stck_prpr: whole(last),
      ...change(last, base, limits),
      stck_llam: whole(limits.lower),
      stck_sdpr: whole(base),
      stck_prdy_clpr: whole(base),
      stck_oprc: whole(open),
      stck_hgpr: whole(high),
      stck_lwpr: whole(low),
      acml_vol: whole(volume),
      acml_tr_pbmn: whole(amount),
      prdy_vol: whole(tape.volumeBefore),
      prdy_vrss_vol_rate: decimals(percent(volume, tape.volumeBefore), 2),
      trht_yn: issue.halted ? 'Y' : 'N',
      vi_cls_code: interrupted(issue),
    },
  })
}

const side = (name: string, levels: readonly Level[]): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: LEVELS }, (_, i) => [
      [`${name}p${i + 1}`, whole(levels[i]?.price ?? 0)],
      [`${name}p_rsqn${i + 1}`, whole(levels[i]?.count ?? 0)],
      [`${name}p_rsqn_icdc${i + 1}`, '0'],
    ]).flat(),
  )

const total = (levels: readonly Level[]): number => levels.reduce((sum, { count }) => sum + count, 0)

export function orderBook(call: Call): Reply {
  const issue = issueOf(call)
  const venue = tapeVenue(call) === 'NXT' ? 'NXT' : 'KRX'
  const shown = tapeVenue(call)
  const levels = (facing: Side): Level[] => issue?.shownLevels(facing, shown, venue) ?? []
  const [asks, bids] = [levels('buy'), levels('sell')]
  const tape = issue?.tapes[tapeVenue(call)]
  const base = issue?.shownBase ?? 0
  const output1 = {
    aspr_acpt_hour: kstTime(call.broker.clock.now()),
    ...side('ask', asks),
    ...side('bid', bids),
    total_askp_rsqn: whole(total(asks)),
    total_bidp_rsqn: whole(total(bids)),
    total_askp_rsqn_icdc: '0',
    total_bidp_rsqn_icdc: '0',
    ovtm_total_askp_icdc: '0',
    ovtm_total_bidp_icdc: '0',
    ovtm_total_askp_rsqn: '0',
    ovtm_total_bidp_rsqn: '0',
    ntby_aspr_rsqn: whole(total(bids) - total(asks)),
    new_mkop_cls_code: '20',
  }
  const output2 = {
    antc_mkop_cls_code: '112',
    stck_prpr: whole(issue?.shownLast(tapeVenue(call)) ?? 0),
    stck_oprc: whole(tape?.open ?? 0),
    stck_hgpr: whole(tape?.high ?? 0),
    stck_lwpr: whole(tape?.low ?? 0),
    stck_sdpr: whole(base),
    antc_cnpr: '0',
    antc_cntg_vrss_sign: '3',
    antc_cntg_vrss: '0',
    antc_cntg_prdy_ctrt: '0.00',
    antc_vol: '0',
    stck_shrn_iscd: field(call, 'FID_INPUT_ISCD'),
    vi_cls_code: issue ? interrupted(issue) : 'N',
  }
  return quotation({ output1, output2 })
}

/** The last trades, newest first. */
export function lastTrades(call: Call): Reply {
  const issue = issueOf(call)
  const tape = issue?.tapes[tapeVenue(call)]
  const output = (tape?.recent ?? []).toReversed().map((print) => ({
    stck_cntg_hour: kstTime(print.at),
    stck_prpr: whole(print.price),
    ...change(print.price, issue?.shownBase ?? 0),
    cntg_vol: whole(print.count),
    tday_rltv: decimals(percent(tape?.buyVolume ?? 0, tape?.sellVolume ?? 0), 2),
  }))
  return quotation({ output })
}
