import { Refused } from '@digger/contract'
import type { Stop } from '@digger/core'
import type { Accounts, AccountsObserver, LastPrice } from '@digger/engine'

/** At a gateway: it has no account itself, and whoever asks for one has been forgotten when calls were sent on. */
export class ElsewhereAccounts implements Accounts {
  readonly limits = { orderAmount: null, dailyBuyAmount: null, ordersPerMinute: null, collarPercent: null, freshMs: 0 }

  has(): boolean {
    return false
  }

  hasDone(): boolean {
    return false
  }

  unlocked(): boolean {
    return false
  }

  /** Its owner loads it. */
  async open(): Promise<void> {}

  observe(_observer: AccountsObserver): () => void {
    return () => undefined
  }

  lastPrice(): LastPrice | null {
    return null
  }

  statuses() {
    return { statuses: [], at: null }
  }

  dayBase(): null {
    return null
  }

  serverStop(): Stop {
    return 'active'
  }

  serverStopReason(): string | null {
    return null
  }

  rehearsesAll(): boolean {
    return false
  }

  announced(): null {
    return null
  }

  announcedOn(): null {
    return null
  }

  async lock(): Promise<void> {}

  readonly book = elsewhere
  readonly strangers = elsewhere
  readonly orderable = elsewhere
  readonly outlook = elsewhere
  readonly attention = elsewhere
  readonly comparison = elsewhere
  readonly morning = elsewhere
  readonly saleQuote = elsewhere
  readonly buyQuote = elsewhere
  readonly cacheValidators = elsewhere
  readonly kis = elsewhere
  readonly socket = elsewhere
  readonly ask = elsewhereLater
  readonly unlock = elsewhereLater
  readonly connect = elsewhereLater
  readonly disconnect = elsewhereLater
  readonly setServerStop = elsewhereLater
}

function elsewhere(): never {
  throw new Refused('BUSY', '이 계좌는 다른 서버에 있습니다. 잠시 뒤 다시 해 주세요.')
}

async function elsewhereLater(): Promise<never> {
  return elsewhere()
}
