import type { Reply, Stock } from '@digger/contract'
import { useState } from 'react'
import { send } from '../../../api/send.ts'
import { stamp } from '../../../format/time.ts'
import css from './BalanceCheck.module.css'

type Checked = Reply<'checkBalance'>

/** Comparing book and broker by hand; the result stays on screen until the page is left. */
export function useBalanceCheck(params: { userId: string; code: string }) {
  const [checked, setChecked] = useState<Checked | null>(null)
  const [checking, setChecking] = useState(false)
  const check = async () => {
    setChecking(true)
    const reply = await send('checkBalance', { params })
    setChecking(false)
    if (reply) setChecked(reply)
  }
  return { checked, checking, check }
}

interface Props {
  stock: Stock
  checked: Checked | null
  checking: boolean
}

export function BalanceCheck({ stock, checked, checking }: Props) {
  const at = checked?.checkedAt ?? stock.checkedAt
  const differences = checked?.differences ?? []
  return (
    <div className={css['check']}>
      {/* The broker answers such questions once a second or two, and is asked until two answers agree. */}
      {checking && <output className={css['busy']}>증권사와 비교하는 중입니다. 10초 넘게 걸릴 수 있습니다.</output>}
      <p>
        잔고 확인 <b>{at === null ? '아직 안 함' : stamp(at)}</b>
        {checked && differences.length === 0 && ' · 증권사와 같습니다'}
      </p>
      {differences.map((difference) => (
        <p key={`${difference.what} ${difference.text}`} className={css['difference']}>
          {difference.text}
        </p>
      ))}
    </div>
  )
}
