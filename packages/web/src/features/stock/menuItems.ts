import { downloadItem } from '../../api/download.ts'
import type { SheetItem } from '../../ask/ask.ts'
import { switches, type ChipGroup } from '../../components/Chips.tsx'

type Set<K extends string> = (key: K, value: boolean) => void
type Labels = readonly [whenOn: string, whenOff: string]

/** A menu item that turns a part of the view the other way; it names what one gets. */
const flagItem =
  <K extends string>(key: K, [whenOn, whenOff]: Labels) =>
  (view: Record<K, boolean>, set: Set<K>): SheetItem => ({
    name: view[key] ? whenOn : whenOff,
    value: key,
    func: () => set(key, !view[key]),
  })

export const savedGainItem = flagItem('withSavedGain', ['누적 손익 빼고 보기', '누적 손익 포함해서 보기'])
export const detailItem = flagItem('showDetail', ['자세한 내용 숨기기', '자세히 보기'])
export const watchItem = flagItem('showOnlyWatch', ['모든 종목 보기', '지켜보는 종목만 보기'])
export const oldTradeItem = flagItem('withOldTrade', ['지난 매매 빼고 보기', '지난 매매 포함해서 보기'])

const CHIP_NAMES = {
  showOnlyWatch: '지켜보는 것만',
  withSavedGain: '누적 손익',
  showDetail: '자세히',
  withOldTrade: '지난 매매',
} as const

/** The same parts of the view as chips, each with its state. */
export function viewChips<K extends keyof typeof CHIP_NAMES>(
  keys: readonly K[],
  view: Record<K, boolean>,
  set: Set<K>,
): ChipGroup {
  return switches(
    '보기',
    keys.map((key) => ({ name: CHIP_NAMES[key], on: view[key], func: () => set(key, !view[key]) })),
  )
}

/** All trades of a stock, held and past, as a table. */
export const tradesFileItem = ({ userId, code }: { userId: string; code: string }): SheetItem =>
  downloadItem('매매 내보내기(CSV)', 'exportTable', { params: { userId, table: 'trades' }, query: { code } })
