import {
  addDays,
  asLoaded,
  emptyBook,
  evolve,
  INCIDENT_FORM,
  kstDay,
  kstMidnight,
  plainBook,
  type Book,
  type Fact,
  type Incident,
  type IncidentStep,
  type StoredInput,
} from '@digger/core'
import type { Db, DecisionRow } from '@digger/database'
import { factsAfter } from './journal.ts'

/** The decision that made the fact of journal row `seq`. Null where there is no such row. */
export async function decisionOf(db: Db, userId: string, seq: number): Promise<IncidentStep | null> {
  const row = await db
    .selectFrom('decision')
    .selectAll()
    .where('user_id', '=', userId)
    .where('seq', '<=', seq)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const input = row !== undefined && seq < row.seq + row.facts ? row : null
  const from = input?.seq ?? seq
  const facts: Fact[] = []
  for await (const { fact } of factsAfter(db, userId, from - 1)) {
    facts.push(fact)
    if (facts.length === (input?.facts ?? 1))
      return { seq: from, facts, input: input === null ? null : storedOf(input) }
  }
  return null
}

/** The book as it was before journal row `seq`, in a process that last read the tables when row `loaded` was the newest. */
export async function bookBefore(db: Db, userId: string, seq: number, loaded: number): Promise<Book> {
  let book = emptyBook('')
  for await (const row of factsAfter(db, userId)) {
    if (row.seq === seq) break
    book = evolve(book, row.fact)
    if (row.seq === loaded) book = asLoaded(book)
  }
  return book
}

/** Everything an account did on a KST day, with the book before it and no name. Null: it did nothing. */
export async function incidentOf(db: Db, userId: string, day: string, program: string): Promise<Incident | null> {
  const { first } = await db
    .selectFrom('journal')
    .select(({ fn }) => fn.min('seq').as('first'))
    .where('user_id', '=', userId)
    .where('at', '>=', kstMidnight(day))
    .where('at', '<', kstMidnight(addDays(day, 1)))
    .executeTakeFirstOrThrow()
  // No row gives null, which the types do not know.
  if (first === null) return null
  const steps = await stepsOf(db, userId, first, day)
  const loaded = steps.find(({ input }) => input !== null)?.input?.loaded ?? 0
  const book = plainBook(await bookBefore(db, userId, first, loaded))
  return { digger: 'incident', form: INCIDENT_FORM, program, day, book, steps }
}

async function stepsOf(db: Db, userId: string, first: number, day: string): Promise<IncidentStep[]> {
  const rows = await db
    .selectFrom('decision')
    .selectAll()
    .where('user_id', '=', userId)
    .where('seq', '>=', first)
    .where('at', '<', kstMidnight(addDays(day, 1)))
    .execute()
  const decisions = new Map(rows.map((row) => [row.seq, row]))
  const steps: { seq: number; facts: Fact[]; input: StoredInput | null }[] = []
  let open = 0
  for await (const { seq, fact } of factsAfter(db, userId, first - 1)) {
    if (kstDay(fact.at) > day) break
    const decision = decisions.get(seq)
    if (open > 0) {
      steps.at(-1)?.facts.push(fact)
      open -= 1
      continue
    }
    steps.push({ seq, facts: [fact], input: decision === undefined ? null : storedOf(decision) })
    open = (decision?.facts ?? 1) - 1
  }
  return steps
}

const storedOf = ({ input }: DecisionRow): StoredInput => JSON.parse(input)
