import { z } from 'zod'
import { NewFault } from './fault-schema.ts'
import { HappeningSchema } from '../exchange/happening-schema.ts'
import { WARNINGS } from '../exchange/universe.ts'
import type { Reply } from '../rest/call.ts'
import type { Control } from '../rest/server.ts'
import type { Sim } from './sim-control.ts'

const Code = z.string().min(1)
const Account = z.string().regex(/^\d{10}$/, 'ten digits')
const Whole = z.number().int().nonnegative()
const SideName = z.enum(['buy', 'sell'])

const Designation = z.object({ code: Code, as: z.enum(WARNINGS).nullable() })
const Price = z.object({
  code: Code,
  price: Whole,
  count: Whole.exactOptional(),
  aggressor: SideName.exactOptional(),
  venue: z.enum(['KRX', 'NXT']).exactOptional(),
})
const Time = z.union([
  z.object({ advance: z.number().nonnegative() }),
  z.object({ step: z.literal(true) }),
  z.object({ resume: z.object({ speed: z.number().positive().exactOptional() }) }),
  z.object({ pause: z.literal(true) }),
])
const NewAccount = z.object({
  credentials: z.object({
    appKey: z.string().min(1),
    appSecret: z.string().min(1),
    accountNumber: Account,
    htsId: z.string().min(1),
  }),
  env: z.enum(['real', 'paper']).exactOptional(),
  cash: Whole.exactOptional(),
  holdings: z.array(z.object({ code: Code, count: Whole, averagePrice: z.number().nonnegative() })).exactOptional(),
  ownerName: z.string().exactOptional(),
  brokeragePercent: z.number().nonnegative().exactOptional(),
  marginPercent: z.number().positive().exactOptional(),
})
const Outside = z.object({
  account: Account,
  code: Code,
  side: SideName,
  count: z.number().int().positive(),
  price: Whole,
})

const Phone = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('order'),
    account: Account,
    code: Code,
    side: SideName,
    count: z.number().int().positive(),
    price: Whole,
  }),
  z.object({ kind: z.literal('cancel'), account: Account, odno: z.string() }),
])

type Route = (input: unknown, query: ReadonlyMap<string, string>) => unknown

/** `/sim/…`: the controls of `Sim` for other processes. Loopback only, and closed to pages in a browser. */
export function controlRoutes(sim: Sim): Control {
  const routes = new Map<string, Route>([
    ...readingRoutes(sim),
    ...marketRoutes(sim),
    ...accountRoutes(sim),
    ...faultRoutes(sim),
  ])
  return async (request) => {
    if (request.headers['origin'] !== undefined) return problem(403, 'the control port is not for web pages')
    if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers['host'] ?? ''))
      return problem(403, 'loopback only')
    const route = routes.get(`${request.method} ${request.path}`)
    if (!route) return problem(404, `no such control; there are: ${[...routes.keys()].join(', ')}`)
    try {
      const input: unknown = request.body === '' ? {} : JSON.parse(request.body)
      return { status: 200, body: (await route(input, request.query)) ?? {} }
    } catch (error) {
      return problem(400, error instanceof z.ZodError ? z.prettifyError(error) : String(error))
    }
  }
}

const problem = (status: number, message: string): Reply => ({ status, body: { message } })

/** Each assumption: the answer, and how often it decided something that a customer could see. */
const answered = ({ answers, times }: Sim['broker']['assumed']): unknown =>
  Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, { answer, decided: times(name) }]))

const account = (query: ReadonlyMap<string, string>): string => Account.parse(query.get('account'))

function readingRoutes(sim: Sim): [string, Route][] {
  return [
    [
      'GET /sim',
      () => ({
        url: sim.url,
        wsUrl: sim.wsUrl,
        now: sim.clock.now(),
        speed: sim.clock.speed,
        moving: sim.clock.moving,
      }),
    ],
    ['GET /sim/keys', () => sim.issuedKeys()],
    ['GET /sim/calls', () => Object.fromEntries(sim.broker.calls)],
    ['GET /sim/assumptions', () => answered(sim.broker.assumed)],
    ['GET /sim/accounts', () => sim.accounts],
    ['GET /sim/events', (_, query) => sim.trueEvents(account(query))],
    [
      'GET /sim/orders',
      (_, query) => (query.get('live') === '1' ? sim.liveOrders(account(query)) : sim.orders(account(query))),
    ],
    ['GET /sim/holdings', (_, query) => sim.holdings(account(query))],
    ['GET /sim/cash', (_, query) => sim.cash(account(query))],
    ['GET /sim/price', (_, query) => ({ price: sim.price(query.get('code') ?? '') })],
    [
      'GET /sim/prices',
      () => Object.fromEntries([...sim.broker.exchange.issues].map(([code, issue]) => [code, issue.last])),
    ],
    [
      'GET /sim/limits',
      () => Object.fromEntries([...sim.broker.exchange.issues].map(([code, issue]) => [code, issue.limits])),
    ],
    [
      'GET /sim/frames',
      (_, query) => {
        const appKey = query.get('appkey') ?? ''
        return { sent: sim.framesSent(appKey), registered: sim.registered(appKey) }
      },
    ],
  ]
}

