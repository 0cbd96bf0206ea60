import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type Database, openDatabase, OwnedShards, SHARDS } from '@digger/database'
import { findPostgres, type PostgresServer, startPostgres } from '@digger/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type Bus, LocalBus, LocalWire, Member, type MemberParts } from '../src/index.ts'
import { Placement } from '../src/placement.ts'
import { cutSession } from './cut-session.ts'
import { holderWithoutAccounts, memberWithoutAccounts } from './without-accounts.ts'

const bin = findPostgres()
/** A lease is over after five seconds, and the next look comes a second later. */
const TAKEN_OVER = { timeout: 15_000, interval: 20 }

let server: PostgresServer
let url = ''
let database: Database
let workers: TestWorker[] = []
let children: ChildWorker[] = []

/** A worker of this process, whose accounts are none. */
class TestWorker {
  readonly owned = new OwnedShards()
  readonly events: string[] = []
  /** By what the others were found dead. */
  readonly found: string[] = []
  readonly problems: unknown[] = []
  /** What letting go waits for. */
  onWire: Promise<void> = Promise.resolve()
  readonly member: Member

  constructor(holder: Partial<MemberParts['holder']> = {}, bus?: Bus) {
    const { owned } = this
    const empty = holderWithoutAccounts(owned)
    this.member = memberWithoutAccounts({
      url,
      db: database.db,
      owned,
      holder: {
        ...empty,
        letGo: async (shards) => {
          await this.onWire
          await empty.letGo(shards)
        },
        ...holder,
      },
      report: (event) => {
        this.events.push(event.kind)
        if (event.kind === 'buried') this.found.push(event.why)
      },
      problem: (error) => this.problems.push(error),
      ...(bus !== undefined && { bus }),
    })
    workers.push(this)
  }

  static async begin(holder?: Partial<MemberParts['holder']>, bus?: Bus): Promise<TestWorker> {
    const worker = new TestWorker(holder, bus)
    await worker.member.begin()
    return worker
  }

  get count(): number {
    return this.owned.all().length
  }
}

const Line = z.object({ kind: z.string(), shards: z.unknown().optional(), held: z.boolean().optional() })

class ChildWorker {
  readonly #process: ChildProcess
  readonly kinds: string[] = []
  has = 0
  held = false

  constructor() {
    const script = new URL('worker.ts', import.meta.url).pathname
    this.#process = spawn(process.execPath, [script, url], { stdio: ['ignore', 'pipe', 'inherit'] })
    const { stdout } = this.#process
    if (stdout === null) throw new Error('no output')
    createInterface({ input: stdout }).on('line', (text) => this.#read(text))
    children.push(this)
  }

  #read(text: string): void {
    const { kind, shards, held } = Line.parse(JSON.parse(text))
    if (kind !== 'has') return void this.kinds.push(kind)
    this.has = Number(shards)
    this.held = held === true
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name)
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    this.#process.kill('SIGKILL')
    await once(this.#process, 'exit')
  }
}

const owners = async () => {
  const rows = await database.db.selectFrom('shard').select(['worker', 'epoch']).execute()
  return Map.groupBy(rows, ({ worker }) => worker)
}

