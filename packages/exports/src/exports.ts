import { type ExportTable, Refused } from '@digger/contract'
import { addDays, kstDay } from '@digger/core'
import type { Clock, Db } from '@digger/database'
import { type ExportFile, fileHeaders, streamOf } from './file.ts'
import { csvOf } from './export-table.ts'
import { dayText } from './korean-time.ts'
import { ExportLimit } from './limit.ts'
import { writeWorkbook } from './workbook.ts'
import { askInParts, type AskBroker } from './year/ask-broker.ts'
import { MAX_LOTS, readYear } from './year/book.ts'
import { type BrokerAnswer, yearSheets } from './year/sheets.ts'

/** Of a call: who asks, and whose account it is about. */
export interface Asking {
  readonly person: string
  readonly userId: string
}

export interface TableQuery {
  readonly fromDate?: string | undefined
  readonly toDate?: string | undefined
  readonly code?: string | undefined
}

const CSV = 'text/csv; charset=utf-8'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const TITLES: Readonly<Record<ExportTable, string>> = {
  trades: '매매',
  orders: '주문',
  gain: '실현손익',
  money: '자산',
  audit: '감사기록',
}

/** The past of accounts as files. Everything is read from the tables, so any process that has the database makes them. */
export class Exports {
  readonly #db: Db
  readonly #clock: Pick<Clock, 'now'>
  readonly #limit = new ExportLimit()

  /** `clock`: the market's. */
  constructor(db: Db, clock: Pick<Clock, 'now'>) {
    this.#db = db
    this.#clock = clock
  }

  /** Throws Refused INVALID and BUSY. */
  async table({ person, userId }: Asking, table: ExportTable, query: TableQuery): Promise<ExportFile> {
    const { fromDate: from = null, toDate: to = null } = query
    if (from !== null && to !== null && from > to) throw new Refused('INVALID', WRONG_RANGE)
    const code = query.code || null
    const now = this.#clock.now()
    const ended = this.#limit.begin(person)
    const asked = { userId, days: { from, to }, code, now }
    const body = await streamOf(csvOf(this.#db, table, asked), ended)
    const days = rangeText(from, to ?? kstDay(now))
    const name = [...(code === null ? [] : [code]), days].join('_')
    return { headers: fileHeaders(CSV, `digger-${table}-${name}.csv`, `디거_${TITLES[table]}_${name}.csv`), body }
  }

  /** The broker is asked while the book is read. Throws Refused INVALID and BUSY. */
  async year({ person, userId }: Asking, year: string, askBroker: AskBroker): Promise<ExportFile> {
    const ended = this.#limit.begin(person)
    try {
      const now = this.#clock.now()
      const [first, last, today] = [`${year}0101`, `${year}1231`, kstDay(now)]
      const until = today < last ? today : last
      // The broker books a day when it is over, and while it is asked Digger trades on.
      const over = today <= last ? addDays(today, -1) : last
      const asking: Promise<BrokerAnswer> = over < first ? Promise.resolve(NOT_YET) : askInParts(askBroker, first, over)
      const [book, broker] = await Promise.all([readYear(this.#db, userId, year, until), asking])
      if (book === null) throw new Refused('INVALID', TOO_MANY)
      const body = await writeWorkbook(yearSheets(book, broker, now))
      return { headers: fileHeaders(XLSX, `digger-${year}.xlsx`, `디거_${year}년_정산.xlsx`), body }
    } finally {
      ended()
    }
  }
}

const rangeText = (from: string | null, to: string): string =>
  from === to ? dayText(to) : `${from === null ? '' : `${dayText(from)}_`}${dayText(to)}`

const WRONG_RANGE = '시작일이 종료일보다 늦습니다. 날짜를 바꿔 주세요.'
const NOT_YET = '이 해에는 아직 끝난 날이 없습니다.'
const TOO_MANY = `year: 한 해의 매매가 ${MAX_LOTS.toLocaleString('ko-KR')}건을 넘어 엑셀 파일로 만들 수 없습니다. 매매를 CSV로 내려받아 주세요.`