const designate = (sim: Sim, { code, as }: z.output<typeof Designation>): void => sim.setWarning(code, as)

function marketRoutes(sim: Sim): [string, Route][] {
  return [
    [
      'POST /sim/price',
      (input) => {
        const { code, price, ...how } = Price.parse(input)
        sim.setPrice(code, price, how)
      },
    ],
    [
      'POST /sim/base',
      (input) => {
        const { code, base } = z.object({ code: Code, base: Whole }).parse(input)
        sim.setBase(code, base)
      },
    ],
    [
      'POST /sim/halt',
      (input) => {
        const { code, halted } = z.object({ code: Code, halted: z.boolean() }).parse(input)
        sim.setHalted(code, halted)
      },
    ],
    ['POST /sim/warning', (input) => designate(sim, Designation.parse(input))],
    [
      'POST /sim/interrupt',
      (input) => {
        const { code, ms } = z.object({ code: Code, ms: Whole.exactOptional() }).parse(input)
        sim.interrupt(code, ms)
      },
    ],
    ['GET /sim/happenings', () => sim.broker.happenings.list],
    ['POST /sim/happenings', (input) => sim.happen(HappeningSchema.parse(input))],
    [
      'POST /sim/time',
      async (input) => {
        const time = Time.parse(input)
        if ('advance' in time) await sim.clock.advance(time.advance)
        else if ('resume' in time) sim.clock.resume(time.resume)
        else if ('pause' in time) sim.clock.pause()
        else return { ran: await sim.clock.step(), now: sim.clock.now() }
        return { now: sim.clock.now() }
      },
    ],
  ]
}

function accountRoutes(sim: Sim): [string, Route][] {
  return [
    ['POST /sim/accounts', (input) => sim.addAccount(NewAccount.parse(input))],
    [
      'POST /sim/cash',
      (input) => {
        const { account, won } = z.object({ account: Account, won: Whole }).parse(input)
        sim.setCash(account, won)
      },
    ],
    [
      'POST /sim/holdings',
      (input) => {
        const Holding = z.object({ account: Account, code: Code, count: Whole, averagePrice: z.number().nonnegative() })
        const { account, code, count, averagePrice } = Holding.parse(input)
        sim.setHolding(account, code, count, averagePrice)
      },
    ],
    [
      'POST /sim/outside',
      (input) => {
        const { account, ...trade } = Outside.parse(input)
        return sim.outsideTrade(account, trade)
      },
    ],
    [
      'POST /sim/phone',
      (input) => {
        const { account, ...act } = Phone.parse(input)
        return sim.byPhone(account, act)
      },
    ],
  ]
}

function faultRoutes(sim: Sim): [string, Route][] {
  return [
    ['GET /sim/faults', () => ({ armed: sim.faults.list(), counts: sim.faults.counts() })],
    ['POST /sim/faults', (input) => ({ id: sim.faults.add(NewFault.parse(input)) })],
    ['DELETE /sim/faults', (_, query) => sim.faults.clear(query.has('id') ? Number(query.get('id')) : undefined)],
    [
      'POST /sim/sockets',
      (input) => {
        const { what, appKey } = z
          .object({ what: z.enum(['cut', 'close', 'freeze']), appKey: z.string().exactOptional() })
          .parse(input)
        sim.sockets(what, appKey)
      },
    ],
    [
      'POST /sim/tokens/expire',
      (input) => sim.expireTokens(z.object({ appKey: z.string().exactOptional() }).parse(input).appKey),
    ],
    ['POST /sim/restart', () => sim.restart()],
  ]
}
