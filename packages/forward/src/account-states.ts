import type { Bus, AccountOwners } from '@digger/cluster'
import { AccountSummary, MorningSummary } from '@digger/contract'
import { z } from 'zod'
import { byOwner } from './by-owner.ts'

/** What the administrators' list shows of an account beside its row in the tables. */
const AccountState = z.object({
  userKey: z.boolean(),
  socket: z.boolean(),
  /** A worker from before it had neither of these. */
  summary: AccountSummary.nullable().default(null),
  /** A later worker may know more states of it. */
  morning: MorningSummary.nullable().catch(null),
})
export type AccountState = z.output<typeof AccountState>

const States = z.record(z.string(), AccountState)
const UserIds = z.array(z.string())

const subjectOf = (worker: string): string => `digger.states.${worker}`

/** A list that people wait for is not worth more, ms; who has not answered by then is shown as not known. */
const ANSWER_MS = 2_000

/** A worker tells of the accounts that it has. `stateOf` returns null for those of others. Returns the way to end it. */
export const answerStates = (
  worker: string,
  { bus, stateOf }: { readonly bus: Bus; readonly stateOf: (userId: string) => AccountState | null },
): (() => void) =>
  bus.answer(subjectOf(worker), async (data) => {
    const states = UserIds.parse(JSON.parse(Buffer.from(data).toString())).flatMap((userId) => {
      const state = stateOf(userId)
      return state === null ? [] : [[userId, state] as const]
    })
    return Buffer.from(JSON.stringify(Object.fromEntries(states)))
  })

/** The states of accounts, asked of all workers at once. */
export class AccountStates {
  readonly #bus: Bus
  readonly #owners: AccountOwners

  constructor({ bus, owners }: { readonly bus: Bus; readonly owners: AccountOwners }) {
    this.#bus = bus
    this.#owners = owners
  }

  /** Leaves out accounts whose worker does not answer, or that nobody has just now. */
  async of(userIds: readonly string[]): Promise<ReadonlyMap<string, AccountState>> {
    const asked = await byOwner(this.#owners, userIds)
    const answers = await Promise.all(asked.map(({ worker, userIds: theirs }) => this.#ask(worker, theirs)))
    return new Map(answers.flat())
  }

  async #ask(worker: string | null, userIds: readonly string[]): Promise<[string, AccountState][]> {
    if (worker === null) return []
    const question = Buffer.from(JSON.stringify(userIds))
    const answer = await this.#bus.request(subjectOf(worker), question, ANSWER_MS).catch(() => null)
    return answer === null ? [] : Object.entries(States.parse(JSON.parse(Buffer.from(answer).toString())))
  }
}
