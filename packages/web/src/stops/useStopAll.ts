import type { CallName } from '@digger/contract/paths'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { report } from '../api/send.ts'
import { ask } from '../ask/ask.ts'
import { usePathUser } from '../url/user.ts'
import { countOwnOrders, stopAll } from './pressStop.ts'

/** What shows orders, or that the account stands still. */
const CHANGED: ReadonlySet<CallName> = new Set([
  'stop',
  'orders',
  'adminOrders',
  'stock',
  'stocks',
  'adminStocks',
  'trades',
  'balance',
  'brokerBalance',
])

/** Cancels all orders of the current user and halts the account. Asks only where a person's own orders are concerned. */
export function useStopAll() {
  const userId = usePathUser()
  const client = useQueryClient()
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set())
  const press = async () => {
    const own = await askForOwn(await countOwnOrders(userId))
    if (own === null) return
    try {
      const { message } = await stopAll(userId, own)
      void ask.alert(message)
    } catch (error) {
      report(error, ({ message }) => void ask.alert(message))
    }
    // Also after a failure: without an answer it may have been done.
    void client.invalidateQueries({
      predicate: ({ queryKey: [name, params] }) => params['userId'] === userId && CHANGED.has(name),
    })
  }
  return {
    /** While it runs it is not pressed again; another account has its own. */
    isStopping: running.has(userId),
    stopAll: async () => {
      setRunning((accounts) => new Set([...accounts, userId]))
      await press()
      setRunning((accounts) => new Set([...accounts].filter((one) => one !== userId)))
    },
  }
}

/** Whether a person's own orders are to be cancelled, too; null: nothing is to be done. */
async function askForOwn(count: number): Promise<boolean | null> {
  if (count === 0) return false
  const answer = await ask.choose(
    `직접 낸 주문 ${count}건도 취소할까요?`,
    // A habitual Enter stops and takes nothing away that a person ordered.
    [
      { name: '직접 낸 것은 두기', value: 'keep' },
      { name: '모두 취소', value: 'cancel', danger: true },
    ],
    'Digger가 스스로 낸 주문은 어느 쪽이든 취소하고 이 계좌를 멈춥니다. 그만두면 아무것도 하지 않습니다.',
  )
  return answer === null ? null : answer === 'cancel'
}
