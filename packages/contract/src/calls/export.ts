import { z } from 'zod'
import { BrokerProfit, ExportTable } from '../exports.ts'
import type { Call } from './call.ts'
import { ofUser, orderedQuery, rangeQuery } from './inputs.ts'

const year = z.string().regex(/^20\d\d$/, '연도는 2026처럼 네 자리로 넣어 주세요.')

/** The past as files. An end of the range that is missing is open. */
export const exportCalls = {
  exportTable: {
    summary: '표로 내려받기(CSV)',
    access: 'owner',
    tokens: 'read',
    params: ofUser.extend({ table: ExportTable }),
    query: orderedQuery,
    reply: z.string(),
  },
  exportYear: {
    summary: '한 해 정산 내려받기(엑셀)',
    access: 'owner',
    params: ofUser.extend({ year }),
    reply: z.string(),
  },
  brokerProfit: {
    summary: '증권사가 적은 기간별 매매손익',
    access: 'owner',
    params: ofUser,
    query: rangeQuery,
    reply: BrokerProfit,
    needsKey: true,
  },
} as const satisfies Record<string, Call>
