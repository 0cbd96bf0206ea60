import { z } from 'zod'
import * as e from '../entities.ts'
import { LiveOrders, StoppedAll, StopLink, Stops } from '../stops.ts'
import { Limits, Venues, type LimitName } from '../limits.ts'
import type { Call } from './call.ts'
import { connectionCheckCalls } from './connection-check.ts'
import { empty, ofUser, typed } from './inputs.ts'

/** What is absent stays; null or an empty text: no limit. */
const limit = typed(z.int('정수로 넣어 주세요.').nullable()).optional()
const LimitChange = z.strictObject({
  positionAmount: limit,
  lossAmount: limit,
  dailyBuyAmount: limit,
  orderAmount: limit,
  ordersPerMinute: limit,
  repeatCount: limit,
  personOrderAmount: limit,
  sellCollarPercent: limit,
  unknownPerHour: limit,
} satisfies Record<LimitName, typeof limit>)

export const liveCalls = {
  ...connectionCheckCalls,
  socket: { summary: '소켓 상태', access: 'owner', tokens: 'read', params: ofUser, reply: e.SocketInfo },
  connectSocket: { summary: '소켓 연결', access: 'owner', params: ofUser, reply: empty, needsKey: true },
  disconnectSocket: { summary: '소켓 끊기', access: 'owner', params: ofUser, reply: empty },
  events: { summary: '실시간 알림(SSE)', access: 'owner', tokens: 'read', params: ofUser, reply: z.string() },
  stop: { summary: '멈춤 상태', access: 'owner', tokens: 'read', params: ofUser, reply: Stops },
  setStop: {
    summary: '멈춤 바꾸기(서버 전체는 관리자만)',
    access: 'owner',
    tokens: 'stop',
    params: ofUser,
    body: z.object({ level: z.enum(['stock', 'user', 'server']), code: e.stockCode.optional(), stop: e.Stop }),
    reply: Stops,
  },
  liveOrders: { summary: '남아 있는 주문의 수', access: 'owner', tokens: 'read', params: ofUser, reply: LiveOrders },
  stopAll: {
    summary: '모두 취소하고 멈춤',
    access: 'owner',
    tokens: 'stop',
    params: ofUser,
    /** Also what a person ordered by hand. */
    body: z.object({ own: z.boolean() }),
    reply: StoppedAll,
  },
  stopLink: { summary: '멈춤 링크', access: 'owner', params: ofUser, reply: StopLink.nullable() },
  makeStopLink: {
    summary: '멈춤 링크 만들기(전의 것은 못 쓰게 됨)',
    access: 'owner',
    params: ofUser,
    body: empty,
    /** Shown once: it is nowhere to be read again. */
    reply: z.object({ path: z.string(), createdAt: e.instant }),
  },
  revokeStopLink: { summary: '멈춤 링크 없애기', access: 'owner', params: ofUser, reply: empty },
  pressStopLink: {
    summary: '멈춤 링크로 모두 취소하고 멈춤',
    access: 'anyone',
    body: z.object({
      token: z.string().regex(/^[\w-]{43}$/, '멈춤 링크가 아닙니다. 링크를 끝까지 복사했는지 보세요.'),
    }),
    reply: z.object({ message: z.string() }),
  },
  dismissOtherServer: {
    summary: '다른 Digger가 없는지 확인하고 계속하기',
    access: 'owner',
    params: ofUser,
    reply: Stops,
  },
  limits: { summary: '계좌 한도', access: 'owner', tokens: 'read', params: ofUser, reply: Limits },
  setLimits: {
    summary: '계좌 한도 바꾸기(조이면 바로, 늘리면 다음 날부터)',
    access: 'owner',
    params: ofUser,
    body: LimitChange,
    reply: Limits,
  },
  setFirstDays: {
    summary: '처음 며칠의 규칙 바꾸기(조이면 바로, 풀면 다음 날부터)',
    access: 'owner',
    params: ofUser,
    body: z.strictObject({
      on: z.boolean(),
      /** Null or an empty text: until the owner lets go. */
      days: typed(z.int('정수로 넣어 주세요.').nullable()),
      amount: typed(z.int('정수로 넣어 주세요.')),
    }),
    reply: Limits,
  },
  venues: { summary: '쓰는 거래소와 시간', access: 'owner', tokens: 'read', params: ofUser, reply: Venues },
  setVenues: {
    summary: '쓰는 거래소와 시간 바꾸기(다음 주문부터)',
    access: 'owner',
    params: ofUser,
    body: Venues,
    reply: Venues,
  },
  audit: {
    summary: '감사 기록',
    access: 'owner',
    params: ofUser,
    query: z.object({
      before: z.iso.datetime({ offset: true, error: '시각은 2026-11-20T10:00:00+09:00 꼴로 넣어 주세요.' }).optional(),
      limit: z.coerce.number().pipe(z.int().min(1).max(200)).default(50),
    }),
    reply: z.array(e.AuditEntry),
  },
} as const satisfies Record<string, Call>
