import { inspect, type KisRest, type KisSocket, type RawReply, type StoredToken } from '../../src/index.ts'

/** The account that is looked at, and how long its checks may wait. */
export interface Paper {
  readonly rest: KisRest
  readonly socket: KisSocket
  /** Each token that was issued, the newest last. */
  readonly tokens: readonly StoredToken[]
  readonly hasHtsId: boolean
  /** A stock that is traded all day. */
  readonly code: string
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
  readonly times: PaperTimes
}

/** Ms. */
export interface PaperTimes {
  /** For a trade after the channel was registered. */
  readonly listenMs: number
  readonly connectMs: number
  /** Between two looks for an order in the list. */
  readonly pollMs: number
  /** From an order to its row: paper took up to 5.3 s (kis-protocol 4.7). */
  readonly listedWithinMs: number
}

/** One fact that the client relies on. Resolves to what was seen, for a developer; throws `Mismatch`, `LeftOut` or what the client throws. */
export interface PaperCheck {
  readonly name: string
  readonly run: (paper: Paper) => Promise<string>
}

/** Something is other than the client relies on. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch'
}

/** It could not be looked at now, and why. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut'
}

/** Texts carry no amounts of the account and nothing that opens it. */
export function fact(holds: boolean, text: string): asserts holds {
  if (!holds) throw new Mismatch(text)
}

export const isWhole = (...values: readonly number[]): boolean => values.every(Number.isSafeInteger)
/** Won or shares. */
export const isAmount = (...values: readonly number[]): boolean => isWhole(...values) && values.every((one) => one >= 0)

export const isAscending = (values: readonly string[]): boolean =>
  values.every((value, at) => at === 0 || (values[at - 1] ?? '') < value)

export const hasEachOnce = (values: readonly string[]): boolean => new Set(values).size === values.length

/** The answer, and each reply that it took. Nothing that writes leaves from inside. */
export async function withReplies<T>(question: () => Promise<T>): Promise<{ value: T; replies: readonly RawReply[] }> {
  const replies: RawReply[] = []
  const value = await inspect({ replyReceived: (reply) => void replies.push(reply) }, question)
  return { value, replies }
}

/** Replies that brought something; the others were asked again. */
const isGood = ({ status, text }: RawReply): boolean => status === 200 && /"rt_cd"\s*:\s*"0"/.test(text)

const contOf = ({ headers }: RawReply): string =>
  (headers.find(([name]) => name.toLowerCase() === 'tr_cont')?.[1] ?? '').trim()

/**
 * How many pages there were. Of each walk all but the last announce another (F or M), and the last one says that it is
 * (kis-protocol 1.6). A walk begins where the request does not ask to go on: days that are refused together are asked one by one.
 */
export function pagesOf(replies: readonly RawReply[]): number {
  const walks: string[][] = []
  for (const reply of replies.filter(isGood)) {
    if (reply.cont === '' || walks.length === 0) walks.push([])
    walks.at(-1)?.push(contOf(reply))
  }
  fact(walks.length > 0, 'no reply of the broker says that it succeeded (rt_cd 0)')
  for (const conts of walks) expectWalk(conts)
  return walks.flat().length
}

function expectWalk(conts: readonly string[]): void {
  const others = conts.slice(0, -1)
  const last = conts.at(-1) ?? ''
  fact(
    others.every((cont) => cont === 'F' || cont === 'M'),
    `a page before the last has tr_cont ${others.join(', ')}, not F or M`,
  )
  fact(['D', 'E', ''].includes(last), `the last page has tr_cont ${last}, not D, E or none`)
}
