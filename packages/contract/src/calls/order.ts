import { z } from 'zod'
import * as e from '../entities.ts'
import type { Call } from './call.ts'
import { shadowCalls } from './shadow.ts'
import { flag, ofUser, orderedQuery, orderQuery, range } from './inputs.ts'

export const orderCalls = {
  ...shadowCalls,
  ordered: {
    summary: '체결 내역',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    query: orderedQuery,
    reply: z.array(e.ExecutedOrder),
  },
  importOrdered: {
    summary: '체결 내역 가져오기',
    access: 'admin',
    params: ofUser,
    query: z.object({ ...range, code: e.stockCode, fromLastOrder: flag(false) }),
    reply: z.object({ imported: z.int(), skipped: z.int() }),
    needsKey: true,
  },
  orders: {
    summary: '미체결 주문',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    query: orderQuery,
    reply: z.array(e.Order),
  },
  brokerBalance: {
    summary: '증권사 잔고',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    reply: e.BrokerBalance,
    needsKey: true,
  },
} as const satisfies Record<string, Call>
