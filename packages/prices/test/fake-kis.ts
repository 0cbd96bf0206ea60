import type { KisBalance, KisExecution, KisRest, KisStockInfo } from '@digger/kis'

const unused = (name: string) => () => Promise.reject(new Error(`${name} is not part of these tests`))

const IDLE = { waiting: 0, peak: 0, oldestMs: 0 }

export const execution = (change: Partial<KisExecution> = {}): KisExecution => ({
  day: '20261120',
  odno: '0000001111',
  orgno: '06010',
  originalOdno: null,
  code: '005930',
  name: '삼성전자',
  side: 'buy',
  venue: 'KRX',
  count: 2,
  price: 70_000,
  orderedAt: Date.parse('2026-11-20T10:00:00+09:00'),
  filledCount: 2,
  filledAmount: 140_000,
  remainingCount: 0,
  rejectedCount: 0,
  cancelled: false,
  ...change,
})

const BALANCE: KisBalance = {
  holdings: [
    {
      code: '005930',
      name: '삼성전자',
      count: 10,
      sellableCount: 8,
      averagePrice: 69_500,
      buyAmount: 695_000,
      price: 70_000,
      gainAmount: 5_000,
      gainRatio: 0.72,
    },
  ],
  depositAmount: 2_000_000,
  stockValueAmount: 700_000,
  leftAt: 0,
}

const NAMES: Readonly<Record<string, string>> = { '005930': '삼성전자', '000660': 'SK하이닉스' }

function stockInfo(code: string): KisStockInfo | null {
  const name = NAMES[code]
  return name === undefined ? null : { code, name, kind: 'stock', market: 'KOSPI', nxt: true, halted: false }
}

/** A call that has no answer until it is given up. */
export const givenUp = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    const giveUp = (): void => reject(new Error('given up'))
    if (signal?.aborted) giveUp()
    else signal?.addEventListener('abort', giveUp)
  })

/** A broker account with two million won, ten shares, and a list of executions. */
export function fakeKis(change: Partial<KisRest> = {}): KisRest {
  const rest: KisRest = {
    env: 'paper',
    unanswered: 0,
    order: unused('order'),
    cancel: unused('cancel'),
    executions: async () => [execution(), execution({ odno: '0000001112', filledCount: 0, filledAmount: 0 })],
    openOrders: async () => [],
    balance: async () => BALANCE,
    buyable: unused('buyable'),
    sellable: unused('sellable'),
    quote: unused('quote'),
    orderBook: unused('orderBook'),
    dayCandles: async () => [
      { day: '20261119', time: null, open: 69_000, high: 70_500, low: 68_900, close: 70_000, volume: 1_000 },
    ],
    minuteCandles: async () => [
      { day: '20261120', time: '090000', open: 70_000, high: 70_100, low: 69_900, close: 70_000, volume: 10 },
    ],
    pastMinutes: unused('pastMinutes'),
    inBackground: () => rest,
    stockInfo: async (code) => stockInfo(code),
    holidays: unused('holidays'),
    announcements: unused('announcements'),
    periodProfit: async () => ({ days: [], gainAmount: 0, fee: 0, tax: 0 }),
    periodTradeProfit: async () => [],
    queue: () => ({ order: IDLE, ledger: IDLE, quote: IDLE }),
    close: async () => undefined,
    ...change,
  }
  return rest
}
