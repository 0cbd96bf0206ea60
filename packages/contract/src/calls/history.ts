import { z } from 'zod'
import { HistoryOverview, HistoryState, HistoryUnit, StockHistory } from '../history.ts'
import type { Call } from './call.ts'
import { ofStock, ofUser, range } from './inputs.ts'

/** Candles of the past as the server keeps them: nobody's key is needed to look at them. */
export const historyCalls = {
  stockHistory: {
    summary: '지난 시세(수정주가)',
    access: 'owner',
    tokens: 'read',
    params: ofStock,
    /** Without days: all days that are kept, or the minutes of the last 60 days of trading. */
    query: z.object({ unit: HistoryUnit.default('day'), ...range }),
    reply: StockHistory,
  },
  historyProgress: {
    summary: '지난 시세를 어디까지 모았는지',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    reply: HistoryOverview,
  },
  adminHistory: { summary: '서버가 지난 시세를 모으는 상태', access: 'admin', reply: HistoryState },
} as const satisfies Record<string, Call>
