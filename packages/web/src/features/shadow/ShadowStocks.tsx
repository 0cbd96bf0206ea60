import type { Shadow, ShadowStock } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Tag } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Panel } from '../../components/Panel.tsx'
import { usePathUser } from '../../url/user.ts'
import { Outcome } from './Outcome.tsx'
import css from './Shadow.module.css'
import { realStartText } from './shadowText.ts'

const INTO_SHADOW =
  '걸려 있는 자동 주문은 취소하고, 직접 낸 주문은 그대로 둡니다. 지금부터는 아무 주문도 보내지 않습니다.'

/** Each stock with its switch, and what its rehearsal has come to. */
export function ShadowStocks({ shadow }: { shadow: Shadow }) {
  const userId = usePathUser()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { everything, newStocks, failed, stocks } = shadow
  const isAll = newStocks && stocks.every((stock) => stock.shadow)
  const change = async (code: string | null, on: boolean) => {
    setBusy(true)
    const reply = await send('setShadow', { params: { userId }, body: { code, shadow: on } })
    if (reply !== null) client.setQueryData(read('shadow', { params: { userId } }).queryKey, reply)
    setBusy(false)
  }
  const toShadow = async (code: string | null, name: string) => {
    if (await ask.confirm(`${name}: 그림자로 둘까요?`, { note: INTO_SHADOW, yes: '그림자로' })) await change(code, true)
  }
  const toReal = async ({ code, name }: ShadowStock) => {
    setBusy(true)
    const start = await send('realStart', { params: { userId, code } })
    setBusy(false)
    if (start === null) return
    const note = realStartText(start)
    if (await ask.confirm(`${name}: 실제로 거래할까요?`, { note, yes: '실제로 거래', danger: true }))
      await change(code, false)
  }
  const turn = (stock: ShadowStock) => (stock.shadow ? toReal(stock) : toShadow(stock.code, stock.name))
  return (
    <Panel label="종목">
      <Heading>
        {!everything && !isAll && (
          <Button look="quiet" disabled={busy} onClick={() => void toShadow(null, '모든 종목')}>
            모두 그림자로
          </Button>
        )}
      </Heading>
      {newStocks && <p className={css['note']}>새로 추가하는 종목도 그림자로 시작합니다.</p>}
      <ul className={css['list']}>
        {stocks.map((stock) => (
          <Line
            key={stock.code}
            stock={stock}
            turn={!everything && <Turn stock={stock} busy={busy} onTurn={() => void turn(stock)} />}
          >
            <Outcome stock={stock} failed={failed} busy={busy} onResume={() => void change(stock.code, true)} />
          </Line>
        ))}
      </ul>
    </Panel>
  )
}

const Heading = ({ children }: { children: ReactNode }) => (
  <div className={css['line']}>
    <h2>종목</h2>
    {children}
  </div>
)

interface LineProps {
  stock: ShadowStock
  turn: ReactNode
  /** Of one that is in the shadow. */
  children: ReactNode
}

const Line = ({ stock, turn, children }: LineProps) => (
  <li>
    <p className={css['line']}>
      <span>
        <b>{stock.name}</b> {stock.shadow && <Tag text="그림자" tone="blue" />}
      </span>
      {turn}
    </p>
    {stock.shadow && children}
  </li>
)

function Turn({ stock, busy, onTurn }: { stock: ShadowStock; busy: boolean; onTurn: () => void }) {
  const word = stock.shadow ? '실제로 거래' : '그림자로'
  return (
    <Button look="quiet" disabled={busy} aria-label={`${stock.name} ${word}`} onClick={onTurn}>
      {word}
    </Button>
  )
}
