import type { ShadowStock } from '@digger/contract'
import { Button } from '../../components/Button.tsx'
import { Note } from '../../components/Note.tsx'
import { Facts } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { reasonTitle } from '../../format/reasonTitle.ts'
import { stamp } from '../../format/time.ts'
import { number, won } from '../../format/won.ts'
import css from './Shadow.module.css'
import { whyOf } from './shadowText.ts'

interface Props {
  stock: ShadowStock
  /** Its book could not be opened, as the page says. */
  failed: boolean | undefined
  busy: boolean
  onResume: () => void
}

/** What the rehearsal of a stock has come to, and why it does what it does now. */
export function Outcome({ stock: { name, rehearsed }, failed = false, busy, onResume }: Props) {
  if (rehearsed === null) return !failed && <p className={css['note']}>연습 장부를 여는 중입니다.</p>
  const { remainCount, remainAmount, openGain, realisedGain, orders, reasons = [], stopped } = rehearsed
  return (
    <>
      <Facts
        facts={[
          ['연습 보유', `${number(remainCount)}주 ${won(remainAmount)}`],
          ['연습 평가 손익', openGain === null ? '—' : <Signed key="open" value={openGain} />],
          ['연습 실현 손익', <Signed key="realised" value={realisedGain} />],
          ['걸려 있었을 주문', `${number(orders)}건`],
        ]}
      />
      {stopped && (
        <Note
          tone="late"
          icon="pause"
          title={stopped.stop === 'halt' ? '연습이 모두 멈췄습니다.' : '연습 매수가 멈췄습니다.'}
          // Only what limits of its own have stopped is let go here: the rest is the real account's.
          action={
            stopped.reached.length > 0 && (
              <Button look="quiet" disabled={busy} aria-label={`${name} 연습 재개`} onClick={onResume}>
                연습 재개
              </Button>
            )
          }
        >
          {stopped.reached.join(' ')}
        </Note>
      )}
      {whyOf(reasons).map((reason) => (
        <p key={reason.side} className={css['note']}>
          <b>{reasonTitle(reason)}</b> {reason.at !== undefined && `${stamp(reason.at)} `}
          {reason.text}
        </p>
      ))}
    </>
  )
}
