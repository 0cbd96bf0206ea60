import { demoCredentials, type Sim } from '@digger/kis-sim'
import { CHECKS, examine, type Finding, type Report } from '../../src/index.ts'
import { brokerOf, clientOf, examinerOf, makeHistory, type Client } from '../fixture.ts'
import { altered, fieldOf, KINDS, sitesOf, type Alteration } from './alteration.ts'
import { UNCHECKED } from './unchecked.ts'
import { proxyOf, type Passing, type Proxy } from './proxy.ts'

/** What one seed altered, and whether the doctor named it. */
export interface Outcome {
  readonly seed: number
  readonly call: string
  readonly alteration: Alteration
  readonly field: string
  readonly isNamed: boolean
  /** Levels of the findings that name it. */
  readonly levels: readonly string[]
  /** Why another unit of this value cannot be seen; null: it can. */
  readonly unchecked: string | null
}

/** A company that is about to give new shares, so that the depository's list has a row. */
const BONUS = {
  kind: 'corporateAction',
  as: 'bonusIssue',
  code: '035420',
  exDay: '20261120',
  creditDay: '20261204',
  ratio: 2,
  paid: 0,
} as const

/** One account with a history behind a proxy, examined again and again: nothing of it changes, for a doctor only reads. */
export class AlteredRuns implements AsyncDisposable {
  readonly sim: Sim
  readonly proxy: Proxy
  readonly #client: Client
  readonly #replies: Passing[] = []
  #usual = new Set<string>()

  private constructor(sim: Sim, proxy: Proxy, client: Client) {
    this.sim = sim
    this.proxy = proxy
    this.#client = client
  }

  static async start(): Promise<AlteredRuns> {
    const sim = await brokerOf({
      happenings: [BONUS],
      accounts: [{ credentials: demoCredentials(0), cash: 100_000_000 }],
    })
    await makeHistory(sim)
    const proxy = await proxyOf(sim.url)
    const runs = new AlteredRuns(sim, proxy, clientOf(sim, proxy.url))
    proxy.watch((passing) => void runs.#replies.push(passing))
    runs.#usual = new Set(textsOf(await runs.#examine()))
    return runs
  }

  /** Replies of a run in which nothing was altered. */
  get replies(): readonly Passing[] {
    return this.#replies
  }

  /** What is found there already. */
  get usual(): readonly string[] {
    return [...this.#usual]
  }

  async run(seed: number): Promise<Outcome> {
    const draw = dice(seed)
    for (;;) {
      const passing = draw(this.#replies)
      const alteration = { site: draw(sitesOf(passing.body)), kind: draw(KINDS) }
      if (altered(passing.body, alteration) !== null) return { seed, ...(await this.try(passing, alteration)) }
    }
  }

  async try(at: Passing, alteration: Alteration): Promise<Omit<Outcome, 'seed'>> {
    this.proxy.watch(({ nth, body }) => (nth === at.nth ? (altered(body, alteration) ?? undefined) : undefined))
    const report = await this.#examine()
    const [field, call] = [fieldOf(alteration), callOf(at)]
    const naming = findingsOf(report).filter((one) => !this.#usual.has(one.text) && names(one, field))
    const unchecked = alteration.kind === 'otherUnit' ? (UNCHECKED.get(`${call} ${field}`) ?? null) : null
    return { call, alteration, field, isNamed: naming.length > 0, levels: naming.map(({ level }) => level), unchecked }
  }

  /** In the first reply to a call that has the field. */
  async tryField(call: string, field: string, kind: Alteration['kind']): Promise<Omit<Outcome, 'seed'>> {
    for (const passing of this.#replies.filter((one) => callOf(one) === call)) {
      const site = sitesOf(passing.body).find((one) => one.at(-1) === field)
      if (site !== undefined) return this.try(passing, { site, kind })
    }
    throw new RangeError(`no reply to ${call} has ${field}`)
  }

  #examine(): Promise<Report> {
    return examine(examinerOf(this.sim, this.#client.rest), undefined, CHECKS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close()
    await this.proxy[Symbol.asyncDispose]()
    await this.sim.close()
  }
}

const callOf = ({ path }: Passing): string => path.split('?')[0]?.split('/').at(-1) ?? ''

const findingsOf = ({ checks }: Report): Finding[] =>
  checks.flatMap(({ findings }) => findings.filter(({ level }) => level === 'note' || level === 'wrong'))

const textsOf = (report: Report): string[] => findingsOf(report).map(({ text }) => text)

const names = ({ fields = [], text }: Finding, field: string): boolean => fields.includes(field) || text.includes(field)

/** Draws from a list; the same for the same seed (mulberry32). */
function dice(seed: number): <T>(from: readonly T[]) => T {
  let state = seed
  return (from) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    const one = from[Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * from.length)]
    if (one === undefined) throw new RangeError('nothing to draw from')
    return one
  }
}
