import type { Stock } from '@digger/contract'
import { memo } from 'react'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { STOP_LABELS, type StopState } from '../../stops/stops.ts'
import { useStop } from '../../stops/useStop.ts'
import { isSameBesidePrice } from './besidePrice.ts'

const STATES: readonly StopState[] = ['active', 'reduce', 'halt']

type SetStop = ReturnType<typeof useStop>['setStop']

/** The ways one stock may go on or stand still. */
export function askStockStop({ name, code, stop: now }: Stock, setStop: SetStop): void {
  const items = STATES.map((stop) => ({
    name: STOP_LABELS[stop],
    value: stop,
    danger: stop !== 'active',
    func: () => void setStop({ level: 'stock', code }, stop),
  }))
  void ask.sheet(`${name} 멈춤`, items, now)
}

/** Stops one stock, or lets it go on. */
export const StockStop = memo(function StockStop({ stock }: { stock: Stock }) {
  const { setStop } = useStop()
  return (
    <Button
      look={stock.stop === 'active' ? 'plain' : 'danger'}
      aria-haspopup="dialog"
      onClick={() => askStockStop(stock, setStop)}
    >
      이 종목 {STOP_LABELS[stock.stop]}
    </Button>
  )
}, isSameBesidePrice)
