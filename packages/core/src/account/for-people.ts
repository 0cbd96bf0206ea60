import type { StoppingLimit } from './limits/types.ts'
import { STOCK_STOPS, type Matters, type StockStop } from './matters.ts'

/** Something that stands still until a person settles it. No trouble of the server: starting it again would change nothing. */
export interface ForPeople {
  readonly code: StockStop | StoppingLimit | 'otherServer' | 'noKey'
  readonly accounts: number
  /** Of those accounts; 0 where it is not about single stocks. */
  readonly stocks: number
  readonly text: string
}

/** One account at this moment, as far as its person is concerned. */
export interface PersonsAccount {
  readonly opened: boolean
  readonly armed: boolean
  /** An exchange trades now. */
  readonly inSession: boolean
  readonly matters: Matters
}

export interface Waiting {
  /** Stocks that stand still, by what stopped them: each cause is there, also with none. */
  readonly stocksStopped: Readonly<Record<StockStop, number>>
  /** Accounts that ask whether another Digger trades them. */
  readonly asking: number
  /** Limits that were reached and that nobody has let go yet, of all accounts. */
  readonly limitsReached: number
  /** Accounts with something to buy or sell by itself that cannot, while an exchange trades: without a key, or not compared yet. */
  readonly notArmedInSession: number
  /** The same in words for the operator, one for each cause. */
  readonly forPeople: readonly ForPeople[]
}

const STOCK_TEXTS: Readonly<Record<StockStop, string>> = {
  mismatch: '장부와 증권사의 주식 수가 달라 매매를 멈췄습니다. 종목 화면에서 잔고를 맞춰 주세요.',
  rejects: '거절이 이어져 자동 주문을 멈췄습니다. 종목 화면에서 까닭을 보고 다시 시작해 주세요.',
  ambiguous: '어느 것이 Digger의 주문인지 알 수 없어 매매를 멈췄습니다. 확인하고 ‘주문 적용’을 눌러 주세요.',
  frozen: '기준가가 바뀌어 자동 매매를 멈췄습니다. 종목 화면에서 조정하거나 그대로 두기로 정해 주세요.',
}
const ASKS = '같은 계좌를 다른 Digger가 매매하는지 물으며 주문을 모두 멈췄습니다. 확인하고 ‘계속하기’를 눌러 주세요.'
const LIMIT = '한도에 닿아 매수를 멈췄습니다. 한도 화면에서 까닭을 보고 풀어 주세요.'
const NO_KEY = '장이 열렸는데 키가 열려 있지 않아 자동으로 매매하지 않습니다. 로그인해 주세요.'

export function waitingOf(all: readonly PersonsAccount[]): Waiting {
  const stocksOf = (cause: StockStop): number => all.reduce((sum, { matters }) => sum + (matters.stocks[cause] ?? 0), 0)
  return {
    stocksStopped: {
      mismatch: stocksOf('mismatch'),
      rejects: stocksOf('rejects'),
      ambiguous: stocksOf('ambiguous'),
      frozen: stocksOf('frozen'),
    },
    asking: all.filter(({ matters }) => matters.asks).length,
    limitsReached: all.reduce((sum, { matters }) => sum + matters.limits.length, 0),
    notArmedInSession: all.filter(isMissed).length,
    forPeople: forPeopleOf(all),
  }
}

/** What is missed is trading that was to go on by itself, now. */
const isMissed = ({ inSession, armed, matters }: PersonsAccount): boolean => matters.automatic && inSession && !armed

function forPeopleOf(all: readonly PersonsAccount[]): ForPeople[] {
  const found: ForPeople[] = []
  const note = (code: ForPeople['code'], text: string, concerns: (one: PersonsAccount) => boolean): void => {
    const accounts = all.filter(concerns).length
    if (accounts > 0) found.push({ code, accounts, stocks: 0, text: `계좌 ${accounts}개: ${text}` })
  }
  for (const code of STOCK_STOPS) {
    const of = ({ matters }: PersonsAccount): number => matters.stocks[code] ?? 0
    const accounts = all.filter((one) => of(one) > 0).length
    const stocks = all.reduce((sum, one) => sum + of(one), 0)
    const text = `계좌 ${accounts}개의 종목 ${stocks}개: ${STOCK_TEXTS[code]}`
    if (accounts > 0) found.push({ code, accounts, stocks, text })
  }
  note('otherServer', ASKS, ({ matters }) => matters.asks)
  for (const limit of new Set(all.flatMap(({ matters }) => matters.limits)))
    note(limit, LIMIT, ({ matters }) => matters.limits.includes(limit))
  // One whose key is open and whose book is not compared is a trouble of the server already.
  note('noKey', NO_KEY, (one) => isMissed(one) && !one.opened)
  return found
}
