import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, openDatabase, OwnedShards, SHARDS } from '@digger/database'
import { type TestPlace, testPlace } from '@digger/database/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Member } from '../src/index.ts'
import { memberWithoutAccounts } from './without-accounts.ts'

// What a signal of the kernel does to a process, in our seconds; everything else about it is asked in passed time (member.test.ts).
/** A lease is over after five seconds, and the next look comes a second later. */
const TAKEN_OVER = { timeout: 15_000, interval: 20 }

const Line = z.object({ kind: z.string(), shards: z.unknown().optional() })

let place: TestPlace
let url = ''
let database: Database
let one: Member
let found: string[]
let child: ChildWorker

class ChildWorker {
  readonly #process: ChildProcess
  readonly kinds: string[] = []
  has = 0

  constructor() {
    const script = new URL('worker.ts', import.meta.url).pathname
    const started = spawn(process.execPath, [script, url], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#process = started
    createInterface({ input: started.stdout }).on('line', (text) => this.#read(text))
  }

  #read(text: string): void {
    const { kind, shards } = Line.parse(JSON.parse(text))
    if (kind === 'has') this.has = Number(shards)
    else this.kinds.push(kind)
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

const bothHaveSome = () => expect([child.has > 10, one.shards + child.has]).toEqual([true, SHARDS])

beforeEach(async () => {
  place = await testPlace()
  url = place.config.DATABASE_URL ?? ''
  database = await openDatabase({ databaseUrl: url, dataDir: '', exclusive: false })
  found = []
  one = memberWithoutAccounts({
    url,
    db: database.db,
    owned: new OwnedShards(),
    report: (event) => void (event.kind === 'buried' && found.push(event.why)),
  })
  await one.begin()
  child = new ChildWorker()
  await vi.waitFor(bothHaveSome, TAKEN_OVER)
}, 60_000)
afterEach(async () => {
  await child.end()
  await one.end({ withinMs: 0 })
  await database.close()
  await place[Symbol.asyncDispose]()
})

test('killed: the others notice by its lock, and have all at once', async () => {
  await delay(1_500)
  child.signal('SIGKILL')
  await vi.waitFor(() => expect(one.shards).toBe(SHARDS), TAKEN_OVER)
  // Nobody waited for its lease.
  expect(found).toEqual(['session'])
}, 60_000)

test('stopped: its lease runs out, the others have its shards, and continued it loses them and begins again', async () => {
  child.signal('SIGSTOP')
  await vi.waitFor(() => expect(one.shards).toBe(SHARDS), TAKEN_OVER)
  child.signal('SIGCONT')
  await vi.waitFor(() => expect(child.kinds).toEqual(expect.arrayContaining(['dead', 'lost'])), TAKEN_OVER)
  await vi.waitFor(bothHaveSome, TAKEN_OVER)
  expect(child.kinds.filter((kind) => kind === 'joined')).toHaveLength(2)
}, 60_000)
