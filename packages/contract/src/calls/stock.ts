import { z } from 'zod'
import * as e from '../entities.ts'
import { Sent } from '../sales.ts'
import type { Call } from './call.ts'
import { historyCalls } from './history.ts'
import {
  buyAmount,
  empty,
  flag,
  ofUser,
  ofStock,
  sale,
  seenPrice,
  typed,
  stockListQuery,
  typedWon,
  typedPercent,
  range,
} from './inputs.ts'

/** The editable part of a stock. Everything else of the body is ignored (design 22). */
export const StockUpdate = z.object({
  version: z.int().optional(),
  maxBuyPrice: typedWon,
  maxBuyAmount: typedWon,
  buyUnitPrice: typedWon,
  lastBuyPrice: typedWon,
  recoverLastBuyPrice: z.boolean(),
  autoBuy: z.boolean(),
  buyPercent: typedPercent,
  autoSell: z.boolean(),
  sellPercent: typedPercent,
  useMinSellPrice: z.boolean(),
  minSellPrice: typedWon,
  autoSellWithAvgPrice: z.boolean(),
})

/** Far above every holding. */
const MAX_SHARES = 1_000_000_000
const keptCount = typed(
  z
    .int('주 단위의 정수로 넣어 주세요.')
    .min(0, '0 이상으로 넣어 주세요.')
    .max(MAX_SHARES, '너무 많은 수량입니다. 1,000,000,000주 이하로 넣어 주세요.'),
)
const MAX_TRADE_IDS = 1_000
const tradeIds = z
  .array(z.int().min(1))
  .min(1, '매매를 하나 이상 골라 주세요.')
  .max(MAX_TRADE_IDS, '한 번에 1,000건까지 됩니다. 나누어 넣어 주세요.')

export const stockCalls = {
  ...historyCalls,
  stocks: {
    summary: '종목 목록',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    query: stockListQuery,
    reply: z.array(e.Stock),
  },
  stock: {
    summary: '종목 하나',
    access: 'owner',
    tokens: 'read',
    params: ofStock,
    query: z.object({ withSavedGain: flag(true), simulPrice: z.coerce.number().pipe(z.int().min(1)).optional() }),
    reply: e.Stock,
  },
  updateStock: {
    summary: '종목 설정 저장(없으면 추가)',
    access: 'owner',
    params: ofStock,
    body: StockUpdate,
    reply: e.Stock,
  },
  deleteStock: { summary: '종목 삭제', access: 'owner', params: ofStock, reply: empty },
  toggleSubscribed: {
    summary: '시세 구독 전환',
    access: 'owner',
    params: ofStock,
    reply: z.object({ subscribed: z.boolean() }),
  },
  candles: {
    summary: '봉 차트',
    access: 'owner',
    params: ofStock,
    query: z.object({ unit: z.enum(['day', 'minute']).default('day'), ...range }),
    reply: z.array(e.Candle),
    needsKey: true,
  },
  sellStock: { summary: '목표가에 매도 걸기', access: 'owner', params: ofStock, reply: Sent, needsKey: true },
  sellStockAtPrice: {
    summary: '지정가 매도',
    access: 'owner',
    params: ofStock,
    query: z.object(sale),
    reply: Sent,
    needsKey: true,
  },
  sellStockAtMarket: {
    summary: '시장가 매도',
    access: 'owner',
    params: ofStock,
    query: z.object({ qty: sale.qty, seenPrice }),
    reply: Sent,
    needsKey: true,
  },
  checkBalance: {
    summary: '장부와 증권사 잔고 비교',
    access: 'admin',
    params: ofStock,
    reply: z.object({ checkedAt: e.instant, differences: z.array(e.Difference) }),
    needsKey: true,
  },
  fixBalance: { summary: '장부를 증권사 잔고에 맞춤', access: 'admin', params: ofStock, reply: empty, needsKey: true },
  keepShares: {
    summary: '직접 관리하는 수량 저장',
    access: 'owner',
    params: ofStock,
    body: z.object({ count: keptCount }),
    reply: e.Stock,
  },
  releaseTrades: {
    summary: '잔고를 맞추며 들어온 매매를 자동 매도에 넣기',
    access: 'owner',
    params: ofStock,
    body: z.object({ tradeIds }),
    reply: empty,
  },
  adjustment: {
    summary: '바뀐 기준가에 맞춘 가격과 수량 미리 보기',
    access: 'owner',
    params: ofStock,
    reply: e.Adjustment,
    needsKey: true,
  },
  adjustStock: {
    summary: '바뀐 기준가에 맞춰 조정하거나 그대로 두기',
    access: 'owner',
    params: ofStock,
    /**
     * As the person saw it: `day` and `base` of the move, `held`: shares at the broker, `version`: of the stock. What was seen
     * is refused where it has changed since. Only `adjust` needs `held`, and the broker.
     */
    body: z.object({
      day: e.day,
      how: z.enum(['adjust', 'keep']),
      base: e.won.optional(),
      held: keptCount.optional(),
      version: z.int().optional(),
    }),
    reply: e.Stock,
  },
  giveUpExpected: {
    summary: '받을 주식 더 기다리지 않기',
    access: 'owner',
    params: ofStock,
    /** As the person saw it: refused where it has changed since, or where the broker holds other shares than the book. */
    body: e.AwaitedShares,
    reply: e.Stock,
    needsKey: true,
  },
  applyOrder: {
    summary: '주문 적용: 설정대로 주문 다시 걸기',
    access: 'admin',
    params: ofStock,
    reply: empty,
    needsKey: true,
  },
  marketBuy: {
    summary: '시장가 매수(만원 단위)',
    access: 'admin',
    params: ofStock,
    body: z.object({
      amount: buyAmount,
      /** The quote that its person saw: the last price, and what a share may cost at worst. What has changed since is refused. */
      seen: z.object({ price: e.won, worst: e.won }).optional(),
    }),
    reply: Sent,
    needsKey: true,
  },
} as const satisfies Record<string, Call>
