import { z } from 'zod'
import * as e from '../entities.ts'
import { BuyQuote, SaleQuote, Sent } from '../sales.ts'
import type { Call } from './call.ts'
import { buyAmount, flag, ofStock, ofTrade, sale, seenPrice } from './inputs.ts'

export const tradeCalls = {
  trades: {
    summary: '매매 목록, 최근 매수부터',
    access: 'owner',
    tokens: 'read',
    params: ofStock,
    query: z.object({
      withOldTrade: flag(false),
      withSavedGain: flag(true),
      simulPrice: z.coerce.number().pipe(z.int().min(1)).optional(),
    }),
    reply: z.array(e.Trade),
  },
  saleQuote: {
    summary: '팔기 전에 보는 주문: 수량과 가격, 남는 손익',
    access: 'owner',
    params: ofStock,
    query: z.object({
      how: z.enum(['target', 'price', 'current', 'market']),
      /** One trade; without it the stock. */
      tradeId: z.coerce.number().pipe(z.int().min(1)).optional(),
      ...sale,
      sellPrice: sale.sellPrice.optional(),
    }),
    reply: SaleQuote,
    needsKey: true,
  },
  buyQuote: {
    summary: '사기 전에 보는 주문: 거래소, 수량, 가장 비쌀 때의 금액과 남는 현금',
    access: 'admin',
    params: ofStock,
    query: z.object({ amount: buyAmount }),
    reply: BuyQuote,
    needsKey: true,
  },
  sellTrade: { summary: '매매 하나를 목표가에 매도', access: 'owner', params: ofTrade, reply: Sent, needsKey: true },
  sellTradeAtCurrent: {
    summary: '매매 하나를 현재가에 매도',
    access: 'owner',
    params: ofTrade,
    query: z.object({ seenPrice }),
    reply: Sent,
    needsKey: true,
  },
  sellTradeAtMarket: {
    summary: '매매 하나를 시장가에 매도',
    access: 'owner',
    params: ofTrade,
    query: z.object({ seenPrice }),
    reply: Sent,
    needsKey: true,
  },
} as const satisfies Record<string, Call>
