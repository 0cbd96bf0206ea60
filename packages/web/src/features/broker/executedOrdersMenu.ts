import type { CallName } from '@digger/contract/paths'
import { addDays } from '@digger/core'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { ask, row, type SheetItem } from '../../ask/ask.ts'
import { choice, switches, type Chip } from '../../components/Chips.tsx'
import { lastDays, rangeKey, type Range } from '../../format/day.ts'
import { runWork } from '../../work/work.ts'

type Flags = Record<'merged' | 'filterWithCode', boolean>
interface View {
  flags: Flags
  setFlags: (key: keyof Flags, value: boolean) => void
  setTexts: (change: Record<string, string>) => void
  today: string
}

const LAST = [10, 30, 90, 360]

export function executedOrdersMenu({ flags, setFlags, setTexts, today }: View): SheetItem[] {
  const range = (name: string, { fromDate, toDate }: Range): SheetItem => ({
    ...row(name, () => setTexts({ fromDate, toDate })),
    value: rangeKey({ fromDate, toDate }),
  })
  return [
    row(flags.filterWithCode ? '누르면 매매 화면으로 가기' : '누르면 그 종목만 보기', () =>
      setFlags('filterWithCode', !flags.filterWithCode),
    ),
    row(flags.merged ? '하나씩 보기' : '종목별로 합쳐 보기', () => setFlags('merged', !flags.merged)),
    row('ALL STOCK', () => setTexts({ code: '' })),
    range('TODAY', lastDays(today, 1)),
    range('YESTERDAY', lastDays(addDays(today, -1), 1)),
    ...LAST.map((days) => range(`LAST ${days} DAYS`, lastDays(today, days))),
  ]
}

/** The same as chips, with what is shown now. */
export function executedOrdersChips({ flags, setFlags, setTexts, today }: View, range: Range, code: string) {
  const chip = (name: string, to: Range): Chip => ({
    name,
    on: rangeKey(to) === rangeKey(range),
    func: () => setTexts({ ...to }),
  })
  const ranges = [
    chip('오늘', lastDays(today, 1)),
    chip('어제', lastDays(addDays(today, -1), 1)),
    ...LAST.map((days) => chip(`${days}일`, lastDays(today, days))),
  ]
  const shown: Chip[] = [
    { name: '종목별 합계', on: flags.merged, func: () => setFlags('merged', !flags.merged) },
    {
      name: '누르면 종목 고르기',
      on: flags.filterWithCode,
      func: () => setFlags('filterWithCode', !flags.filterWithCode),
    },
    ...(code === '' ? [] : [{ name: `${code}만`, on: true, func: () => setTexts({ code: '' }) }]),
  ]
  return [choice('기간', ranges), switches('보기', shown)]
}

/** Reads that show imported orders, or the names of stocks that come with them. */
const IMPORTED: ReadonlySet<CallName> = new Set(['ordered', 'adminOrdered', 'gain', 'adminGain'])

export const importKeyOf = (userId: string) => `import ${userId}`

interface Import {
  userId: string
  /** In front of the name of the task, on another's page. */
  whose: string
  query: Range & { code: string }
}

/** Importing executed orders into the book; administrators only. */
export function importMenu(client: QueryClient, { userId, whose, query }: Import): SheetItem[] {
  const run = async (fromLastOrder: 'true' | 'false') => {
    if (query.code === '') return void ask.alert('need code', '먼저 한 종목만 보이게 고른 뒤 가져오세요.')
    await runWork({
      key: importKeyOf(userId),
      name: `${whose}${query.code} 체결 가져오기`,
      work: async () => {
        const { imported, skipped } = await call('importOrdered', {
          params: { userId },
          query: { ...query, fromLastOrder },
        })
        // No event brings what an import changes.
        await client.invalidateQueries({ predicate: ({ queryKey: [name] }) => IMPORTED.has(name) })
        const text = `${whose}${query.code}: ${imported}건을 가져왔고, 이미 있던 ${skipped}건은 건너뛰었습니다.`
        return { ok: true, title: 'done', text }
      },
    })
  }
  return [
    { name: '가져오기', value: 'import', func: () => void run('false') },
    { name: '마지막 주문부터 가져오기', value: 'importLast', func: () => void run('true') },
  ]
}
