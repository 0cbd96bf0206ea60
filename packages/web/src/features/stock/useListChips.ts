import type { ChipGroup } from '../../components/Chips.tsx'
import { useWide } from '../../components/useWide.ts'
import { useTexts } from '../../url/query.ts'
import { orderChips, tableChip } from './stockOrder.ts'

/** The order of a list of stocks, and on wide windows its look; kept in the address. */
export function useListChips(): ChipGroup[] {
  const [text, setTexts] = useTexts()
  const isWide = useWide()
  return [
    orderChips(text('order'), (order) => setTexts({ order })),
    ...(isWide ? [tableChip(text('table'), (table) => setTexts({ table }))] : []),
  ]
}
