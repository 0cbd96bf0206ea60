import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CALLS, type Call, type Reply } from './call.ts'

const Index = z.object({ replies: z.int().min(1) })

/** What `npm run doctor -- --archive` files of a reply, as far as it is needed here. */
const Filed = z.object({
  trId: z.string(),
  params: z.record(z.string(), z.string()),
  cont: z.string(),
  status: z.int(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.unknown(),
})
type Filed = z.infer<typeof Filed>

/** Of whose account a query is, and where a page begins: an archive has zeros and stand-ins instead. */
const NOT_THE_QUESTION = /^(cano|acnt_prdt_cd|ctx_area_.*)$/

/**
 * Replies of a real broker, which stand for this program's own where there are any to a call: those to the same query, in the
 * order in which they came and from the beginning again, else those to the first query of that call that was answered. Orders are
 * not among them: what is bought shows in no list that comes from an archive.
 */
export class ReplyArchive {
  readonly #replies: readonly Filed[]
  /** By query, the place among its replies of the one that was given last. */
  readonly #given = new Map<string, number>()

  /** Throws where the folder is no archive, or lacks a reply. */
  constructor(folder: string) {
    this.#replies = read(folder)
  }

  /** Null: none is there, as for a page after the last that was filed. */
  replyTo({ account: { env }, name, params, next }: Call): Reply | null {
    const { real, paper } = CALLS[name]
    const ofCall = this.#replies.filter(({ trId }) => trId === (env === 'real' ? real : paper))
    const asked = questionOf(params)
    const isSame = ofCall.some((one) => questionOf(Object.entries(one.params)) === asked)
    const first = ofCall.find(isGood)
    const question = isSame || first === undefined ? asked : questionOf(Object.entries(first.params))
    const replies = ofCall.filter((one) => questionOf(Object.entries(one.params)) === question)
    const key = `${real} ${question}`
    const place = placeAfter(replies, this.#given.get(key) ?? -1, next)
    const reply = place === null ? undefined : replies[place]
    if (place === null || reply === undefined) return null
    this.#given.set(key, place)
    return { status: reply.status, body: withCursor(reply.body, place), cont: contOf(reply) }
  }
}

const isGood = ({ body }: Filed): boolean => z.object({ rt_cd: z.literal('0') }).safeParse(body).success

/** A page follows the one before it; a question from the beginning is the next of its kind. */
function placeAfter(replies: readonly Filed[], given: number, next: boolean): number | null {
  if (next) return replies[given + 1]?.cont === 'N' ? given + 1 : null
  const isFirst = ({ cont }: Filed): boolean => cont !== 'N'
  const later = replies.findIndex((one, at) => at > given && isFirst(one))
  const place = later < 0 ? replies.findIndex(isFirst) : later
  return place < 0 ? null : place
}

const Cursor = z.looseObject({ ctx_area_nk100: z.string().regex(/^[0^]+ *$/) })

/** Filed cursors are all zeros, and a client rightly refuses two that are the same: each has its place in it, as wide as it was. */
function withCursor(body: unknown, place: number): unknown {
  const read = Cursor.safeParse(body)
  if (!read.success) return body
  const { length } = read.data.ctx_area_nk100
  const cursor = read.data.ctx_area_nk100.trimEnd()
  return { ...read.data, ctx_area_nk100: String(place).padStart(cursor.length, '0').padEnd(length) }
}

const questionOf = (params: Iterable<readonly [string, string]>): string =>
  [...params]
    .map(([name, value]) => `${name.toLowerCase()}=${value}`)
    .filter((text) => !NOT_THE_QUESTION.test(text.split('=', 1)[0] ?? ''))
    .sort()
    .join('&')

const contOf = ({ headers }: Filed): string => headers.find(([name]) => name.toLowerCase() === 'tr_cont')?.[1] ?? ''

function read(folder: string): Filed[] {
  const parse = <T>(name: string, schema: z.ZodType<T>): T => {
    try {
      return schema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')))
    } catch (error) {
      throw new Error(`${join(folder, name)} is no file of an archive, or was cut off`, { cause: error })
    }
  }
  const { replies } = parse('archive.json', Index)
  const names = readdirSync(folder).filter((name) => /^\d{3,}-.*\.json$/.test(name))
  if (names.length !== replies) throw new Error(`${folder} has ${names.length} replies of ${replies}: it was cut off`)
  const inOrder = names.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  return inOrder.map((name) => parse(name, Filed))
}
