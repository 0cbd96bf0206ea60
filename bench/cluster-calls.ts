import { deepStrictEqual } from 'node:assert/strict'
import type { Bus } from '@digger/cluster'
import type { NatsServer } from '@digger/cluster/testing'
import { SETTINGS } from '@digger/engine/testing'
import { Pool } from 'undici'
import { createGateway, createServer, createWorker } from '@digger/server'
import { ClusterFixture } from '@digger/server/testing'
import { Load } from './load.ts'
import { interleaved, median, printFigure, ratios } from './measure.ts'
import { UNIVERSE } from '@digger/kis-sim'

const ROUNDS = 10
const LISTS = 1_600
const COMMANDS = 100
const STOCKS = 40

interface Place {
  readonly origin: string
  readonly cookie: string
  close(): Promise<void>
}

interface Parts {
  readonly openBus: (name: string) => Promise<Bus>
  readonly nats: NatsServer
}

async function onePlace(bin: string): Promise<Place> {
  const fixture = await ClusterFixture.open(bin, 1)
  const server = await createServer(fixture.parts)
  const origin = await server.listen()
  return {
    origin,
    cookie: fixture.people[0]?.cookie ?? '',
    async close() {
      await server.close()
      await fixture.close()
    },
  }
}

async function throughGateway(bin: string, openBus: Parts['openBus']): Promise<Place> {
  const fixture = await ClusterFixture.open(bin, 1)
  const worker = await createWorker(fixture.parts, await openBus('worker'), fixture.secrets)
  const gateway = await createGateway(fixture.parts, await openBus('gateway'), fixture.secrets.cluster)
  const origin = await gateway.listen()
  return {
    origin,
    cookie: fixture.people[0]?.cookie ?? '',
    async close() {
      await gateway.close()
      await worker.close()
      await fixture.close()
    },
  }
}

type Way = 'direct' | 'gateway'
type Request = readonly [method: 'GET' | 'POST', path: string, payload?: object]

async function askAt(pool: Pool, cookie: string, [method, path, payload]: Request): Promise<string> {
  const headers = { cookie, 'content-type': 'application/json' }
  const body = payload === undefined ? null : JSON.stringify(payload)
  const reply = await pool.request({ method, path, headers, body })
  const text = await reply.body.text()
  if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode} ${text.slice(0, 200)}`)
  return text
}

/** C4: the list of 40, CPU of Node's serving thread (gateway and worker share it here) and of NATS; and a command, time. */
export async function benchCalls(bin: string, { openBus, nats }: Parts): Promise<void> {
  const places = { direct: await onePlace(bin), gateway: await throughGateway(bin, openBus) }
  const load = new Load()
  const pools = { direct: new Pool(places.direct.origin), gateway: new Pool(places.gateway.origin) }
  const ask = (name: Way, ...request: Request) => askAt(pools[name], places[name].cookie, request)
  const save = (name: Way, code: string, sellPercent: number) =>
    ask(name, 'POST', `/api/user/stock/${code}`, { ...SETTINGS, autoBuy: false, autoSell: false, sellPercent })
  const codes = UNIVERSE.slice(0, STOCKS).map(({ code }) => code)
  for (const name of ['direct', 'gateway'] as const) for (const code of codes) await save(name, code, 3)

  const lists = (name: Way) => async (): Promise<number> => {
    const expected = await ask(name, 'GET', '/api/user/stock')
    deepStrictEqual(JSON.parse(expected).length, STOCKS)
    const before = nats.cpuSpent()
    const { origin, cookie } = places[name]
    const { cpu } = await load.run({ origin, path: '/api/user/stock', cookies: [cookie], requests: LISTS, expected })
    return cpu + (nats.cpuSpent() - before) / LISTS
  }
  let changed = 0
  const commands = (name: Way) => async (): Promise<number> => {
    const waits: number[] = []
    for (let n = 0; n < COMMANDS; n += 1) {
      const began = performance.now()
      await save(name, codes[n % STOCKS] ?? '', 1 + ((changed += 1) % 500) / 10)
      waits.push(performance.now() - began)
    }
    return median(waits)
  }
  const listed = await interleaved({ direct: lists('direct'), gateway: lists('gateway') }, ROUNDS)
  const done = await interleaved({ direct: commands('direct'), gateway: commands('gateway') }, ROUNDS)
  printFigure(
    'C4 list of 40, direct / through a gateway, CPU of both and NATS',
    ratios(listed['direct'], listed['gateway']),
    '≥ 0.6',
  )
  const more = done['gateway']?.map((value, round) => value - (done['direct']?.[round] ?? Number.NaN)) ?? []
  printFigure('C4 command p50, through a gateway less direct, ms', more, '≤ 1')
  const us = (name: string) => Math.round(median(listed[name] ?? []))
  const ms = (name: string) => median(done[name] ?? []).toFixed(2)
  console.log(
    `    a list: direct ${us('direct')} µs CPU, gateway ${us('gateway')}; a command: direct ${ms('direct')} ms, gateway ${ms('gateway')}`,
  )
  await load.close()
  for (const pool of Object.values(pools)) await pool.close()
  for (const place of Object.values(places)) await place.close()
}
