import type { FiledReply } from './filed-reply.ts'

/** What must not be in a file, whatever field it stands in. */
export interface Secrets {
  readonly accountNumber: string
  readonly appKey: string
  readonly appSecret: string
  readonly htsId: string
}

/** Fields that name a person, a line, or an order of theirs. */
const NUMBERS = /^(odno|orgn_odno|mgco_aptm_odno)$/i
const PERSONAL = /^(acnt_name|cust_id|inqr_ip_addr|ctac_tlno|ordr_empno|gt_uid)$/i
const CANO = /^(cano|acnt_prdt_cd)$/i
const CURSOR = /^ctx_area_/i

/** Replaces each secret by the same stand-in everywhere, as long as it was: the form of a reply is what is filed. */
export class Redaction {
  readonly #texts: readonly (readonly [secret: string, standIn: string])[]
  readonly #numbers = new Map<number, number>()

  constructor({ accountNumber, appKey, appSecret, htsId }: Secrets) {
    const account = accountNumber.replaceAll(/\D/g, '')
    this.#texts = [
      [account, '1234567801'],
      [account.slice(0, 8), '12345678'],
      [appKey, 'P'.repeat(appKey.length)],
      [appSecret, 'S'.repeat(appSecret.length)],
      [htsId, 'tester01'],
    ]
  }

  of(reply: FiledReply): FiledReply {
    return { ...reply, params: this.#record(reply.params), body: this.#value('', reply.body) }
  }

  #record(params: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, this.#text(name, value)]))
  }

  #value(name: string, value: unknown): unknown {
    if (typeof value === 'string') return this.#text(name, value)
    if (Array.isArray(value)) return value.map((one: unknown) => this.#value(name, one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#value(key, one)]))
  }

  #text(name: string, value: string): string {
    if (CANO.test(name)) return name.toLowerCase() === 'cano' ? '12345678' : value
    if (PERSONAL.test(name)) return value.trim() === '' ? value : 'x'.repeat(value.length)
    if (NUMBERS.test(name)) return this.#number(value)
    // A cursor holds account, dates and numbers of orders in a form of the broker's own.
    if (CURSOR.test(name)) return value.replaceAll(/[^\s^]/g, '0')
    return this.#texts.reduce(
      (text, [secret, standIn]) => (secret === '' ? text : text.replaceAll(secret, standIn)),
      value,
    )
  }

  /** The nth order that is met is number n, written as it was. */
  #number(value: string): string {
    const digits = value.trim()
    if (!/^\d+$/.test(digits) || Number(digits) === 0) return value
    const nth = this.#numbers.get(Number(digits)) ?? this.#numbers.size + 1
    this.#numbers.set(Number(digits), nth)
    const isPadded = digits.startsWith('0') || digits.length === value.length
    return isPadded
      ? String(nth).padStart(digits.length, '0').padStart(value.length)
      : String(nth).padStart(value.length)
  }
}
