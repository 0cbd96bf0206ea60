import { type Call, type CallName, calls, paths } from '@digger/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { writeAudit } from '../history/audit.ts'
import type { Services } from '../services.ts'
import { type Granted, grant } from './access.ts'
import type { Given, Handler, Handlers, PlainCall } from './handler.ts'
import { readInput } from './input.ts'
import { problemOf } from './problem.ts'
import { schemaOf } from './schema.ts'

/** Calls that leave no line in the account's log: who is logged in is not a change of the account. */
const NOT_AUDITED: ReadonlySet<CallName> = new Set(['login', 'logout', 'adminLogout'])

/** Binds every call of the contract. What each may do is decided here, from the contract, and nowhere else. */
export function bindCalls(app: FastifyInstance, services: Services, handlers: Handlers): void {
  for (const name of Object.keys(handlers)) if (isPlain(name)) bind(app, services, name, handlers)
}

const isPlain = (name: string): name is PlainCall => name in calls && name !== 'events'

/** `/api/{userId}/stock` → `/api/:userId/stock`. */
export const routePath = (name: CallName): string => paths[name][1].replaceAll(/\{(\w+)\}/g, ':$1')

function bind<N extends PlainCall>(
  app: FastifyInstance,
  services: Services,
  name: N,
  handlers: Pick<Handlers, N>,
): void {
  const handler: Handler<N> = handlers[name]
  const call: Call = calls[name]
  const granted = guard(services, call)
  app.route({
    method: paths[name][0],
    url: routePath(name),
    schema: schemaOf(name),
    onRequest: granted.hook,
    handler: async (request, reply) => {
      const { caller, userId } = granted.of(request)
      const notes: string[] = []
      const line = { name, call, caller, userId, notes, request }
      try {
        const input = readInput(name, request)
        if (call.needsKey) await services.keys.need(userId)
        const given = { ...input, caller, userId, request, reply, note: (text: string) => void notes.push(text) }
        const answer = await handler(asGiven<N>(given))
        await audit(services, line, null)
        return answer
      } catch (error) {
        await audit(services, line, error)
        throw error
      }
    },
  })
}

/** `caller` is non-null wherever the contract's access says so: `grant` refused the rest. */
function asGiven<N extends CallName>(given: Omit<Given<N>, 'caller'> & Granted): Given<N>
function asGiven(given: unknown): unknown {
  return given
}

/** Access is settled in onRequest, before a body is read, and remembered for the handler. */
export function guard(services: Services, call: Call) {
  const { sessions, database } = services
  const granted = new WeakMap<FastifyRequest, Granted>()
  return {
    hook: async (request: FastifyRequest): Promise<void> => {
      granted.set(request, await grant({ db: database.db, sessions }, call, request))
    },
    of: (request: FastifyRequest): Granted => {
      const known = granted.get(request)
      if (!known) throw new Error(`no access decision for ${request.url}`)
      return known
    },
  }
}

interface Line extends Granted {
  readonly name: CallName
  readonly call: Call
  readonly notes: readonly string[]
  readonly request: FastifyRequest
}

/** Every change of an account, done or refused, and who asked for it. Input that never became a call is left out. */
async function audit({ database, clock }: Services, line: Line, error: unknown): Promise<void> {
  const { name, call, caller, userId, notes, request } = line
  if (!caller || userId === '' || request.method === 'GET' || NOT_AUDITED.has(name)) return
  const problem = error === null ? null : problemOf(error)
  if (problem?.code === 'INVALID') return
  const outcome = error === null ? [] : [`거절: ${problem?.message ?? '서버 오류'}`]
  await writeAudit(database.db, {
    at: clock.now(),
    user_id: userId,
    by_email: caller.email,
    action: call.summary,
    detail: [...subject(request.params), ...notes, ...outcome].join(' · '),
  })
}

/** Stock, trade or order the path names. */
const subject = (params: unknown): string[] =>
  Object.entries(params ?? {}).flatMap(([key, value]) => (key === 'userId' ? [] : [String(value)]))
