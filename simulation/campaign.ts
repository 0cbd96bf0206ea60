import { createHash } from 'node:crypto'
import { cpuSeconds } from './cpu-seconds.ts'
import { Violation } from './violation.ts'
import { DatabaseModel } from './database/model.ts'
import { real } from './machine/real.ts'
import { makeTemplate } from './make-template.ts'
import type { Options } from './options.ts'
import { addLooks, type LookCounts } from './results.ts'
import { commandOf, partOf } from './part.ts'
import { makePlan } from './plan.ts'
import type { Plan } from './planned.ts'
import { simulate, type Outcome } from './run.ts'
import { Shrinking } from './shrink.ts'

/** So much of a failed run's story is printed. */
const LAST_LINES = 40

type Wanted = Pick<Options, 'part' | 'story' | 'twice' | 'shrink' | 'shrinkCpuSeconds'>

/** Seeds run one after the other, and told. */
export class Campaign {
  readonly runs: Outcome[] = []
  readonly failed: { readonly seed: number; readonly message: string }[] = []
  simulatedMs = 0
  looks: LookCounts = {}
  readonly #wanted: Wanted
  readonly #database: DatabaseModel
  readonly #print: (line: string) => void

  private constructor(wanted: Wanted, database: DatabaseModel, print: (line: string) => void) {
    this.#wanted = wanted
    this.#database = database
    this.#print = print
  }

  static async open(wanted: Wanted, print: (line: string) => void): Promise<Campaign> {
    const database = await DatabaseModel.create()
    await makeTemplate(database)
    return new Campaign(wanted, database, print)
  }

  /** Hands over the runs that nobody has taken yet. */
  takeRuns(): Outcome[] {
    return this.runs.splice(0)
  }

  /** Resolves to whether every promise was kept. */
  async run(seed: number): Promise<boolean> {
    const plan = partOf(makePlan(seed), this.#wanted.part)
    const from = real.performanceNow()
    const outcome = await this.#simulate(plan)
    const ms = Math.round(real.performanceNow() - from)
    this.runs.push(outcome)
    this.simulatedMs += outcome.simulatedMs
    this.looks = addLooks([this.looks, outcome.looks])
    if (this.#wanted.story) for (const line of outcome.story) this.#print(line)
    const { failure, steps, orders, fills, queuePeak, story } = outcome
    this.#print(
      `seed ${seed}: ${failure?.message ?? 'passed'} (${ms} ms, ${steps} steps, ${orders} orders, ${fills} fills, queue ${queuePeak}, ${hashOf(story)})`,
    )
    if (failure === null) return true
    this.failed.push({ seed, message: failure.message })
    if (!this.#wanted.story) for (const line of story.slice(-LAST_LINES)) this.#print(`  ${line}`)
    this.#print(`Run it again: ${commandOf(seed, this.#wanted.part)}`)
    if (this.#wanted.shrink) await this.#shrink(seed, outcome)
    return false
  }

  async #simulate(plan: Plan): Promise<Outcome> {
    const outcome = await simulate(plan, this.#database)
    if (!this.#wanted.twice) return outcome
    const again = await simulate(plan, this.#database)
    if (again.steps === outcome.steps && hashOf(again.story) === hashOf(outcome.story)) return outcome
    const place = outcome.story.findIndex((line, index) => line !== again.story[index])
    const what = `${outcome.steps} and ${again.steps} steps; line ${place}: ${outcome.story[place]} / ${again.story[place]}`
    return { ...outcome, failure: new Violation('a seed replays exactly', what) }
  }

  /** Prints the smallest part that breaks the same promise, and its story's end. */
  async #shrink(seed: number, { failure, simulatedMs }: Outcome): Promise<void> {
    const found = { promise: failure?.promise ?? null, at: simulatedMs }
    const from = cpuSeconds()
    const spent = (): number => cpuSeconds() - from
    const shrinking = new Shrinking(makePlan(seed), this.#wanted.part, found, {
      run: async (plan) => {
        const outcome = await this.#simulate(plan)
        return { promise: outcome.failure?.promise ?? null, at: outcome.simulatedMs }
      },
      mayGoOn: () => spent() < this.#wanted.shrinkCpuSeconds,
      tried: (fails, part) => {
        this.#print(`run ${shrinking.runs}, ${spent().toFixed(0)} CPU s: ${fails ? 'fails too' : 'does not fail so'}`)
        if (fails) this.#print(`  smaller: ${commandOf(seed, part)}`)
      },
    })
    const part = await shrinking.smallest()
    const shrunkAfter = spent()
    const { story } = await this.#simulate(partOf(makePlan(seed), part))
    for (const line of story.slice(-LAST_LINES)) this.#print(`  ${line}`)
    const isDone = shrunkAfter < this.#wanted.shrinkCpuSeconds
    const what = isDone ? 'The smallest part' : 'The time is over; the smallest part so far'
    this.#print(`${what}, after ${shrinking.runs} runs: ${commandOf(seed, part)}`)
  }
}

const hashOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12)
