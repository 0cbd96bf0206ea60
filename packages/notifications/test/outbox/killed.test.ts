import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { openDatabase } from '@digger/database'
import { testPlace } from '@digger/database/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fillLine, FillSums } from '../bundle-lines.ts'
import { bodyOf, LocalServer } from '../local-server.ts'
import { TestAccount } from './fixture.ts'

const ACCOUNTS = 4
/** Of each account. */
const FILLS = 250
const STOCKS = 20
const CHANNELS = ['a', 'b'] as const

/** Of two tries that lie a restart apart the later one may say that it is late. */
const LATE = /\n늦게 전해 드립니다\..*$/

interface Received {
  /** Of which person. */
  readonly to: string
  readonly id: string
  readonly text: string
}

/** Where the webhooks arrive. */
class Receiver {
  readonly received: Received[] = []
  /** What becomes of the next one; the answer is sent first or never. */
  next: (answer: () => Promise<void>) => Promise<void> = (answer) => answer()
  readonly server = new LocalServer((request, response) => {
    void bodyOf(request).then((body) => this.#arrived(request.url ?? '', body.toString(), response))
  })

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
  }

  #arrived(to: string, body: string, response: ServerResponse): Promise<void> {
    const { id, text }: Pick<Received, 'id' | 'text'> = JSON.parse(body)
    this.received.push({ to, id, text: text.replace(LATE, '') })
    const { next } = this
    this.next = (answer) => answer()
    return next(() => new Promise((resolve) => response.writeHead(204).end(resolve)))
  }
}

interface Place {
  readonly DATABASE_URL: string | undefined
  readonly DATA_DIR: string
}

interface Running {
  readonly process: ChildProcess
  /** The next line that it prints; null when it has ended. */
  readonly line: () => Promise<string | null>
}

function start({ DATABASE_URL, DATA_DIR }: Place, receiver: Receiver, origin: number): Running {
  const program = new URL('./child.ts', import.meta.url).pathname
  const args = [
    program,
    DATABASE_URL ?? '',
    DATA_DIR,
    receiver.server.url('', '127.0.0.1'),
    String(origin),
    String(FILLS),
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return { process: child, line: async () => (await lines.next()).value ?? null }
}

async function kill({ process: child }: Running): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** At its work; as a message has arrived, before it is answered; right after the answer. */
const MOMENTS: readonly ((running: Running, receiver: Receiver) => Promise<void>)[] = [
  async (running) => {
    for (let seen = 0; seen < 5; seen += 1) await running.line()
    await kill(running)
  },
  (running, receiver) => new Promise((resolve) => (receiver.next = () => kill(running).then(resolve))),
  (running, receiver) =>
    new Promise((resolve) => {
      receiver.next = async (answer) => {
        await answer()
        await kill(running)
        resolve()
      }
    }),
]
const KILLS = 2 * MOMENTS.length

async function prepared({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }: Place): Promise<void> {
  const database = await openDatabase({ databaseUrl, dataDir })
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const account = await TestAccount.add(database.db)
    for (let code = 10; code < 10 + STOCKS; code += 1) await account.stock(`0000${code}`, `종목${code}`)
    for (const name of CHANNELS) await account.channel(name)
  }
  await database.close()
}

const key = ({ to, id }: Pick<Received, 'to' | 'id'>): string => `${to} ${id}`

test('killed again and again: each fill is in one bundle, each bundle arrives, and what arrives twice is the same', async () => {
  await using place = await testPlace()
  await using receiver = new Receiver()
  await receiver.server.listen()
  await prepared(place.config)
  const origin = Date.now()
  for (let n = 0; n < KILLS; n += 1)
    await MOMENTS[n % MOMENTS.length]?.(start(place.config, receiver, origin), receiver)
  const last = start(place.config, receiver, origin)
  let end: string | null = null
  for (let line = await last.line(); line !== null; line = await last.line()) end = line
  expect(end).toBe('over, no problems')

  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = place.config
  const database = await openDatabase({ databaseUrl, dataDir })
  const { db } = database
  const counted = await sql<{ fills: number; shares: number; bundled: number; subjects: number }>`
    select count(*) as fills, sum((fill ->> 'count')::bigint)::bigint as shares, count(bundle_id) as bundled, count(distinct (user_id, subject)) as subjects
    from notification`.execute(db)
  const written = await sql<{ shares: number }>`
    select sum(count)::bigint as shares from (
      select max((fact ->> 'count')::bigint) as count from journal group by user_id, fact ->> 'orderId') o`.execute(db)
  const fills = ACCOUNTS * FILLS
  expect(counted.rows).toEqual([{ fills, shares: written.rows[0]?.shares, bundled: fills, subjects: fills }])

  const { rows: deliveries } = await sql<{ to: string; id: string; state: string }>`
    select '/' || d.user_id || '/' || c.label as to, d.bundle_id as id, d.state
    from notification_delivery d join notification_channel c on c.id = d.channel_id`.execute(db)
  const arrived = Map.groupBy(receiver.received, key)
  expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['sent']))
  expect(new Set(arrived.keys())).toEqual(new Set(deliveries.map(key)))
  // Of each kill, at most the one that was on its way to a channel comes again, word for word.
  expect([...arrived.values()].filter((all) => new Set(all.map(({ text }) => text)).size > 1)).toEqual([])
  const again = Map.groupBy(
    [...arrived.values()].flatMap((all) => all.slice(1)),
    ({ to }) => to,
  )
  expect([...again.values()].filter((all) => all.length > KILLS)).toEqual([])
  expect([...again.values()].flat().length).toBeGreaterThan(0)

  for (const channel of CHANNELS) {
    const sums = new FillSums()
    const texts = [...arrived.values()].flatMap(([first]) =>
      first?.to.endsWith(`/${channel}`) ? first.text.split('\n') : [],
    )
    for (const line of texts) {
      const found = fillLine(line)
      if (found !== null) sums.count(found)
    }
    const total = [...sums.values()].reduce(
      (all, one) => ({ fills: all.fills + one.fills, shares: all.shares + one.shares }),
      { fills: 0, shares: 0 },
    )
    expect([sums.size, total]).toEqual([STOCKS, { fills, shares: written.rows[0]?.shares }])
  }
  await database.close()
}, 120_000)
