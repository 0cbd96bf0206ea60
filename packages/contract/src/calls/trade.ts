import { z } from 'zod'
import * as e from '../entities.ts'
import type { Call } from './call.ts'
import { flag, ofStock, ofTrade } from './inputs.ts'

export const tradeCalls = {
  trades: {
    summary: '매매 목록, 최근 매수부터',
    access: 'owner',
    params: ofStock,
    query: z.object({
      withOldTrade: flag(false),
      withSavedGain: flag(true),
      simulPrice: z.coerce.number().pipe(z.int().min(1)).optional(),
    }),
    reply: z.array(e.Trade),
  },
  sellTrade: { summary: '매매 하나를 목표가에 매도', access: 'owner', params: ofTrade, reply: e.Sent, needsKey: true },
  sellTradeAtCurrent: {
    summary: '매매 하나를 현재가에 매도',
    access: 'owner',
    params: ofTrade,
    reply: e.Sent,
    needsKey: true,
  },
  sellTradeAtMarket: {
    summary: '매매 하나를 시장가에 매도',
    access: 'owner',
    params: ofTrade,
    reply: e.Sent,
    needsKey: true,
  },
} as const satisfies Record<string, Call>
