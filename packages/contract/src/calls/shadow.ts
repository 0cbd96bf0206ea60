import { z } from 'zod'
import * as e from '../entities.ts'
import { RealStart, Shadow, ShadowOrder } from '../shadow.ts'
import type { Call } from './call.ts'
import { ofStock, ofUser, orderedQuery } from './inputs.ts'

export const shadowCalls = {
  shadow: {
    summary: '그림자(연습): 종목마다 지금까지',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    reply: Shadow,
  },
  setShadow: {
    summary: '그림자로 두거나 실제로 거래하기',
    access: 'owner',
    params: ofUser,
    /** Null: every stock, and those added from now on. */
    body: z.object({ code: e.stockCode.nullable(), shadow: z.boolean() }),
    reply: Shadow,
  },
  realStart: {
    summary: '실제로 거래하면 바로 나갈 주문',
    access: 'owner',
    tokens: 'read',
    params: ofStock,
    reply: RealStart,
  },
  shadowOrders: {
    summary: '보냈을 주문, 최근 것부터',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    query: orderedQuery,
    reply: z.array(ShadowOrder),
  },
} as const satisfies Record<string, Call>
