import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isDay, kstDay, type Fact, type Order } from '@digger/core'
import { type Db, OperatorError, ownVersion } from '@digger/database'
import { bookBefore, decisionOf, factsAfter, incidentOf } from '@digger/storage'
import { findUserByEmail, listUsers } from '@digger/identity'
import { explain, type Explanation } from './explanation.ts'
import { endWithMessage, printReport } from './report.ts'

const USAGE = `쓰는 법: npm run explain -- --order 번호 [--user 이메일|ID] [--incident 새파일]
  --order 번호      그 주문을 왜 냈는지. 번호는 Digger의 것
  --seq 번호        그 기록을 남긴 결정(주문이 없어도)
  --day YYYYMMDD    --incident와 함께: 그 날 전체
  --user            누구의 것인지. 번호만으로 한 사람이 정해지면 없어도 된다
  --incident 새파일 그 날의 일을 npm run prove -- simulate --incident 파일 이 읽는 파일로 적는다. 이름과 이메일은 들어가지 않는다`

export interface Question {
  readonly order?: number | undefined
  readonly seq?: number | undefined
  readonly day?: string | undefined
  /** E-mail or id. */
  readonly user?: string | undefined
  /** File to write. */
  readonly incident?: string | undefined
}

/** Answers for one decision, or writes the incident of its day. Changes nothing in the database. */
export async function answer(db: Db, question: Question): Promise<Explanation> {
  const { userId, email } = await whose(db, question)
  if (question.order === undefined && question.seq === undefined) return writeIncident(db, userId, question)
  const order = question.order === undefined ? null : await orderOf(db, userId, question.order)
  if (order === null && question.order !== undefined)
    throw new OperatorError(`${email}에게 주문 ${question.order}번이 없습니다.`)
  const one = await decisionOf(db, userId, order?.seq ?? question.seq ?? 0)
  if (one === null) throw new OperatorError(`${email}에게 기록 ${question.seq}번이 없습니다.`)
  const day = kstDay(one.facts[0]?.at ?? 0)
  if (question.incident !== undefined) return writeIncident(db, userId, { ...question, day })
  const book = await bookBefore(db, userId, one.seq, one.input?.loaded ?? 0)
  const later = order === null ? [] : await laterFacts(db, userId, one.seq + one.facts.length - 1, order.order)
  return explain(one, book, order?.order.id ?? null, later)
}

async function whose(db: Db, { user, order }: Question): Promise<{ userId: string; email: string }> {
  const users = await listUsers(db)
  const named = user === undefined ? null : ((await findUserByEmail(db, user)) ?? users.find(({ id }) => id === user))
  if (named === undefined) throw new OperatorError(`${user}라는 사용자가 없습니다.`)
  if (named !== null) return { userId: named.id, email: named.email }
  const owners = users.length === 1 || order === undefined ? users : await ownersOf(db, order)
  const [only] = owners
  if (owners.length === 1 && only !== undefined) return { userId: only.id, email: only.email }
  if (owners.length === 0) throw new OperatorError(`주문 ${order}번이 있는 사용자가 없습니다.`)
  throw new OperatorError(`누구의 것인지 정해 주세요: ${owners.map(({ email }) => `--user ${email}`).join(', ')}`)
}

const ownersOf = (db: Db, order: number) =>
  db
    .selectFrom('account_order')
    .innerJoin('users', 'users.id', 'account_order.user_id')
    .select(['users.id', 'users.email'])
    .where('account_order.id', '=', order)
    .orderBy('users.email')
    .execute()

async function orderOf(db: Db, userId: string, id: number): Promise<{ seq: number; order: Order } | null> {
  for await (const { seq, fact } of factsAfter(db, userId))
    if (fact.kind === 'orderIntended' && fact.order.id === id) return { seq, order: fact.order }
  return null
}

/** What became of the order, and of the lots it bought or sold. */
async function laterFacts(db: Db, userId: string, after: number, order: Order): Promise<Fact[]> {
  const lots = new Set(order.lots.map(({ lotId }) => lotId))
  const facts: Fact[] = []
  for await (const { fact } of factsAfter(db, userId, after)) {
    const isBought = fact.kind === 'lotBought' && order.side === 'buy' && lots.has(fact.lot.id)
    const isSold = fact.kind === 'lotSold' && lots.has(fact.lotId)
    if (isBought || isSold || ('orderId' in fact && fact.orderId === order.id)) facts.push(fact)
  }
  return facts
}

async function writeIncident(db: Db, userId: string, { day, incident: path }: Question): Promise<Explanation> {
  if (day === undefined || path === undefined || !isDay(day)) throw new OperatorError(USAGE)
  const incident = await incidentOf(db, userId, day, ownVersion())
  if (incident === null) throw new OperatorError(`${day}에는 기록이 없습니다.`)
  writeNew(path, JSON.stringify(incident))
  const decided = incident.steps.filter(({ input }) => input !== null).length
  return {
    ok: true,
    lines: [
      `${path}에 ${day}의 결정 ${incident.steps.length}건을 적었습니다(입력이 있는 것 ${decided}건).`,
      `종목과 금액이 들어 있으니 아무에게나 주지 마세요. 다시 해 보기: npm run prove -- simulate --incident ${path}`,
    ],
  }
}

/** Readable by its owner only: it tells what somebody holds. */
function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`${path}에 쓰지 못했습니다: ${why}`)
  }
}

export function questionOf(args: readonly string[]): Question {
  const names = ['order', 'seq', 'day', 'user', 'incident'] as const
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
    const { values } = parseArgs({ args: [...args], options })
    const text = new Map(
      Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    )
    return {
      order: numberOf(text.get('order')),
      seq: numberOf(text.get('seq')),
      day: text.get('day'),
      user: text.get('user'),
      incident: text.get('incident'),
    }
  } catch {
    throw new OperatorError(USAGE)
  }
}

function numberOf(text: string | undefined): number | undefined {
  if (text !== undefined && !/^[1-9]\d{0,14}$/.test(text)) throw new RangeError(text)
  return text === undefined ? undefined : Number(text)
}

async function main(): Promise<void> {
  const question = questionOf(process.argv.slice(2))
  await printReport((db) => answer(db, question))
}

if (import.meta.main) main().catch(endWithMessage)
