import type { Stock } from '@digger/contract'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { STOP_LABELS, type StopState } from '../../stops/stops.ts'
import { useStop } from '../../stops/useStop.ts'

const STATES: readonly StopState[] = ['active', 'reduce', 'halt']

/** Stops one stock, or lets it go on. */
export function StockStop({ stock }: { stock: Stock }) {
  const { setStop } = useStop()
  const items = STATES.map((stop) => ({
    name: STOP_LABELS[stop],
    value: stop,
    danger: stop !== 'active',
    func: () => void setStop({ level: 'stock', code: stock.code }, stop),
  }))
  return (
    <Button
      look={stock.stop === 'active' ? 'plain' : 'danger'}
      aria-haspopup="dialog"
      onClick={() => void ask.sheet(`${stock.name} 멈춤`, items, stock.stop)}
    >
      이 종목 {STOP_LABELS[stock.stop]}
    </Button>
  )
}
