import { row, type SheetItem } from '../ask/ask.ts'
import { monthOf, rangeKey, yearOf, type Range } from '../format/day.ts'

/** Month and year steps: "this" is the calendar's, previous and next go from what is shown. */
export function rangeMenu(range: Range, today: string, go: (range: Range) => void): SheetItem[] {
  const item = (name: string, to: Range): SheetItem => ({ ...row(name, () => go(to)), value: rangeKey(to) })
  return [
    item('이번 달', monthOf(today)),
    item('지난달', monthOf(range.fromDate, -1)),
    item('다음 달', monthOf(range.fromDate, 1)),
    item('올해', yearOf(today)),
    item('지난해', yearOf(range.fromDate, -1)),
    item('다음 해', yearOf(range.fromDate, 1)),
  ]
}
