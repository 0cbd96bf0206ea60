import { dailyLimits, tickSize } from '@digger/core'
import { type Check, goodReplies, judged, orOk } from '../check.ts'
import type { Examiner } from '../examined.ts'
import { rowsOf } from '../expect/judge.ts'
import { PRICE } from '../expect/market-tables.ts'
import { judgeRelations } from '../expect/relations.ts'
import { type Finding, note, source, wrong } from '../finding.ts'
import { isGood, numberOf, textOf, type Row } from '../reply.ts'
import { PRICE_RELATIONS } from './price-relations.ts'

const SOURCE = source('S', '3.1')

/** Of no issue: the broker answers with zeros, not with an error. */
const NO_ISSUE = '999999'

export const priceCheck: Check = {
  key: 'price',
  name: '현재가, 가격 제한, 호가 단위',
  source: SOURCE,
  async run(examiner) {
    const { code } = examiner.subject
    const asked = await examiner.ask((rest) => rest.quote(code))
    const rows = goodReplies(asked).flatMap((reply) => rowsOf(PRICE, reply) ?? [])
    if (rows[0] !== undefined) examiner.seen.quote = rows[0]
    if (asked.value) Object.assign(examiner.seen, { base: asked.value.base, upper: asked.value.upper })
    return orOk(
      [
        ...judged(examiner, asked, '현재가'),
        ...judgeRelations({ name: `${code} 현재가`, source: SOURCE }, PRICE_RELATIONS, rows),
        ...rulesOf(examiner, rows),
        ...likeInfo(examiner, rows),
        ...(await unlisted(examiner)),
        ...(await otherVenue(examiner)),
      ],
      `${code}의 현재가, 기준가, 상·하한가와 호가 단위가 디거의 계산과 같습니다.`,
      SOURCE,
    )
  },
}

/** The market's rules as Digger computes them where the broker is not asked: ticks and daily limits. */
function rulesOf({ seen }: Examiner, rows: readonly Row[]): Finding[] {
  const { kind = 'stock', market = 'KOSPI' } = seen.info ?? {}
  return rows.flatMap((row) => {
    const [base, price, unit] = [numberOf(row, 'stck_sdpr'), numberOf(row, 'stck_prpr'), numberOf(row, 'aspr_unit')]
    const [upper, lower] = [numberOf(row, 'stck_mxpr'), numberOf(row, 'stck_llam')]
    if ([base, price, unit, upper, lower].some(Number.isNaN) || base === 0) return []
    const limits = dailyLimits(base, kind, market)
    const tick = tickSize(price, kind)
    return [
      ...(unit === tick
        ? []
        : [
            wrong(`호가 단위를 ${tick}원으로 계산하는데 증권사는 ${unit}원이라고 합니다. 주문이 거절될 수 있습니다.`, {
              fields: ['aspr_unit', 'stck_prpr'],
              source: source('S', '7.1'),
            }),
          ]),
      ...(upper === limits.upper && lower === limits.lower
        ? []
        : [
            wrong(
              `기준가 ${base}원의 가격 제한을 ${limits.lower}~${limits.upper}원으로 계산하는데 증권사는 ${lower}~${upper}원이라고 합니다. 디거는 증권사의 값을 따르지만, 새로 상장했거나 정리매매인 종목이 아니라면 확인해 주세요.`,
              { fields: ['stck_mxpr', 'stck_llam', 'stck_sdpr'], source: source('X', '7.2') },
            ),
          ]),
    ]
  })
}

/** What search-stock-info shows of the same stock. */
function likeInfo({ seen: { infoRow } }: Examiner, rows: readonly Row[]): Finding[] {
  const [row] = rows
  if (infoRow === undefined || row === undefined) return []
  const odd = [
    ['lstg_stqt', 'lstn_stcn'],
    ['bfdy_clpr', 'stck_sdpr'],
    ['thdt_clpr', 'stck_prpr'],
  ].filter(([field = '', other = '']) => Math.abs(numberOf(infoRow, field) / numberOf(row, other) - 1) > 0.5)
  if (odd.length === 0) return []
  return [
    note('종목 정보의 값이 현재가 응답과 크게 다릅니다. 디거는 현재가의 값을 씁니다.', {
      fields: odd.flat(),
      came: odd.map(([field = '']) => `${field} ${textOf(infoRow[field])}`).join(', '),
      source: source('S', '3.6'),
    }),
  ]
}

async function unlisted(examiner: Examiner): Promise<Finding[]> {
  const { value, error } = await examiner.ask((rest) => rest.quote(NO_ISSUE))
  if (error === null && value === null) return []
  return [
    note(
      '없는 종목을 물으면 가격 0이 온다고 알고 있었는데 그렇지 않았습니다. 디거는 값이 없는 종목을 사지 않으므로 매매는 그대로입니다.',
      {
        came: error?.message ?? String(value?.price),
        source: source('M', '3.1'),
      },
    ),
  ]
}

/** Two venues a percent from each other are worth a look; a tick is usual. */
const MAX_VENUE_GAP = 0.01

/** The price of the same stock at NXT. */
async function otherVenue(examiner: Examiner): Promise<Finding[]> {
  const { code, rest } = examiner.subject
  if (rest.env === 'paper' || examiner.seen.info?.nxt === false) return []
  const [krx, nxt] = [await examiner.ask((one) => one.quote(code)), await examiner.ask((one) => one.quote(code, 'NXT'))]
  if (nxt.error) return judged(examiner, nxt, 'NXT 현재가')
  const rows = [...krx.replies, ...nxt.replies].filter(isGood).flatMap((reply) => rowsOf(PRICE, reply) ?? [])
  const odd = judgeRelations({ name: `${code} 다시 물은 현재가`, source: SOURCE }, PRICE_RELATIONS, rows)
  if (odd.length > 0) return odd
  if (!krx.value || !nxt.value || nxt.value.volume === 0 || krx.value.volume === 0) return []
  if (Math.abs(krx.value.price / nxt.value.price - 1) < MAX_VENUE_GAP) return []
  return [
    note(
      `KRX와 NXT의 현재가가 다릅니다(${krx.value.price}원, ${nxt.value.price}원). 두 시장은 값이 따로이고, 디거는 주문이 가는 시장의 값으로 판단합니다.`,
      { fields: ['stck_prpr'], source: source('?', '3.1') },
    ),
  ]
}