describe.skipIf(bin === null)('workers on one database (skipped where no PostgreSQL is installed)', () => {
  beforeAll(async () => {
    server = await startPostgres(bin ?? '')
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())
  beforeEach(async () => {
    url = await server.newDatabase()
    database = await openDatabase({ databaseUrl: url, dataDir: '', exclusive: false })
    workers = []
    children = []
  })
  afterEach(async () => {
    for (const child of children) await child.end()
    for (const { member } of workers) await member.end({ withinMs: 0 })
    await database.close()
  })

  test('one has all; of two each has its share, let go and not lost, and no shard has two', async () => {
    const one = await TestWorker.begin()
    expect(one.count).toBe(SHARDS)
    const two = await TestWorker.begin()
    await vi.waitFor(() => expect(one.count + two.count).toBe(SHARDS), TAKEN_OVER)
    await vi.waitFor(() => expect(two.count).toBeGreaterThan(80), TAKEN_OVER)
    expect(one.owned.all().filter((shard) => two.owned.has(shard))).toEqual([])
    expect([one.events.includes('lost'), two.events.includes('lost')]).toEqual([false, false])
    expect([one.problems, two.problems]).toEqual([[], []])
  })

  test('what waits for the wire goes when it has come back, and meanwhile it is nobody else’s', async () => {
    const wire = Promise.withResolvers<void>()
    const one = await TestWorker.begin()
    one.onWire = wire.promise
    const two = await TestWorker.begin()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect([one.count, two.count]).toEqual([SHARDS, 0])
    wire.resolve()
    await vi.waitFor(() => expect(two.count).toBeGreaterThan(80), TAKEN_OVER)
  })

  test('one that ends lets all go, and the next owner need not wait long for orders of it', async () => {
    const one = await TestWorker.begin()
    const two = await TestWorker.begin()
    await vi.waitFor(() => expect(two.count).toBeGreaterThan(80), TAKEN_OVER)
    const theirs = two.owned.all()
    await two.member.end({ withinMs: 5_000 })
    await vi.waitFor(() => expect(one.count).toBe(SHARDS), TAKEN_OVER)
    expect([two.events.includes('lost'), two.count]).toEqual([false, 0])
    expect(await database.db.selectFrom('worker').select('id').execute()).toEqual([{ id: one.member.id }])
    expect(theirs.length).toBeGreaterThan(0)
  })

  test('what has come stays until its accounts trade, so that none stands still twice in a row', async () => {
    const one = new TestWorker()
    let isArmed = false
    const armed = memberWithoutAccounts({ url, db: database.db, owned: one.owned, isArmed: () => isArmed })
    await armed.begin()
    const two = await TestWorker.begin()
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect([one.count, two.count]).toEqual([SHARDS, 0])
    isArmed = true
    await vi.waitFor(() => expect(two.count).toBeGreaterThan(80), TAKEN_OVER)
    // Nobody waits for accounts that cannot trade: of one that is emptied all go at once.
    isArmed = false
    await armed.end({ withinMs: 5_000 })
    await vi.waitFor(() => expect(two.count).toBe(SHARDS), TAKEN_OVER)
  }, 60_000)

  test('what is let go is told, and whoever hears it looks in that moment', async () => {
    const wire = new LocalWire()
    const published: string[] = []
    new LocalBus(wire).subscribe('digger.free', (worker) => published.push(Buffer.from(worker).toString()))
    const looks = vi.spyOn(Placement.prototype, 'look')
    const one = await TestWorker.begin({}, new LocalBus(wire))
    const { id } = one.member
    await one.member.end({ withinMs: 5_000 })
    await expect.poll(() => published).toEqual([id])
    await TestWorker.begin({}, new LocalBus(wire))
    const before = looks.mock.calls.length
    new LocalBus(wire).publish('digger.free', Buffer.from('another'))
    await new Promise(setImmediate)
    expect(looks.mock.calls.length).toBeGreaterThan(before)
    looks.mockRestore()
  })

  test('one that ends before all has come back from the wire stays known by its row: the next waits by its process', async () => {
    const one = await TestWorker.begin()
    one.onWire = new Promise(() => undefined)
    await one.member.end({ withinMs: 200 })
    const rows = await database.db.selectFrom('worker').select('id').execute()
    expect([...(await owners()).keys()]).toEqual(rows.map(({ id }) => id))
    // As if this process were over.
    await database.db.updateTable('worker').set({ started: '7' }).execute()
    const two = await TestWorker.begin()
    await vi.waitFor(() => expect(two.count).toBe(SHARDS), TAKEN_OVER)
    // Nothing of a dead process of this machine arrives later; of one that nobody knows it may for a quarter of an hour.
    expect(two.owned.of('')?.inheritedMs).toBe(120_000)
  }, 60_000)

  test('killed: the others notice by its lock, and have all at once', async () => {
    const one = await TestWorker.begin()
    const child = new ChildWorker()
    await vi.waitFor(() => expect([child.has > 10, one.count + child.has]).toEqual([true, SHARDS]), TAKEN_OVER)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    child.signal('SIGKILL')
    await vi.waitFor(() => expect(one.count).toBe(SHARDS), TAKEN_OVER)
    // Nobody waited for its lease.
    expect(one.found).toEqual(['session'])
    expect((await owners()).size).toBe(1)
  })

  test('stood still: its lease runs out, the others have its shards, and awake it loses them and begins again', async () => {
    const one = await TestWorker.begin()
    const child = new ChildWorker()
    await vi.waitFor(() => expect([child.has > 10, one.count + child.has]).toEqual([true, SHARDS]), TAKEN_OVER)
    child.signal('SIGSTOP')
    await vi.waitFor(() => expect(one.count).toBe(SHARDS), TAKEN_OVER)
    child.signal('SIGCONT')
    await vi.waitFor(() => expect(child.kinds).toEqual(expect.arrayContaining(['dead', 'lost'])), TAKEN_OVER)
    await vi.waitFor(() => expect([child.has > 10, one.count + child.has]).toEqual([true, SHARDS]), TAKEN_OVER)
    expect(child.kinds.filter((kind) => kind === 'joined')).toHaveLength(2)
  }, 60_000)

  test('whose session is cut while nobody else is there goes on with the same shards', async () => {
    const one = await TestWorker.begin()
    const id = one.member.id
    await cutSession(database, one.member.id)
    await vi.waitFor(() => expect(one.member.lease.held()).toBe(true), TAKEN_OVER)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect([one.member.id, one.count, one.events.includes('dead')]).toEqual([id, SHARDS, false])
  })

  test('whose session is cut beside others loses its shards, and begins again as another worker', async () => {
    const one = await TestWorker.begin()
    const two = await TestWorker.begin()
    await vi.waitFor(() => expect(two.count).toBeGreaterThan(80), TAKEN_OVER)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const id = one.member.id
    await cutSession(database, one.member.id)
    await vi.waitFor(
      () => expect([one.events.includes('dead'), one.member.id === id]).toEqual([true, false]),
      TAKEN_OVER,
    )
    await vi.waitFor(() => expect([one.count > 10, one.count + two.count]).toEqual([true, SHARDS]), TAKEN_OVER)
    expect(one.owned.all().filter((shard) => two.owned.has(shard))).toEqual([])
  })

  test('one whose accounts cannot be read does not keep them from the others for ever', async () => {
    let fails = true
    const one = await TestWorker.begin({
      own: async () => {
        if (fails) throw new Error('no memory')
      },
    })
    expect([one.count, one.problems.length > 0]).toEqual([0, true])
    fails = false
    await vi.waitFor(() => expect(one.count).toBe(SHARDS), TAKEN_OVER)
  })

  test('neither beside the one server that owns all, nor it beside workers', async () => {
    const all = await openDatabase({ databaseUrl: url, dataDir: '' })
    await expect(TestWorker.begin()).rejects.toThrow(/한 대짜리/)
    await all.close()
    workers = []
    const one = await TestWorker.begin()
    expect(one.count).toBe(SHARDS)
    await expect(openDatabase({ databaseUrl: url, dataDir: '' })).rejects.toThrow(/다른 Digger/)
  }, 30_000)
})
