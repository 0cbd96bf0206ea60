import type { BrokerProfit } from '@digger/contract'
import { kstDay } from '@digger/core'
import { dayText, timeText } from '../korean-time.ts'
import { LOT_COLUMNS } from '../tables/lots.ts'
import type { Column } from '../table.ts'
import { type Sheet, sheetOf } from '../workbook.ts'
import { dealsKey, type YearBook } from './book.ts'
import { type Booked, differenceOf, MEANINGS, NAMES } from './difference.ts'
import { byMonth, byStock, MONTH_COLUMNS, STOCK_COLUMNS } from './summary.ts'
import { type TieOutLine, tieOut } from './tie-out.ts'

/** What the broker says of the year, or a sentence on why it was not asked or did not answer. */
export type BrokerAnswer = BrokerProfit | string

export function yearSheets(book: YearBook, broker: BrokerAnswer, now: number): Sheet[] {
  const { year, lots } = book
  return [
    sheetOf('요약', MONTH_COLUMNS, byMonth(year, lots), [
      `${year}년에 판 매매의 합입니다. ${timeText(now)}에 만들었습니다. 금액은 모두 원입니다.`,
      '산 금액은 판 매매를 산 값이고, 손익은 비용 전, 순손익은 산 쪽과 판 쪽의 수수료와 세금을 뺀 값입니다.',
      '손익은 한 주의 값을 원 단위로 맞추어(산 값은 올림, 판 값은 버림) 셉니다. 여러 값에 체결되면 판 금액과 산 금액의 차보다 한 주에 2원 안쪽으로 작습니다. 순손익은 금액 그대로 셉니다.',
      '수수료와 세금은 보통 요율로 어림한 값입니다. 신고에는 증권사의 값을 쓰세요.',
    ]),
    sheetOf('실현손익', LOT_COLUMNS, lots),
    sheetOf('종목별', STOCK_COLUMNS, byStock(lots)),
    tieOutSheet(book, broker, kstDay(now)),
  ]
}

const COMPARED: readonly (readonly [heading: string, amount: keyof Booked])[] = [
  ['산 금액', 'buyAmount'],
  ['판 금액', 'sellAmount'],
  ['실현손익', 'gainAmount'],
  ['수수료', 'fee'],
  ['세금', 'tax'],
]

const TIE_OUT_COLUMNS: readonly Column<TieOutLine>[] = [
  { heading: '날짜', cell: ({ day }) => dayText(day) },
  { heading: '종목코드', cell: ({ code }) => code },
  { heading: '종목명', cell: ({ name }) => name },
  ...COMPARED.flatMap(([heading, amount]): Column<TieOutLine>[] => [
    { heading: `${heading} Digger`, cell: ({ own }) => own[amount] },
    { heading: `${heading} 증권사`, cell: ({ broker }) => broker[amount] },
    { heading: `${heading} 차이`, cell: ({ own, broker }) => differenceOf(own, broker)[amount] },
  ]),
  { heading: '이유', cell: ({ names }) => (names.length === 0 ? '같음' : names.join(', ')) },
]

/** Of the days that are over before `today`. */
function tieOutSheet(book: YearBook, broker: BrokerAnswer, today: string): Sheet {
  const name = '증권사 대조'
  if (typeof broker === 'string')
    return sheetOf(
      name,
      TIE_OUT_COLUMNS,
      [],
      [`증권사와 견주지 못했습니다. ${broker} 다른 시트는 그대로 쓸 수 있습니다.`],
    )
  const deals = new Map([...book.deals].filter(([key]) => key < dealsKey(today, '')))
  const lines = tieOut({ ...book, deals }, broker)
  const seen = Object.values(NAMES).filter((one) => lines.some(({ names }) => names.includes(one)))
  return sheetOf(name, TIE_OUT_COLUMNS, lines, [
    '차이는 Digger의 값에서 증권사의 값을 뺀 것입니다. 여기 실현손익은 둘 다 수수료와 세금을 뺀 값이고, 수수료는 그날 한 거래의 것입니다.',
    ...(today.startsWith(book.year) ? [`${dayText(today)}은 아직 끝나지 않아 견주지 않았습니다.`] : []),
    ...seen.map((one) => `${one}: ${MEANINGS[one]}`),
  ])
}
