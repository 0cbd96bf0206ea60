import { LostAnswer, OutcomeUnknown, Refused } from '@digger/contract'
import { effectiveStop, type Account, type AccountCommand, type AccountEvent, type Book } from '@digger/core'
import type { CommandResult, Step, Stop } from '@digger/core'
import { type Changes, isNotWritten, type Loaded, NoLeaseError } from '@digger/storage'
import { CommandKeys, OTHER_CALL, type Named } from './command-keys.ts'
import { StopChanges } from './stop-changes.ts'

type CommandEvent = Extract<AccountEvent, { kind: 'command' }>
export type Done = Extract<CommandResult, { ok: true }>

type PendingStop = Pick<Extract<AccountCommand, { kind: 'setStop' }>, 'level' | 'code' | 'stop'>

interface Waiter {
  readonly named: Named | undefined
  readonly answer: Promise<Done>
  readonly done: (result: Done) => void
  readonly failed: (error: unknown) => void
}

/** What people asked of one account and have no answer to yet, and what they may ask again. */
export class PendingCommands {
  readonly #waiters = new Map<number, Waiter>()
  readonly #keys = new CommandKeys()
  #nextTicket = 1
  /** Stops that were asked for and are not durable yet, by ticket. */
  readonly #stops = new Map<number, PendingStop>()

  readonly #stopChanges: StopChanges

  constructor(loaded: Pick<Loaded, 'keys' | 'seq'>) {
    this.#keys.load(loaded.keys)
    this.#stopChanges = new StopChanges(loaded)
  }

  add(command: AccountCommand, named?: Named): { readonly event: CommandEvent; readonly answer: Promise<Done> } {
    const ticket = this.#nextTicket++
    if (command.kind === 'setStop') this.#stops.set(ticket, command)
    if (command.kind === 'stopAll') this.#stops.set(ticket, { level: 'user', code: null, stop: 'halt' })
    const { promise: answer, resolve: done, reject: failed } = Promise.withResolvers<Done>()
    this.#waiters.set(ticket, { named, answer, done, failed })
    return { event: { kind: 'command', ticket, command }, answer }
  }

  /** Whether something is written under this key. */
  hasDone(key: string): boolean {
    return this.#keys.has(key)
  }

  /** Whether what the key stands for is written, or under way: then it is not to be done, but answered. */
  hasAnswer({ key }: Named): boolean {
    return this.#keys.has(key) || this.#underWay(key) !== undefined
  }

  /** The answer to what is written or under way. Throws Refused CONFLICT where the key stands for something else. */
  async known(named: Named): Promise<Done> {
    const waiter = this.#underWay(named.key)
    if (waiter?.named !== undefined) {
      if (waiter.named.call !== named.call) throw new Refused('CONFLICT', OTHER_CALL)
      return waiter.answer
    }
    const result = this.#keys.resultOf(named)
    if (result?.ok === true) return result
    throw result === null ? new Error(`nothing is known of ${named.key}`) : new Refused(result.code, result.text)
  }

  #underWay(key: string): Waiter | undefined {
    return [...this.#waiters.values()].find(({ named }) => named?.key === key)
  }

  /**
   * Answers a command that waited and whose facts turned out to be written, or that comes too late for what is written by now.
   * False: it is to be decided.
   */
  answerUndecided({ ticket, command }: CommandEvent, book: Book): boolean {
    const named = this.#waiters.get(ticket)?.named
    const known = named === undefined ? null : this.#keys.resultOf(named)
    const result = known ?? (this.#stopChanges.isLate(command, book) ? STOPPED_MEANWHILE : null)
    if (result === null) return false
    this.durable(ticket)
    this.answer(ticket, result)
    return true
  }

  /** The changes of a step, with the keys under which people asked for them. */
  named(changes: Changes, before: Account, step: Step): Changes {
    const expiredKeys = this.#keys.expired(step.facts)
    const commandKeys =
      this.#waiters.size === 0 ? [] : this.#keys.rowsOf(before, step, (ticket) => this.#waiters.get(ticket)?.named)
    if (commandKeys.length + expiredKeys.length === 0) return changes
    const { user_id } = changes.account
    const ofUser = <T>(row: T) => ({ user_id, ...row })
    return { ...changes, commandKeys: commandKeys.map(ofUser), expiredKeys: expiredKeys.map(ofUser) }
  }

  /** The changes are on disk. */
  written(changes: Changes): void {
    this.#keys.written(changes)
    this.#stopChanges.written(changes)
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

  /** `cause`: without a lease the account may be another process' by now, which is asked the same. */
  notSaved(ticket: number, cause: unknown): void {
    const named = this.#waiters.get(ticket)?.named
    if (!(cause instanceof NoLeaseError)) this.fail(ticket, new Refused('INTERNAL', NOT_SAVED))
    else this.fail(ticket, named === undefined ? new Refused('BUSY', NOT_SAVED) : new LostAnswer(NOT_SAVED, 'BUSY'))
  }

  undecided(ticket: number): void {
    this.fail(ticket, new Refused('INTERNAL', '처리하지 못했습니다. 관리자에게 알려 주세요.'))
  }

  /** A sale that waits: some of its orders may have been placed already. */
  notSold(ticket: number): void {
    const text = '저장하지 못해 매도를 마치지 못했습니다. 주문 목록을 확인한 뒤 다시 매도해 주세요.'
    this.fail(ticket, new Refused('BUSY', text))
  }

  /** Where the commit may stand and only its answer was lost, a stop goes on to hold until the account is read again. */
  commitFailed(ticket: number, error: unknown): void {
    if (isNotWritten(error)) return this.notSaved(ticket, error)
    const text = '저장되었는지 확인하지 못했습니다. 화면을 새로 고쳐 되어 있는지 보고, 아니면 다시 해 주세요.'
    const waiter = this.#waiters.get(ticket)
    waiter?.failed(lost(waiter, text, 'INTERNAL'))
    this.#waiters.delete(ticket)
  }

  /** The account goes on in another process: what is under way here may have been done, or not. */
  handedOver(): void {
    const text = '계좌를 맡은 서버가 바뀌었습니다. 화면을 새로 고쳐 되어 있는지 보고, 아니면 다시 해 주세요.'
    for (const waiter of this.#waiters.values()) waiter.failed(lost(waiter, text, 'BUSY'))
    this.#waiters.clear()
  }

  /** The book has every stop that was saved. */
  readAgain(loaded: Pick<Loaded, 'keys' | 'seq'>): void {
    this.#keys.load(loaded.keys)
    this.#stopChanges.readAgain(loaded)
    for (const ticket of this.#stops.keys()) if (!this.#waiters.has(ticket)) this.#stops.delete(ticket)
  }
}

const NOT_SAVED = '저장하지 못했습니다. 잠시 뒤 다시 해 주세요.'
const STOPPED_MEANWHILE: CommandResult = {
  ok: false,
  code: 'CONFLICT',
  text: '그 사이 멈춤이 바뀌었습니다. 지금 상태와 이유를 확인하고 다시 눌러 주세요.',
}

/** Asked again under its key, the answer is found. */
const lost = ({ named }: Waiter, text: string, code: 'INTERNAL' | 'BUSY'): OutcomeUnknown =>
  named === undefined ? new OutcomeUnknown(text, code) : new LostAnswer(text, code)
