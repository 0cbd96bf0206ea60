import { type Call, type CallName, calls, paths } from '@digger/contract'
import { kstDay } from '@digger/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { byWhom, joinDetails } from '@digger/identity'
import type { Services } from '../services.ts'
import type { Granted } from '@digger/forward'
import { accessHook } from './access-hook.ts'
import {
  type AuditLine,
  beginLine,
  ChangeLimits,
  commandKeyOf,
  DECIDED_BY_BODY,
  failureDetail,
  type Given,
  type Handler,
  type Handlers,
  isSafeguard,
  lineAtEnd,
  notByToken,
  type PlainCall,
  problemOf,
  readInput,
  type ResponseCache,
  schemaOf,
  sendCached,
  type Validators,
} from '@digger/http'
import { bindForwarded } from './forwarded-route.ts'

/** Calls that leave no line in the account's log: who is logged in is not a change of the account. */
const NOT_AUDITED: ReadonlySet<CallName> = new Set(['login', 'logout', 'adminLogout'])

/** Changes of no account that are none of a job either: their line is in the log of the administrator. */
const IN_OWN_LOG: ReadonlySet<CallName> = new Set(['drainWorker'])

/** Reads what a reply is made from: while it is the same, so is the reply. */
type ReadValidators = (services: Services, userId: string) => Validators

const accountNow: ReadValidators = ({ accounts }, userId) => accounts.cacheValidators(userId)
/** The past changes with the book only, and with names that an import brings; the default range with the day. */
const past: ReadValidators = ({ accounts, clock, imports }, userId) => [
  accounts.book(userId),
  imports.of(userId),
  kstDay(clock.now()),
]

/** Calls that screens repeat and that are answered without the broker: made once, sent until their validators change. */
const CACHED: { readonly [N in PlainCall]?: ReadValidators } = {
  stocks: accountNow,
  adminStocks: accountNow,
  stock: accountNow,
  trades: accountNow,
  orders: accountNow,
  adminOrders: accountNow,
  gain: past,
  adminGain: past,
}

/** Binds every call of the contract. What each may do is decided here, from the contract, and nowhere else. */
export function bindCalls(
  app: FastifyInstance,
  services: Services,
  handlers: Handlers,
  responseCache: ResponseCache,
): void {
  const changes = new ChangeLimits(services.requestLimits.change, services.wall)
  for (const name of Object.keys(handlers))
    if (isPlain(name)) bind(app, services, name, { handlers, responseCache, changes })
}

const isPlain = (name: string): name is PlainCall => name in calls && name !== 'events'

/** `/api/{userId}/stock` → `/api/:userId/stock`. */
export const routePath = (name: CallName): string => paths[name][1].replaceAll(/\{(\w+)\}/g, ':$1')

interface Parts<N extends PlainCall> {
  readonly handlers: Pick<Handlers, N>
  readonly responseCache: ResponseCache
  readonly changes: ChangeLimits
}

function bind<N extends PlainCall>(app: FastifyInstance, services: Services, name: N, parts: Parts<N>): void {
  const { responseCache } = parts
  if (bindForwarded(app, services, name, routePath(name))) return
  const isChange = paths[name][0] !== 'GET'
  const afterBody = DECIDED_BY_BODY.has(name)
  const count = (granted: Granted, body?: unknown) => {
    const safeguard = isSafeguard(services.accounts, { name, userId: granted.userId, body })
    // Whatever a program changes makes the account stop more than it did.
    if (granted.caller?.token && !safeguard) throw notByToken()
    parts.changes.count(granted, safeguard)
  }
  const access = accessHook(services, name, isChange && !afterBody ? count : undefined)
  const countLate = async (request: FastifyRequest) => count(access.of(request), request.body)
  const answer = answering(services, name, parts.handlers)
  const readValidators = CACHED[name]
  app.route({
    method: paths[name][0],
    url: routePath(name),
    schema: schemaOf(name),
    onRequest: access.hook,
    ...(afterBody ? { preValidation: countLate } : {}),
    ...(readValidators ? { compress: false } : {}),
    handler: (request, reply) => {
      const granted = access.of(request)
      const { caller, userId } = granted
      if (!readValidators || !caller) return answer(request, reply, granted)
      const key = `${userId} ${request.url}`
      const validatorsNow = () => readValidators(services, userId)
      const cached = responseCache.find(key, validatorsNow())
      if (cached) return sendCached(request, reply, cached)
      const make = () => answer(request, reply, granted).then((fresh) => reply.serialize(fresh))
      return responseCache.make(key, validatorsNow, make).then((made) => sendCached(request, reply, made))
    },
  })
}

/** Input, key, handler, and the line in the account's log. */
function answering<N extends PlainCall>(services: Services, name: N, handlers: Pick<Handlers, N>) {
  const handler: Handler<N> = handlers[name]
  const call: Call = calls[name]
  return async (request: FastifyRequest, reply: FastifyReply, { caller, userId }: Granted) => {
    const input = readInput(name, request)
    const key = commandKeyOf(name, request, input)
    const isRepeated = key !== undefined && services.accounts.hasDone(userId, key.key)
    const notes: string[] = isRepeated ? [REPEATED] : []
    const given = { ...input, key, caller, userId, request, reply, note: (text: string) => void notes.push(text) }
    const line = await openLine(services, { name, call, caller, userId, request })
    try {
      if (call.needsKey && !isRepeated) await services.keys.need(userId)
      const answer = await handler(asGiven<N>(given))
      await line?.end(joinDetails([...subject(request.params), ...notes]))
      return answer
    } catch (error) {
      const failure = failureOf(error)
      await line?.end(failure === null ? null : joinDetails([...subject(request.params), ...notes, failure]))
      throw error
    }
  }
}

const REPEATED = '다시 받은 같은 요청'

/** `caller` is non-null wherever the contract's access says so: `checkAccess` refused the rest. */
function asGiven<N extends CallName>(given: Omit<Given<N>, 'caller'> & Granted): Given<N>
function asGiven(given: unknown): unknown {
  return given
}

interface Asked extends Granted {
  readonly name: CallName
  readonly call: Call
  readonly request: FastifyRequest
}

/** Every change of an account has a line, done or refused, with who asked for it; null for what is no such change. */
async function openLine({ accounts, database, clock }: Services, asked: Asked): Promise<AuditLine | null> {
  const { name, call, caller, request } = asked
  const userId = IN_OWN_LOG.has(name) ? (caller?.userId ?? '') : asked.userId
  if (!caller || userId === '' || request.method === 'GET' || NOT_AUDITED.has(name)) return null
  const detail = joinDetails(subject(request.params))
  const entry = { at: clock.now(), user_id: userId, by_email: byWhom(caller), action: call.summary, detail }
  const deps = { db: database.db, log: request.log }
  return isSafeguard(accounts, { name, userId, body: request.body }) ? lineAtEnd(deps, entry) : beginLine(deps, entry)
}

/** The outcome of a failed call; null for input that never became a call, which leaves no line. */
const failureOf = (error: unknown): string | null =>
  problemOf(error)?.code === 'INVALID' ? null : failureDetail(error)

/** Stock, trade or order the path names. */
const subject = (params: unknown): string[] =>
  Object.entries(params ?? {}).flatMap(([key, value]) => (key === 'userId' ? [] : [String(value)]))
