import { z } from 'zod'
import { Calendar, DayCorrection } from '../calendar.ts'
import * as e from '../entities.ts'
import type { Call } from './call.ts'
import { empty, ofUser, orderedQuery, orderQuery, stockListQuery, rangeQuery, adminPassword } from './inputs.ts'

const ofDay = z.object({ day: e.day })

export const adminCalls = {
  adminUsers: { summary: '모든 사용자', access: 'admin', reply: z.array(e.AdminUser) },
  adminUser: { summary: '사용자 하나', access: 'admin', params: ofUser, reply: e.AdminUser },
  adminOrdered: {
    summary: '사용자의 체결 내역',
    access: 'admin',
    params: ofUser,
    query: orderedQuery,
    reply: z.array(e.ExecutedOrder),
  },
  adminOrders: {
    summary: '사용자의 미체결 주문',
    access: 'admin',
    params: ofUser,
    query: orderQuery,
    reply: z.array(e.Order),
  },
  adminBrokerBalance: {
    summary: '사용자의 증권사 잔고',
    access: 'admin',
    params: ofUser,
    reply: e.BrokerBalance,
    needsKey: true,
  },
  adminStocks: {
    summary: '사용자의 종목',
    access: 'admin',
    params: ofUser,
    query: stockListQuery,
    reply: z.array(e.Stock),
  },
  adminGain: {
    summary: '사용자의 실현 손익',
    access: 'admin',
    params: ofUser,
    query: rangeQuery,
    reply: z.array(e.GainDay),
  },
  adminMoney: {
    summary: '사용자의 자산 내역',
    access: 'admin',
    params: ofUser,
    query: rangeQuery,
    reply: z.array(e.MoneyDay),
  },
  adminConnectSocket: { summary: '사용자의 소켓 연결', access: 'admin', params: ofUser, reply: empty, needsKey: true },
  adminDisconnectSocket: { summary: '사용자의 소켓 끊기', access: 'admin', params: ofUser, reply: empty },
  setMayAdd: {
    summary: '사용자가 종목을 추가할 수 있게 하기',
    access: 'admin',
    params: ofUser,
    body: z.object({ mayAddStocks: z.boolean() }),
    reply: e.AdminUser,
  },
  resetFactors: {
    summary: '사용자의 두 번째 인증 없애기(비밀번호만으로 로그인하게 됨)',
    access: 'admin',
    params: ofUser,
    reply: empty,
  },
  createUserKey: {
    summary: '관리자 비밀번호로 사용자 키 열기',
    access: 'admin',
    params: ofUser,
    body: adminPassword,
    /** The key is open. `connected`: the broker took it; else `message` says why not, or not yet. */
    reply: z.object({ connected: z.boolean(), message: z.string() }),
  },
  deleteUserKey: { summary: '사용자 키 닫기', access: 'admin', params: ofUser, reply: empty },
  bulkLogin: { summary: '모든 사용자의 증권사 로그인', access: 'admin', reply: e.BulkResults },
  bulkCancel: { summary: '모든 사용자의 주문 취소', access: 'admin', reply: e.BulkResults },
  bulkSell: { summary: '모든 사용자의 매도 걸기', access: 'admin', reply: e.BulkResults },
  bulkCheck: { summary: '모든 사용자의 잔고 비교', access: 'admin', reply: e.BulkResults },
  bulkFix: { summary: '모든 사용자의 장부 맞춤', access: 'admin', reply: e.BulkResults },
  calendar: { summary: '거래일 달력: 보통과 다른 날', access: 'admin', reply: Calendar },
  setCalendarDay: {
    summary: '거래일 달력 고치기',
    access: 'admin',
    params: ofDay,
    body: z.object({ is: DayCorrection }),
    reply: Calendar,
  },
  deleteCalendarDay: { summary: '거래일 달력에서 고친 것 지우기', access: 'admin', params: ofDay, reply: Calendar },
  adminLogout: { summary: '관리자 로그아웃', access: 'admin', reply: empty },
} as const satisfies Record<string, Call>
