import { type Finding, note, source } from '../finding.ts'
import { numberOf, textOf, type Row } from '../reply.ts'

/** How the list writes what it means: none of it changes what Digger makes of it. */
export function writingOf(rows: readonly Row[]): Finding[] {
  return [...numbers(rows), ...originals(rows), ...unpriced(rows), ...byOthers(rows)]
}

/** The form of the table says that it is no number of ten digits; this says what it is instead. */
function numbers(rows: readonly Row[]): Finding[] {
  const spaced = rows.find(({ odno }) => typeof odno === 'string' && /^ +\d+$/.test(odno))
  if (spaced === undefined) return []
  return [
    note('주문번호를 0이 아니라 빈칸으로 채웠습니다. 디거는 수로 견주므로 매매는 그대로입니다.', {
      fields: ['odno'],
      came: `'${String(spaced['odno'])}'`,
      source: source('M', '1.4'),
    }),
  ]
}

function originals(rows: readonly Row[]): Finding[] {
  const empty = rows.filter((row) => textOf(row['orgn_odno']) === '')
  if (empty.length === 0) return []
  return [
    note(
      `원주문이 없는 주문의 원주문번호가 0이 아니라 비어 있습니다(${empty.length}건). 디거는 둘 다 "없음"으로 읽습니다.`,
      {
        fields: ['orgn_odno'],
        came: "''",
        source: source('M', '1.4'),
      },
    ),
  ]
}

/** Market and best orders are sent without a price. */
const UNPRICED = new Set(['01', '03', '04', '13', '14', '15', '16', '44', '45', '46', '47'])

function unpriced(rows: readonly Row[]): Finding[] {
  const priced = rows.find((row) => UNPRICED.has(textOf(row['ord_dvsn_cd'])) && numberOf(row, 'ord_unpr') > 0)
  if (priced === undefined) return []
  return [
    note(
      '시장가나 최유리 주문의 값이 0이 아니라 체결된 값으로 보입니다. 디거는 주문 종류를 함께 견주므로 매매는 그대로입니다.',
      {
        fields: ['ord_unpr'],
        came: textOf(priced['ord_unpr']),
        source: source('M', '4.7'),
      },
    ),
  ]
}

/** Orders of programs bear a mark of the API, as public projects show it. */
function byOthers(rows: readonly Row[]): Finding[] {
  const others = rows.filter((row) => row['ordr_empno'] !== undefined && textOf(row['ordr_empno']) === '')
  if (others.length === 0) return []
  return [
    note(
      `증권사 앱이나 전화로 낸 것으로 보이는 주문이 ${others.length}건 있습니다. 디거는 남의 주문으로 보고 건드리지 않습니다.`,
      {
        fields: ['ordr_empno'],
        source: source('R', '4.7'),
      },
    ),
  ]
}
