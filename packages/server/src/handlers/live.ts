import { Refused } from '@digger/contract'
import { changeFirstDays, changeLimits, kstIso, LIMIT_NAMES } from '@digger/core'
import type { SocketStatus } from '@digger/engine'
import { readAudit } from '@digger/identity'
import { type Given, type Handlers, isSafeguard } from '@digger/http'
import type { Services } from '../services.ts'
import { limitsView, stopsView } from '@digger/screens'
import { needProof } from './prove.ts'
import { type StopAllCalls, stopAllHandlers } from './stop-all.ts'
import { stockOf } from './stock-of.ts'

type LiveCalls =
  | 'socket'
  | 'connectSocket'
  | 'disconnectSocket'
  | 'adminConnectSocket'
  | 'adminDisconnectSocket'
  | 'stop'
  | 'setStop'
  | 'dismissOtherServer'
  | 'limits'
  | 'setLimits'
  | 'setFirstDays'
  | 'venues'
  | 'setVenues'
  | 'audit'

export function liveHandlers(services: Services): Pick<Handlers, LiveCalls | StopAllCalls> {
  const { accounts, clock, database } = services
  const connect = async ({ userId }: { readonly userId: string }) => {
    await accounts.connect(userId)
    return {}
  }
  const disconnect = async ({ userId }: { readonly userId: string }) => {
    await accounts.disconnect(userId)
    return {}
  }
  return {
    ...stopAllHandlers(services),
    socket: ({ userId }) => socketView(accounts.socket(userId)),
    connectSocket: connect,
    adminConnectSocket: connect,
    disconnectSocket: disconnect,
    adminDisconnectSocket: disconnect,
    stop: ({ userId }) => stops(services, userId),
    setStop: (given) => setStop(services, given),
    async dismissOtherServer({ userId, caller, note, key }) {
      await needProof(services, caller)
      note(accounts.book(userId).otherServer.suspected?.text ?? '물은 것이 없음')
      await accounts.ask(userId, { kind: 'dismissOtherServer' }, key)
      return stops(services, userId)
    },
    limits: ({ userId }) => limits(services, userId),
    setLimits: (given) => setLimits(services, given),
    async setFirstDays({ userId, caller, body, note, key }) {
      const { limits: state, day } = accounts.book(userId)
      if (changeFirstDays(state.firstDays, body, day).pending !== null) await needProof(services, caller)
      note(`${body.on ? '켬' : '끔'} ${body.days ?? '풀 때까지'} ${body.amount}원`)
      await accounts.ask(userId, { kind: 'setFirstDays', rule: body }, key)
      return limits(services, userId)
    },
    venues: ({ userId }) => accounts.book(userId).venues,
    setVenues: (given) => setVenues(services, given),
    async audit({ userId, query }) {
      const before = query.before === undefined ? null : Date.parse(query.before)
      const rows = await readAudit(database.db, userId, { before, limit: query.limit, now: clock.now() })
      return rows.map(({ at, by_email, action, detail }) => ({ at: kstIso(at), by: by_email, action, detail }))
    },
  }
}

const instantOrNull = (at: number | null): string | null => (at === null ? null : kstIso(at))

const socketView = (status: SocketStatus) => ({
  connected: status.connected,
  refused: status.refused,
  connectedAt: instantOrNull(status.connectedAt),
  orderedAt: instantOrNull(status.orderedAt),
  disconnectedAt: instantOrNull(status.disconnectedAt),
  updatedAt: instantOrNull(status.updatedAt),
  stocks: status.stocks.map(({ code, name, updatedAt }) => ({ code, name, updatedAt: instantOrNull(updatedAt) })),
})

const stops = ({ accounts }: Services, userId: string) =>
  stopsView(accounts.book(userId), accounts.serverStop(), accounts.serverStopReason())

const limits = ({ accounts, clock }: Services, userId: string) =>
  limitsView(accounts.book(userId), {
    now: clock.now(),
    limits: accounts.limits,
    quote: (code) => accounts.lastPrice(code) ?? undefined,
    cash: accounts.orderable(userId)?.amount ?? null,
  })

async function setLimits(services: Services, { userId, caller, body, note, key }: Given<'setLimits'>) {
  const change: Record<string, number | null> = {}
  for (const name of LIMIT_NAMES) {
    const value = body[name]
    if (value === undefined) continue
    change[name] = value
    note(`${name} ${value ?? '없음'}`)
  }
  const { accounts } = services
  const { limits: state, day } = accounts.book(userId)
  const looser = changeLimits(state, change, accounts.limits, day).pending
  if (looser.some(({ limit }) => limit in change)) await needProof(services, caller)
  await accounts.ask(userId, { kind: 'setLimits', change }, key)
  return limits(services, userId)
}

async function setVenues({ accounts }: Services, { userId, body, note, key }: Given<'setVenues'>) {
  note(`sor ${body.sor} preMarket ${body.preMarket} afterMarket ${body.afterMarket}`)
  await accounts.ask(userId, { kind: 'setVenues', venues: body }, key)
  return accounts.book(userId).venues
}

async function setStop(services: Services, { userId, caller, body, note, key, request }: Given<'setStop'>) {
  const { accounts } = services
  const { level, stop, code = null } = body
  note(`${level} ${code ?? ''} ${stop}`)
  const isStricter = isSafeguard(accounts, { name: 'setStop', userId, body })
  if (!isStricter) await needProof(services, caller)
  // What there was when a gateway was asked: version of the server's stop, or the account's newest journal row.
  const [, digits] = /^"(\d+)"$/.exec(request.headers['if-match'] ?? '') ?? []
  // Neither a program nor who was not asked who they are has seen anything that this might loosen, whatever happens meanwhile.
  const seen =
    caller.token || (isStricter && digits === undefined) ? 0 : digits === undefined ? undefined : Number(digits)
  if (level === 'server') {
    if (!caller.diggerAdmin) throw new Refused('FORBIDDEN', '서버 전체는 관리자만 멈출 수 있습니다.')
    await accounts.setServerStop(stop, seen)
  } else {
    if (level === 'stock' && code === null) throw new Refused('INVALID', '멈출 종목의 코드를 넣어 주세요.')
    if (level === 'stock' && code !== null) stockOf(accounts.book(userId), code)
    await accounts.ask(userId, { kind: 'setStop', level, code: level === 'stock' ? code : null, stop, seen }, key)
  }
  return stops(services, userId)
}
