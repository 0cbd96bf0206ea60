import { deepStrictEqual } from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '@digger/cluster'
import type { NatsServer } from '@digger/cluster/testing'
import { SETTINGS } from '@digger/engine/testing'
import { Pool } from 'undici'
import { createGateway, createServer, createWorker } from '@digger/server'
import { ClusterFixture } from '@digger/server/testing'
import { Load } from './load.ts'
import { interleaved, median, printFigure, ratios, roundsOf } from './measure.ts'
import { UNIVERSE } from '@digger/kis-sim'

const ROUNDS = roundsOf(10)
const LISTS = 1_600
const COMMANDS = 100
const STOCKS = 40
const LOOK_MS = 500

interface Place {
  readonly origin: string
  readonly cookie: string
  close(): Promise<void>
}

/** A browser's connections to a place. */
class Client {
  readonly place: Place
  readonly #pool: Pool
  #changes = 0

  constructor(place: Place) {
    this.place = place
    this.#pool = new Pool(place.origin)
  }

  list = (): Promise<string> => this.#ask('GET', '/api/user/stock')

  /** Saves another setting each time. */
  async save(code: string): Promise<void> {
    this.#changes += 1
    const sellPercent = 1 + (this.#changes % 500) / 10
    const settings = { ...SETTINGS, autoBuy: false, autoSell: false, sellPercent }
    await this.#ask('POST', `/api/user/stock/${code}`, JSON.stringify(settings))
  }

  /** Prices come one after the other; until each is there the list changes. */
  async watch(codes: readonly string[]): Promise<void> {
    for (const code of codes) await this.save(code)
    while ((await this.list()).includes('"price":null')) await delay(LOOK_MS)
  }

  async close(): Promise<void> {
    await this.#pool.close()
    await this.place.close()
  }

  async #ask(method: 'GET' | 'POST', path: string, body: string | null = null): Promise<string> {
    const { origin, cookie } = this.place
    const headers = { cookie, 'content-type': 'application/json' }
    const reply = await this.#pool.request({ method, path, headers, body })
    const text = await reply.body.text()
    if (reply.statusCode !== 200) throw new Error(`${origin} ${path}: ${reply.statusCode} ${text.slice(0, 200)}`)
    return text
  }
}

interface Parts {
  readonly openBus: (name: string) => Promise<Bus>
  readonly nats: NatsServer
}

/** One person, and time as it is. */
async function openFixture(): Promise<ClusterFixture> {
  const fixture = await ClusterFixture.open(1)
  fixture.place.time.goInOurs()
  return fixture
}

async function onePlace(): Promise<Place> {
  const fixture = await openFixture()
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

async function throughGateway(openBus: Parts['openBus']): Promise<Place> {
  const fixture = await openFixture()
  const buses = { worker: await openBus('worker'), gateway: await openBus('gateway') }
  const worker = await createWorker(fixture.parts, buses.worker, fixture.secrets)
  const gateway = await createGateway(fixture.parts, buses.gateway, fixture.secrets.cluster)
  const origin = await gateway.listen()
  return {
    origin,
    cookie: fixture.people[0]?.cookie ?? '',
    async close() {
      await gateway.close()
      await worker.close()
      await Promise.all(Object.values(buses).map((bus) => bus.close()))
      await fixture.close()
    },
  }
}

const codes = UNIVERSE.slice(0, STOCKS).map(({ code }) => code)

/** CPU of a list, µs: of Node's serving thread, which gateway and worker share here, and of NATS. */
async function listCost({ place, list }: Client, load: Load, nats: NatsServer): Promise<number> {
  const expected = await list()
  deepStrictEqual(JSON.parse(expected).length, STOCKS)
  const { origin, cookie } = place
  const before = nats.cpuSpent()
  const { cpu } = await load.run({ origin, path: '/api/user/stock', cookies: [cookie], requests: LISTS, expected })
  return cpu + (nats.cpuSpent() - before) / LISTS
}

/** Median time of a command, ms. */
async function commandTime(client: Client): Promise<number> {
  const waits: number[] = []
  for (let n = 0; n < COMMANDS; n += 1) {
    const began = performance.now()
    await client.save(codes[n % STOCKS] ?? '')
    waits.push(performance.now() - began)
  }
  return median(waits)
}

const us = (values: readonly number[]): number => Math.round(median(values))
const ms = (values: readonly number[]): string => median(values).toFixed(2)

/** C4: the list of 40 and a command, at the one process and through a gateway. */
export async function benchCalls({ openBus, nats }: Parts): Promise<void> {
  const direct = new Client(await onePlace())
  const gateway = new Client(await throughGateway(openBus))
  for (const client of [direct, gateway]) await client.watch(codes)
  const load = new Load()
  const lists = await interleaved(
    { direct: () => listCost(direct, load, nats), gateway: () => listCost(gateway, load, nats) },
    ROUNDS,
  )
  const commands = await interleaved({ direct: () => commandTime(direct), gateway: () => commandTime(gateway) }, ROUNDS)
  const { direct: listed = [], gateway: listedThrough = [] } = lists
  const { direct: saved = [], gateway: savedThrough = [] } = commands
  const more = savedThrough.map((ms, round) => ms - (saved[round] ?? Number.NaN))
  printFigure('C4 list of 40, direct / through a gateway, CPU of all', ratios(listed, listedThrough), '≥ 0.6')
  printFigure('C4 command p50, through a gateway less direct, ms', more, '≤ 1')
  console.log(`    a list: direct ${us(listed)} µs CPU, gateway ${us(listedThrough)}`)
  console.log(`    a command: direct ${ms(saved)} ms, gateway ${ms(savedThrough)}`)
  await load.close()
  for (const client of [direct, gateway]) await client.close()
}
