import { goodReplies } from '../check.ts'
import type { Asked, Examiner } from '../examined.ts'
import { rowsOf } from '../expect/judge.ts'
import { isNear, judgeRelations, relation } from '../expect/relations.ts'
import type { Table } from '../expect/table.ts'
import { type Finding, note } from '../finding.ts'
import { textOf, type Row } from '../reply.ts'

export const BAR_RELATIONS = (close: string, volume: string) => [
  relation(`stck_lwpr stck_oprc ${close} stck_hgpr`, '저가 ≤ 시가·종가 ≤ 고가여야 합니다.', (of) =>
    ['stck_oprc', close].every((one) => of('stck_lwpr') <= of(one) && of(one) <= of('stck_hgpr')),
  ),
  relation(
    `acml_tr_pbmn ${volume} stck_lwpr stck_hgpr`,
    '거래대금은 거래량 × (저가~고가)여야 합니다.',
    (of) =>
      isNear(
        of('acml_tr_pbmn'),
        (of(volume) * (of('stck_lwpr') + of('stck_hgpr'))) / 2,
        (of(volume) * (of('stck_hgpr') - of('stck_lwpr'))) / 2 + of(volume) + 1,
      ),
    false,
  ),
]

const HEAD_RELATIONS = [
  relation(
    'stck_prpr prdy_vrss stck_prdy_clpr',
    '현재가 − 전일 대비 = 전일 종가여야 합니다.',
    (of) => of('stck_prpr') - of('prdy_vrss') === of('stck_prdy_clpr'),
    false,
  ),
  relation(
    'prdy_ctrt prdy_vrss stck_prdy_clpr',
    '등락률은 전일 대비 ÷ 전일 종가여야 합니다.',
    (of) => isNear(of('prdy_ctrt'), (of('prdy_vrss') / of('stck_prdy_clpr')) * 100, 0.011),
    false,
  ),
  relation(
    'acml_tr_pbmn acml_vol stck_prdy_clpr',
    '거래대금은 거래량 × 그날의 값이어야 합니다.',
    (of) =>
      isNear(of('acml_tr_pbmn'), of('acml_vol') * of('stck_prdy_clpr'), of('acml_vol') * of('stck_prdy_clpr') * 0.3),
    false,
  ),
  relation(
    'prdy_vrss_vol acml_vol prdy_vol',
    '거래량 대비 = 오늘 거래량 − 어제 거래량이어야 합니다.',
    (of) => of('prdy_vrss_vol') === of('acml_vol') - of('prdy_vol'),
    false,
  ),
  relation(
    'stck_lwpr stck_oprc stck_hgpr stck_llam stck_mxpr',
    '시가·고가·저가는 차례대로, 하한가와 상한가 사이여야 합니다.',
    (of) =>
      of('stck_hgpr') === 0 ||
      (of('stck_llam') <= of('stck_lwpr') &&
        of('stck_lwpr') <= of('stck_oprc') &&
        of('stck_oprc') <= of('stck_hgpr') &&
        of('stck_hgpr') <= of('stck_mxpr')),
    false,
  ),
  relation(
    'stck_prdy_lwpr stck_prdy_oprc stck_prdy_clpr stck_prdy_hgpr',
    '전일 저가 ≤ 시가·종가 ≤ 고가여야 합니다.',
    (of) =>
      ['stck_prdy_oprc', 'stck_prdy_clpr'].every(
        (one) => of('stck_prdy_lwpr') <= of(one) && of(one) <= of('stck_prdy_hgpr'),
      ),
    false,
  ),
  relation(
    'stck_prdy_hgpr stck_prdy_lwpr',
    '전일 고가는 전일 저가의 두 배를 넘지 않아야 합니다.',
    (of) => of('stck_prdy_hgpr') <= of('stck_prdy_lwpr') * 2,
    false,
  ),
  relation('askp stck_mxpr', '매도호가는 상한가를 넘지 않아야 합니다.', (of) => of('askp') <= of('stck_mxpr'), false),
  relation(
    'hts_avls lstn_stcn stck_prpr',
    '시가총액은 상장 주식 수 × 현재가(억 원)여야 합니다.',
    (of) => isNear(of('hts_avls'), (of('lstn_stcn') * of('stck_prpr')) / 1e8, 2),
    false,
  ),
  relation(
    'bidp askp',
    '매수호가는 매도호가보다 낮아야 합니다.',
    (of) => of('askp') === 0 || of('bidp') < of('askp'),
    false,
  ),
]

/** What of a chart's head does not move within the day is the quote's. */
const SAME = [
  ['stck_mxpr', 'stck_mxpr'],
  ['stck_llam', 'stck_llam'],
  ['stck_prdy_clpr', 'stck_sdpr'],
  ['stck_sdpr', 'stck_sdpr'],
  ['lstn_stcn', 'lstn_stcn'],
  ['lstg_stqt', 'lstn_stcn'],
  ['bfdy_clpr', 'stck_sdpr'],
  ['stck_shrn_iscd', 'stck_shrn_iscd'],
] as const

/** By itself, and against the quote of a moment ago. */
export function likeQuote({ seen: { quote } }: Examiner, asked: Asked<unknown>, table: Table): Finding[] {
  return goodReplies(asked).flatMap((reply) =>
    (rowsOf(table, reply) ?? []).flatMap((head) => headOf(quote, head, table)),
  )
}

function headOf(quote: Row | undefined, head: Row, table: Table): Finding[] {
  const odd = SAME.filter(
    ([field, other]) => table.fields.has(field) && quote !== undefined && textOf(head[field]) !== textOf(quote[other]),
  )
  const came = odd.map(
    ([field, other]) => `${field} ${textOf(head[field])}, 현재가의 ${other} ${textOf(quote?.[other])}`,
  )
  const more = { fields: odd.flat(), came: came.join('; '), source: table.source }
  return [
    ...judgeRelations({ name: table.name, source: table.source }, HEAD_RELATIONS, [head]),
    ...(odd.length === 0
      ? []
      : [note(`${table.name}에 적힌 값이 현재가 응답과 다릅니다. 디거는 현재가의 값을 씁니다.`, more)]),
  ]
}
