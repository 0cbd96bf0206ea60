import { waitingOf, type Waiting } from '@digger/core'
import type { Pulse } from './account/pulse.ts'

/** What keeps an account, or all of them, from doing its work, and no person's decision could mend; words for the operator. */
export interface Trouble {
  readonly code:
    | 'write'
    | 'lease'
    | 'permission'
    | 'armed'
    | 'mailbox'
    | 'queue'
    | 'lists'
    | 'due'
    | 'commits'
    | 'prices'
    /** The server's master key does not open the keys of its accounts. */
    | 'master'
    | 'events'
    /** Accounts that could not be read from the tables. */
    | 'unread'
    /** A key that should have opened at the start did not. */
    | 'keys'
    /** The watcher halted the server, cannot look, or is gone. */
    | 'watcher'
    /** Accounts that no process has, or none that this one could reach. */
    | 'cluster'
    /** The daily backup failed. It keeps nothing from trading, and does not make the server bad. */
    | 'backup'
  /** How many accounts it concerns; null: the server. */
  readonly accounts: number | null
  readonly text: string
}

/** How the accounts of this server are doing. Ages are ms. */
export interface Vitals extends Waiting {
  /** Keys that are open, of those the accounts that may use their broker, and of those the ones whose book is compared. */
  readonly opened: number
  readonly authorised: number
  readonly armed: number
  /** Events that wait in mailboxes, and the longest time one has been in hand. */
  readonly mailbox: number
  readonly mailboxAge: number
  /** Events that could not be decided, each since the last good one of its kind. */
  readonly undecided: number
  /** Broker calls that wait for their turn, the most of one account since last asked, and the oldest. */
  readonly brokerQueue: number
  readonly brokerQueuePeak: number
  readonly brokerQueueAge: number
  /** Age of the oldest list among accounts with an order at work; 0 without any. */
  readonly listAge: number
  /** Orders that price and settings ask for and that wait for us, and the oldest. */
  readonly due: number
  readonly dueAge: number
  /** Orders without a verdict, and the oldest. */
  readonly unknown: number
  readonly unknownAge: number
  /** Requests for buying power and readings of lists, of brokers that are attached now. */
  readonly cashQuestions: number
  readonly listsRead: number
  readonly troubles: readonly Trouble[]
}

export interface Surroundings {
  readonly leaseHeld: boolean
  /** Ms since the database last took a write. */
  readonly silentMs: number
  /** Whether the broker is up at all: what it does not answer is reported once, not for each account. */
  readonly brokerDown: boolean
}

/** Beyond these something is wrong that nobody can see on a screen, ms. */
export const BOUNDS = {
  write: 8_000,
  permission: 8_000,
  armed: 60_000,
  mailbox: 8_000,
  queue: 20_000,
  /** Lists are promised every 15 s while an order is at work, and every ten minutes otherwise. */
  lists: 60_000,
  idleLists: 15 * 60_000,
  due: 30_000,
  /** Long enough for a socket that the broker has not let go yet, and for several tries. */
  prices: 5 * 60_000,
} as const

export function vitalsOf(all: readonly Pulse[], surroundings: Surroundings): Vitals {
  const opened = all.filter((one) => one.opened)
  const sum = (of: (one: Pulse) => number): number => all.reduce((total, one) => total + of(one), 0)
  const most = (of: (one: Pulse) => number): number => all.reduce((top, one) => Math.max(top, of(one)), 0)
  return {
    opened: opened.length,
    authorised: opened.filter((one) => one.authorised).length,
    armed: all.filter((one) => one.armed).length,
    mailbox: sum((one) => one.mailbox),
    mailboxAge: most((one) => one.mailboxAge),
    undecided: sum((one) => one.undecided),
    brokerQueue: sum((one) => one.queue),
    brokerQueuePeak: most((one) => one.queuePeak),
    brokerQueueAge: most((one) => one.queueAge),
    listAge: most((one) => (one.working ? one.listAge : 0)),
    due: sum((one) => one.due),
    dueAge: most((one) => one.dueAge),
    unknown: sum((one) => one.unknown),
    unknownAge: most((one) => one.unknownAge),
    cashQuestions: sum((one) => one.cashQuestions),
    listsRead: sum((one) => one.listsRead),
    ...waitingOf(all),
    troubles: troublesOf(all, surroundings),
  }
}

function troublesOf(all: readonly Pulse[], { leaseHeld, silentMs, brokerDown }: Surroundings): Trouble[] {
  const troubles: Trouble[] = []
  const server = (code: Trouble['code'], bad: boolean, text: string): void => {
    if (bad) troubles.push({ code, accounts: null, text })
  }
  const some = (code: Trouble['code'], bad: (one: Pulse) => boolean, text: string): void => {
    const accounts = all.filter(bad).length
    if (accounts > 0) troubles.push({ code, accounts, text: `계좌 ${accounts}개: ${text}` })
  }
  server('write', silentMs > BOUNDS.write, '데이터베이스에 기록하지 못하고 있습니다. 주문도 나가지 않습니다.')
  server('lease', !leaseHeld, '이 서버가 데이터베이스를 맡고 있는지 확인되지 않아 주문을 내지 않습니다.')
  some('commits', (one) => one.failingAge > BOUNDS.write, '변경을 저장하지 못하고 있습니다.')
  const undecided = all.reduce((total, one) => total + one.undecided, 0)
  const inVain = `오류가 나 처리하지 못한 일이 ${undecided}번 이어졌습니다. 체결이나 주문이 빠졌을 수 있으니 서버 기록을 확인해 주세요.`
  some('events', (one) => one.undecided > 0, inVain)
  some('permission', (one) => one.unauthorisedAge > BOUNDS.permission, '키가 열려 있는데 매매 권한이 없습니다.')
  some('mailbox', (one) => one.mailboxAge > BOUNDS.mailbox, '처리할 일이 밀려 있습니다.')
  // All that follows comes from the broker's silence, which is reported by itself.
  if (brokerDown) return troubles
  some('armed', (one) => one.unarmedAge > BOUNDS.armed, '키가 열려 있는데 장부를 맞춰 보지 못해 매매하지 않습니다.')
  some('queue', (one) => one.queueAge > BOUNDS.queue, '증권사로 보낼 요청이 밀려 있습니다.')
  const bound = (one: Pulse): number => (one.working ? BOUNDS.lists : BOUNDS.idleLists)
  some('lists', (one) => one.authorised && one.listAge > bound(one), '증권사 목록을 제때 읽지 못하고 있습니다.')
  some('due', (one) => one.dueAge > BOUNDS.due, '나가야 할 주문이 30초 넘게 나가지 못하고 있습니다.')
  some('prices', (one) => one.withoutPricesAge > BOUNDS.prices, WITHOUT_PRICES)
  return troubles
}

const WITHOUT_PRICES =
  '실시간 연결이 5분 넘게 되지 않아 시세가 없고, 그래서 사지 않습니다. HTS ID와 앱키가 맞는지, 같은 앱키를 다른 프로그램이 쓰고 있지 않은지 확인해 주세요.'
