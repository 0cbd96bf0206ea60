import type { DatabaseModel, StatementSeen } from '../database/model.ts'
import type { Dice } from '../machine/dice.ts'
import type { NetworkSocket } from '../machine/network.ts'
import type { Process } from '../machine/process.ts'
import { setSimulation, Simulation } from '../machine/simulation.ts'
import { Story } from '../story.ts'
import { Violation } from '../violation.ts'
import { type Deed, Trader } from './trader.ts'

const PORT = 5_432
const URL = `postgres://digger@127.0.0.1:${PORT}/digger`
/** Things go wrong for so long; then comes the calm, ms. */
const TROUBLE_MS = 300_000
const CALM_MS = 30_000
const RESTART_MS = 3_000
/** An owner of before sends for so long after another has claimed, at most: a lease from the moment of its question, ms. */
const LEASE_MS = 4_000
/** In calm each account has an order within this, ms. */
const QUIET_MS = 5_000

export interface WorkersOutcome {
  readonly seed: number
  readonly failure: Violation | null
  readonly steps: number
  readonly sent: number
  readonly claims: number
  readonly story: readonly string[]
}

/** Workers that share a database under one seed: killed, paused, cut off and with clocks that are set, and then in calm. */
export async function simulateWorkers(seed: number, database: DatabaseModel, workers: number): Promise<WorkersOutcome> {
  await database.reset()
  const simulation = new Simulation(seed, Date.parse('2026-11-25T10:00:00+09:00'))
  setSimulation(simulation)
  const run = new Run(simulation, database)
  run.open(workers)
  let failure: Violation | null = null
  try {
    await simulation.run(TROUBLE_MS + CALM_MS)
    run.checkCalm()
  } catch (error) {
    failure = error instanceof Violation ? error : new Violation('the run goes on', String(error))
  }
  const { steps } = simulation
  const story = [...run.story.lines]
  await simulation.close()
  setSimulation(null)
  return { seed, failure, steps, sent: run.sent, claims: run.claims, story }
}

class Run {
  readonly story: Story
  sent = 0
  claims = 0
  readonly #simulation: Simulation
  readonly #database: DatabaseModel
  readonly #dice: Dice
  readonly #userIds: readonly string[]
  readonly #running = new Map<string, { readonly process: Process; readonly trader: Trader }>()
  /** By user: the newest epoch, and since when it is, ms. */
  readonly #epochs = new Map<string, { epoch: number; since: number }>()
  readonly #lastSent = new Map<string, number>()

  constructor(simulation: Simulation, database: DatabaseModel) {
    this.#simulation = simulation
    this.#database = database
    this.#dice = simulation.dice('workers')
    this.story = new Story(simulation)
    this.#userIds = database.query('select id from users order by id').map(({ id }) => String(id))
    simulation.onCrash = (process, error) =>
      simulation.fail(new Violation('no process dies of an error', `${process.name}: ${String(error)}`))
    database.onStatement = (seen) => this.#noteEpochs(seen)
  }

  open(workers: number): void {
    this.#simulation.network.listen(PORT, {
      process: this.#simulation.start('database'),
      allowHalfOpen: true,
      accept: (socket: NetworkSocket) => this.#database.connect(socket),
    })
    for (let n = 1; n <= workers; n += 1) {
      const name = `worker ${n}`
      this.#simulation.at(n * 100, null, () => this.#start(name))
      this.#plan(name)
    }
  }

  #start(name: string): void {
    const simulation = this.#simulation
    const process = simulation.start(name)
    const report = (text: string): void => this.story.add(`${name} (${process.pid}) ${text}`)
    const sent = (deed: Deed): void => simulation.check(() => this.#check(deed))
    const trader = new Trader({ url: URL, process, userIds: this.#userIds, sent, report })
    this.#running.set(name, { process, trader })
    process.onEnd = ({ how }) => {
      report(how)
      simulation.after(RESTART_MS, null, () => this.#start(name))
    }
    simulation.at(simulation.now, process, () => {
      trader.begin().catch((error: unknown) => {
        report(`does not start: ${String(error)}`)
        simulation.end(process, { how: 'left', why: String(error) })
      })
    })
  }

  /** Each worker has troubles of its own, one after the other; those of several overlap. */
  #plan(name: string): void {
    const between = (low: number, high: number): number => low + this.#dice.unit() * (high - low)
    for (let at = between(5_000, 60_000); at < TROUBLE_MS;) {
      const until = Math.min(at + between(2_000, 150_000), TROUBLE_MS)
      const draw = this.#dice.unit()
      this.#simulation.at(at, null, () => {
        const end = this.#strike(name, draw)
        this.#simulation.at(until, null, end)
      })
      at = until + between(1_000, 60_000)
    }
  }

  #strike(name: string, draw: number): () => void {
    const process = this.#running.get(name)?.process
    if (process === undefined) return () => undefined
    const simulation = this.#simulation
    if (draw < 0.2) {
      simulation.end(process, { how: 'killed', why: 'kill -9' })
      return () => undefined
    }
    if (draw < 0.5) {
      this.story.add(`${name} stands still`)
      simulation.pause(process)
      return () => simulation.resume(process)
    }
    if (draw < 0.85) {
      this.story.add(`${name} is cut off`)
      const line = simulation.network.line(name, 'database')
      line.cut = true
      return () => void (line.cut = false)
    }
    const by = Math.round((draw - 0.925) * 8_000_000)
    process.wallOffset += by
    return () => void (process.wallOffset -= by)
  }

  /** Read after each claim and each commit: what the tables say is what counts. */
  #noteEpochs({ text, code }: StatementSeen): void {
    const isClaim = /update account set epoch/.test(text)
    if (code !== null || !(isClaim || text.includes('orders_part'))) return
    if (isClaim) this.claims += 1
    for (const row of this.#database.query('select user_id, epoch from account')) {
      const [userId, epoch] = [String(row['user_id']), Number(row['epoch'])]
      const known = this.#epochs.get(userId)?.epoch ?? 0
      if (epoch < known)
        this.#simulation.fail(new Violation('only the newest owner commits', `${userId}: ${epoch} after ${known}`))
      if (epoch !== known) this.#epochs.set(userId, { epoch, since: this.#simulation.now })
    }
  }

  #check({ worker, userId, epoch }: Deed): void {
    const { now } = this.#simulation
    this.sent += 1
    this.#lastSent.set(userId, now)
    const newest = this.#epochs.get(userId)
    if (newest === undefined || newest.epoch === epoch || now - newest.since <= LEASE_MS) return
    throw new Violation(
      'who lost an account sends nothing once its lease is over',
      `${worker.name} sends with epoch ${epoch}, ${now - newest.since} ms after ${newest.epoch} was claimed`,
    )
  }

  checkCalm(): void {
    const { now } = this.#simulation
    for (const userId of this.#userIds) {
      const owners = [...this.#running.values()].filter(({ process, trader }) => process.alive && trader.has(userId))
      if (owners.length !== 1) throw new Violation('each account has one owner in calm', `${userId}: ${owners.length}`)
      if (now - (this.#lastSent.get(userId) ?? 0) > QUIET_MS)
        throw new Violation('each account trades in calm', `${userId}: not for ${QUIET_MS} ms`)
    }
  }
}
