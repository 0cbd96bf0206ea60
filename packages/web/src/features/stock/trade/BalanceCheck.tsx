import type { Reply, Stock } from '@digger/contract'
import { memo, useEffect, useRef, useState } from 'react'
import { call } from '../../../api/call.ts'
import { stamp } from '../../../format/time.ts'
import { useWhose } from '../../../viewer/viewer.ts'
import { runWork, type Outcome } from '../../../work/work.ts'
import { useRunningWork, WorkLine } from '../../../work/WorkLine.tsx'
import { isSameBesidePrice } from '../besidePrice.ts'
import css from './BalanceCheck.module.css'

type Checked = Reply<'checkBalance'>
export type Place = { userId: string; code: string }

const keyOf = ({ userId, code }: Place) => `check ${userId} ${code}`
export const fixKeyOf = ({ userId, code }: Place) => `fix ${userId} ${code}`

/** Comparing book and broker by hand; the result stays on screen until the page is left. `name`: whose stock, and its name. */
export function useBalanceCheck(place: Place, stock: string) {
  const name = `${useWhose()}${stock}`
  const [checked, setChecked] = useState<Checked | null>(null)
  const here = useRef(false)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  const check = () =>
    runWork({
      key: keyOf(place),
      name: `${name} 잔고 확인`,
      work: async () => {
        const reply = await call('checkBalance', { params: place })
        setChecked(reply)
        return here.current ? null : outcomeOf(reply)
      },
    })
  return { name, checked, check }
}

function outcomeOf({ differences }: Checked): Outcome {
  if (differences.length === 0) return { ok: true, title: 'done', text: '증권사와 같습니다.' }
  return { ok: false, title: '증권사와 다릅니다', text: differences.map(({ text }) => text).join(' ') }
}

interface Props {
  stock: Stock
  place: Place
  checked: Checked | null
}

/** It names no price. */
export const BalanceCheck = memo(function BalanceCheck({ stock, place, checked }: Props) {
  const at = checked?.checkedAt ?? stock.checkedAt
  const differences = checked?.differences ?? []
  return (
    <div className={css['check']}>
      <WorkLine work={useRunningWork(keyOf(place))} advice="compare" />
      <WorkLine work={useRunningWork(fixKeyOf(place))} advice="compare" />
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
}, isSameBesidePrice)
