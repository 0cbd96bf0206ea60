import type { JobKind } from '@digger/contract'
import type { Clock } from '@digger/database'
import type { Accounts } from '@digger/engine'
import { type BrokerBalances, closeDay, type Imports } from '@digger/screens'
import type { KeyRing } from '@digger/key-ring'
import type { NotificationSetups } from '@digger/notifications'
import type { AuditDeps } from '@digger/http'
import { sellEverything } from './sell-everything.ts'
import { stopAll } from './stop-all.ts'

export interface WorkDeps {
  readonly accounts: Accounts
  readonly keys: KeyRing
  readonly clock: Clock
  readonly wall: Clock
  readonly balances: BrokerBalances
  readonly imports: Imports
  readonly notifications?: Pick<NotificationSetups, 'stopPressed'>
  readonly log: AuditDeps['log']
}

export interface KindOfWork {
  /** As the log and the progress bar name it. */
  readonly name: string
  /** Risk is taken away before anything else, and what the server does by itself keeps nobody waiting. */
  readonly lane: keyof typeof LANES
  /** What a person has asked for is in each account's log. Where it takes risk away it waits for no row there. */
  readonly audit: 'before' | 'after' | 'none'
  /**
   * Whether it is done again when its process is gone and nobody knows whether it was done. Connecting and comparing may be; a
   * cancel asks again for what still rests; a sale asks only for lots that no order offers, and the account sees to it that a lot
   * has one order. A correction would count anew what the first one has mended: its person looks first.
   */
  readonly isRepeatable: boolean
  /** Does one account's part of a job. Resolves to a sentence for whoever asked. */
  readonly work: (deps: WorkDeps, userId: string, jobId: number) => Promise<string>
}

/** Accounts worked on at once. Each has its own app key, so they do not wait for each other at the broker. */
export const LANES = { urgent: 4, bulk: 4, daily: 2 } as const

export const KINDS: Readonly<Record<JobKind, KindOfWork>> = {
  login: {
    name: '로그인',
    lane: 'bulk',
    audit: 'before',
    isRepeatable: true,
    async work({ accounts, keys }, userId) {
      await keys.give(userId)
      await accounts.connect(userId)
      return '연결했습니다.'
    },
  },
  cancel: {
    name: '주문 취소',
    lane: 'urgent',
    audit: 'after',
    isRepeatable: true,
    async work({ accounts, keys }, userId) {
      await keys.need(userId)
      await accounts.ask(userId, { kind: 'cancelOrders', code: null })
      return '취소했습니다.'
    },
  },
  sell: {
    name: '매도',
    lane: 'bulk',
    audit: 'before',
    isRepeatable: true,
    async work({ accounts, keys, wall }, userId) {
      await keys.need(userId)
      return sellEverything(accounts, wall, userId)
    },
  },
  check: {
    name: '잔고 비교',
    lane: 'bulk',
    audit: 'before',
    isRepeatable: true,
    async work({ accounts, keys }, userId) {
      await keys.need(userId)
      const { differences = [] } = await accounts.ask(userId, { kind: 'checkBalance', code: null })
      return differences.length === 0
        ? '장부와 증권사가 같습니다.'
        : `장부와 증권사가 ${differences.length}곳에서 다릅니다.`
    },
  },
  fix: {
    name: '잔고 맞춤',
    lane: 'bulk',
    audit: 'before',
    isRepeatable: false,
    async work({ accounts, keys }, userId) {
      await keys.need(userId)
      const { differences = [] } = await accounts.ask(userId, { kind: 'fixBalance', code: null })
      return `${differences.length}건을 맞췄습니다.`
    },
  },
  stopAll: {
    name: '모두 취소하고 멈춤',
    lane: 'urgent',
    audit: 'after',
    isRepeatable: true,
    async work({ accounts, notifications, log }, userId, jobId) {
      const { message } = await stopAll(accounts, userId, { own: false })
      // Whoever pressed need not be its person. It is stopped, whether or not anybody can be told.
      await notifications
        ?.stopPressed(userId, message, jobId)
        .catch((error: unknown) => log.error({ err: error, userId }, 'nobody is told of the stop'))
      return message
    },
  },
  dayClose: { name: '하루 마감', lane: 'daily', audit: 'none', isRepeatable: true, work: closeDay },
}
