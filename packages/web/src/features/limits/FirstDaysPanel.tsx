import type { Reply } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { Button } from '../../components/Button.tsx'
import { Panel } from '../../components/Panel.tsx'
import { showDay } from '../../format/day.ts'
import { usePathUser } from '../../url/user.ts'
import { BeginnerLimits } from './BeginnerLimits.tsx'
import { FirstDaysForm, type SaveRule } from './FirstDaysForm.tsx'
import { progressText, ruleText } from './firstDaysText.ts'
import css from './LimitsPage.module.css'
import { withoutField } from './limitTexts.ts'

type Limits = Reply<'limits'>

function useSave(): SaveRule {
  const userId = usePathUser()
  const client = useQueryClient()
  return async ({ on, days, amount }, onError) => {
    const given = { params: { userId }, body: { on, days, amount } }
    const reply = await send('setFirstDays', given, onError && (({ message }) => onError(withoutField(message))))
    if (reply) client.setQueryData(read('limits', { params: { userId } }).queryKey, reply)
    return reply !== null
  }
}

/** For who begins: one share a buy for some days, and limits that fit what the account has. */
export function FirstDaysPanel({ firstDays, proposed }: Pick<Limits, 'firstDays' | 'proposed'>) {
  const [open, setOpen] = useState(false)
  const save = useSave()
  const { pending } = firstDays
  const progress = progressText(firstDays)
  return (
    <Panel label="처음 며칠">
      <div className={css['head']}>
        <h2>처음 며칠</h2>
        <Button look="quiet" aria-expanded={open} aria-label="처음 며칠 바꾸기" onClick={() => setOpen(!open)}>
          바꾸기
        </Button>
      </div>
      <p className={css['use']}>{ruleText(firstDays)}</p>
      <p className={css['help']}>
        {progress === null ? '켜면 정한 날 동안' : `${progress} 그동안`} 자동 매수와 직접 내는 매수는 1주로 줄고, 파는
        것은 그대로입니다.
      </p>
      {pending && (
        <p className={css['pending']}>
          <span>
            {showDay(pending.from)} 0시부터 <b>{ruleText(pending)}</b>
          </span>
          <Button look="quiet" aria-label="처음 며칠 풀기 취소" onClick={() => void save(firstDays)}>
            취소
          </Button>
        </p>
      )}
      {open && <FirstDaysForm firstDays={firstDays} save={save} onDone={() => setOpen(false)} />}
      <BeginnerLimits proposed={proposed} />
    </Panel>
  )
}
