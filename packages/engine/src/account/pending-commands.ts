import { OutcomeUnknown, Refused } from '@digger/contract'
import { effectiveStop, type AccountCommand, type AccountEvent, type CommandResult, type Stop } from '@digger/core'
import { isNotWritten } from '@digger/storage'

type CommandEvent = Extract<AccountEvent, { kind: 'command' }>
type Done = Extract<CommandResult, { ok: true }>

interface Waiter {
  readonly done: (result: Done) => void
  readonly failed: (error: unknown) => void
}

/** What people asked of one account and have no answer to yet. */
export class PendingCommands {
  readonly #waiters = new Map<number, Waiter>()
  #nextTicket = 1
  /** Stops that were asked for and are not durable yet, by ticket. */
  readonly #stops = new Map<number, Extract<AccountCommand, { kind: 'setStop' }>>()

  add(command: AccountCommand): { readonly event: CommandEvent; readonly answer: Promise<Done> } {
    const ticket = this.#nextTicket++
    if (command.kind === 'setStop') this.#stops.set(ticket, command)
    const answer = new Promise<Done>((done, failed) => this.#waiters.set(ticket, { done, failed }))
    return { event: { kind: 'command', ticket, command }, answer }
  }

  /** The strictest stop of the account or the stock that was asked for and is not durable yet. */
  stopOf(code: string): Stop {
    return [...this.#stops.values()]
      .filter((pending) => pending.level === 'user' || pending.code === code)
      .reduce<Stop>((stop, pending) => effectiveStop(stop, pending.stop, 'active'), 'active')
  }

  /** The command is decided and durable: from now on the book has its stop. */
  durable(ticket: number): void {
    this.#stops.delete(ticket)
  }

  answer(ticket: number, result: CommandResult): void {
    const waiter = this.#waiters.get(ticket)
    this.#waiters.delete(ticket)
    if (result.ok) waiter?.done(result)
    else waiter?.failed(new Refused(result.code, result.text))
  }

  /** Whoever gets a failure must not see it done later: what was asked is not taken again. */
  fail(ticket: number, error: Refused): void {
    this.durable(ticket)
    this.#waiters.get(ticket)?.failed(error)
    this.#waiters.delete(ticket)
  }

  notSaved(ticket: number): void {
    this.fail(ticket, new Refused('INTERNAL', '저장하지 못했습니다. 잠시 뒤 다시 해 주세요.'))
  }

  /** Where the commit may stand and only its answer was lost, a stop goes on to hold until the account is read again. */
  commitFailed(ticket: number, error: unknown): void {
    if (isNotWritten(error)) return this.notSaved(ticket)
    const text = '저장되었는지 확인하지 못했습니다. 화면을 새로 고쳐 되어 있는지 보고, 아니면 다시 해 주세요.'
    this.#waiters.get(ticket)?.failed(new OutcomeUnknown(text, 'INTERNAL'))
    this.#waiters.delete(ticket)
  }

  /** The account goes on in another process: what is under way here may have been done, or not. */
  handedOver(): void {
    const text = '계좌를 맡은 서버가 바뀌었습니다. 화면을 새로 고쳐 되어 있는지 보고, 아니면 다시 해 주세요.'
    for (const { failed } of this.#waiters.values()) failed(new OutcomeUnknown(text, 'BUSY'))
    this.#waiters.clear()
  }

  /** The book has every stop that was saved. */
  readAgain(): void {
    for (const ticket of this.#stops.keys()) if (!this.#waiters.has(ticket)) this.#stops.delete(ticket)
  }
}
