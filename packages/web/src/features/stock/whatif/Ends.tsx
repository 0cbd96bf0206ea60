import { Signed } from '../../../components/Signed.tsx'
import { amountText, type Figure } from './figures.ts'
import css from './Ends.module.css'

interface Props {
  ends: Figure['ends'] | null
  unit: Figure['unit']
}

/** From the lower to the higher end, one number where they agree; a dash where nothing is known. */
export function Ends({ ends, unit }: Props) {
  const [low, high] = ends ?? [null, null]
  if (low === null || high === null) return '—'
  return (
    <span className={css['ends']}>
      <Amount value={low} unit={unit} />
      {low !== high && (
        <>
          <span className="unseen">부터</span>{' '}
          <span className={css['upTo']}>
            <span aria-hidden="true">~ </span>
            <Amount value={high} unit={unit} />
          </span>
        </>
      )}
    </span>
  )
}

const Amount = ({ value, unit }: { value: number; unit: Figure['unit'] }) =>
  unit === 'gain' ? <Signed value={value} /> : <span className={css['amount']}>{amountText(value, unit)}</span>
