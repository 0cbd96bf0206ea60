import type { Asked, Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import type { CommittedRows } from './rows.ts'
import { settingOf, settingsText, type Setting } from './subjects.ts'
import { Violation } from '../violation.ts'

interface Confirmed {
  readonly value: string
  readonly at: number
  /** What was confirmed while this was on its way: nobody knows which was carried out last. */
  readonly rivals: readonly string[]
}

/** What a subject was confirmed to be, and what it may have become since. */
interface Given {
  readonly code: string | null
  confirmed: Confirmed | null
  /** Requests on their way, or without a clear answer. */
  readonly open: Set<Asked>
}

/** A request without a clear answer may be carried out so long after it left, as long as its server lives, ms. */
const STRAY_MS = 180_000

/** Stops and settings: what was answered with ok is so until somebody asks for something else; what was refused was not done. */
export class Word {
  readonly #stage: Stage
  readonly #rows: CommittedRows
  readonly #given = new Map<string, Given>()
  /** What the row held when a request left. */
  readonly #before = new WeakMap<Asked, string | null>()

  constructor(stage: Stage, rows: CommittedRows) {
    this.#stage = stage
    this.#rows = rows
  }

  asks(person: Person, one: Asked): void {
    const setting = settingOf(one)
    if (setting === null) return
    if (this.#rows.readable) this.#before.set(one, this.#found(person, setting.subject, setting.code))
    this.#of(person, setting).open.add(one)
  }

  answered(person: Person, one: Asked): void {
    const setting = settingOf(one)
    if (setting === null) return
    const { status } = one.answer ?? { status: 0 }
    const given = this.#of(person, setting)
    if (status === 200) {
      given.open.delete(one)
      const { confirmed } = given
      const rivals = confirmed !== null && confirmed.at >= one.at ? [confirmed.value, ...confirmed.rivals] : []
      given.confirmed = { value: setting.value, at: this.#stage.simulation.now, rivals }
      if (this.#rows.readable) this.#compare(person, setting.subject, given, one.at)
      else this.#stage.looks.count('words and rows', false)
    } else if (status >= 400 && status < 500) {
      given.open.delete(one)
      if (this.#stage.looks.count('refused settings', this.#rows.readable && this.#before.has(one)))
        this.#compareRefused(person, setting, given, one)
    }
  }

  /** Every subject that was confirmed; to be called now and again. */
  look(person: Person): void {
    if (!this.#rows.readable) return void this.#stage.looks.count('words and rows', false)
    for (const [key, given] of this.#given) {
      const [index, subject = ''] = key.split('/', 2)
      if (Number(index) === person.index && given.confirmed !== null)
        this.#compare(person, subject, given, given.confirmed.at)
    }
  }

  #compare(person: Person, subject: string, given: Given, since: number): void {
    this.#stage.looks.count('words and rows', true)
    const found = this.#found(person, subject, given.code)
    const { value: confirmed = '', rivals = [] } = given.confirmed ?? {}
    if (found === confirmed) return
    if (found !== null && (rivals.includes(found) || this.#possible(given, since).has(found))) return
    throw new Violation('ok means done', `${person.email}: ${subject} was answered as ${confirmed}, it is ${found}`)
  }

  #compareRefused(person: Person, { subject, value }: Setting, given: Given, one: Asked): void {
    const found = this.#found(person, subject, given.code)
    const allowed = new Set([
      this.#before.get(one),
      given.confirmed?.value,
      ...(given.confirmed?.rivals ?? []),
      ...this.#possible(given, one.at),
    ])
    if (found !== value || allowed.has(value)) return
    throw new Violation('refused means not done', `${person.email}: ${subject} is ${value} after ${one.answer?.text}`)
  }

  /** Values of requests that may have been, or may yet be, carried out after `since`. */
  #possible({ open }: Given, since: number): Set<string> {
    const values = new Set<string>()
    for (const one of open) {
      if (one.answeredAt !== null && one.at < since - STRAY_MS) open.delete(one)
      else values.add(settingOf(one)?.value ?? '')
    }
    return values
  }

  #found(person: Person, subject: string, code: string | null): string | null {
    if (subject.startsWith('stop ')) return this.#rows.ownStop(person.userId, code)
    const settings = this.#rows.settings(person.userId, code ?? '')
    return settings === null ? null : settingsText(settings)
  }

  #of(person: Person, { subject, code }: Setting): Given {
    const key = `${person.index}/${subject}`
    const given = this.#given.get(key) ?? { code, confirmed: null, open: new Set() }
    this.#given.set(key, given)
    return given
  }
}
