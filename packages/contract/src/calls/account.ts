import { z } from 'zod'
import { Balance } from '../balance.ts'
import * as e from '../entities.ts'
import { Morning } from '../morning.ts'
import { Today } from '../today.ts'
import type { Call } from './call.ts'
import { empty, flag, ofUser, typed, MAX_WON, rangeQuery, orderBody } from './inputs.ts'

export const accountCalls = {
  today: {
    summary: '오늘: 한 일, 기다리는 것, 확인할 것',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    reply: Today,
  },
  morning: {
    summary: '아침 점검: 자동으로 매매하기 전에 갖춘 것',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    reply: Morning,
  },
  balance: {
    summary: '보유 종목과 예수금',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    query: z.object({ withSavedGain: flag(true) }),
    reply: Balance,
  },
  gain: {
    summary: '일자별 실현 손익',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    query: rangeQuery,
    reply: z.array(e.GainDay),
  },
  cancelOrders: {
    summary: '미체결 취소(전체 또는 종목)',
    access: 'owner',
    tokens: 'stop',
    params: ofUser,
    query: z.object({ code: e.stockCode.or(z.literal('')).optional() }),
    reply: empty,
    needsKey: true,
  },
  cancelOrder: {
    summary: '주문 하나 취소',
    access: 'owner',
    tokens: 'stop',
    params: ofUser.extend({ orderId: z.string().min(1).max(20) }),
    body: orderBody,
    reply: empty,
    needsKey: true,
  },
  money: {
    summary: '자산 내역',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    query: rangeQuery,
    reply: z.array(e.MoneyDay),
  },
  setBankBalance: {
    summary: '은행 잔고 기록',
    access: 'owner',
    params: ofUser,
    body: z.object({ amount: typed(e.won.min(0).max(MAX_WON)) }),
    reply: empty,
  },
} as const satisfies Record<string, Call>
