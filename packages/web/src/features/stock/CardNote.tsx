import type { Stock } from '@digger/contract'
import type { ReactNode } from 'react'
import { useNow } from '../../clock/now.ts'
import { Note } from '../../components/Note.tsx'
import { won } from '../../format/won.ts'
import { FrozenBadge } from './FrozenBadge.tsx'
import { isLate, lateText, lateTitle } from './lateOrder.ts'
import { mainReason, reasonText } from './reasons.ts'
import css from './StockCard.module.css'

/** At most one: a share that became another one, an order that does not leave, a stop, or why nothing was bought. `hasLink`: the page is not the stock's own. */
export function CardNote({ stock, hasLink }: { stock: Stock; hasLink: boolean }) {
  const late = useNow((now) => isLate(stock, now))
  const { frozen, due, blocked, stop } = stock
  if (frozen) return hasLink && <Frozen stock={stock} frozen={frozen} />
  if (late && due) return <Late stock={stock} due={due} />
  if (blocked !== null)
    return (
      <Box>
        <Note tone="late" icon="warn" title="Digger가 이 종목의 매수를 멈췄습니다.">
          {blocked}
        </Note>
      </Box>
    )
  if (stop !== 'active')
    return (
      <Box>
        <Note
          tone="plain"
          icon="pause"
          title={stop === 'halt' ? '이 종목은 모두 멈춤입니다.' : '이 종목은 매수 멈춤입니다.'}
        >
          {stop === 'halt' ? '사지도 팔지도 않습니다.' : '사지 않고, 파는 것은 그대로 합니다.'}
        </Note>
      </Box>
    )
  const reason = mainReason(stock.reasons)
  return (
    reason && (
      <p className={css['why']}>
        <b>{reason.ok ? '왜 샀나' : '왜 안 샀나'}</b> {reasonText(reason, stock)}
      </p>
    )
  )
}

const Box = ({ children }: { children: ReactNode }) => <div className={css['note']}>{children}</div>

function Frozen({ stock, frozen }: { stock: Stock; frozen: NonNullable<Stock['frozen']> }) {
  return (
    <Box>
      <Note
        tone="late"
        icon="lock"
        title={`기준가가 ${won(frozen.close)}에서 ${won(frozen.base)}으로 바뀌었습니다.`}
        action={<FrozenBadge stock={stock} />}
      >
        조정할지 정할 때까지 사지도 팔지도 않습니다.
      </Note>
    </Box>
  )
}

function Late({ stock, due }: { stock: Stock; due: NonNullable<Stock['due']> }) {
  const title = useNow((now) => lateTitle(due, now))
  const text = useNow((now) => lateText({ reasons: stock.reasons, due }, now))
  return (
    <Box>
      <Note tone="late" icon="clock" title={title}>
        {text}
      </Note>
    </Box>
  )
}
