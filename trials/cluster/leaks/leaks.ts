import { createReadStream, rmSync } from 'node:fs'
import type { Cluster } from '../cluster.ts'
import { personOf } from '../person.ts'
import { readRecord, type Recorded } from './bus-record.ts'
import { searchDump } from './dump-search.ts'
import { knownSecrets } from './known-secrets.ts'
import { type Match, type Secret, SecretSearch } from './secret-search.ts'

export interface Searched {
  /** Messages of the bus, and rows of the database. */
  readonly messages: number
  readonly rows: number
  readonly problems: readonly string[]
}

/** What is sure to be there: a search that does not find it finds nothing. */
const SIGN = 'sign'

/**
 * Looks through all that went over the bus since its beginning, and through the whole database as it is, for every secret that the
 * trial knows. `cookies`: of people's browsers.
 */
export async function findLeaks(cluster: Cluster, cookies: Iterable<string>): Promise<Searched> {
  const isWhole = await cluster.endRecord()
  const secrets = await knownSecrets(cluster, cookies)
  const emails = Array.from({ length: cluster.size.accounts }, (_, n) => Buffer.from(personOf(n).email))
  const record = createReadStream(cluster.busRecord)
  // Nobody's name is on the bus in the clear, either; in the tables it stands as it is.
  const onBus = [...secrets, ...emails.map((bytes) => ({ kind: 'e-mail', bytes }))]
  const bus = await searchBus(readRecord(record), [...onBus, signOf(cluster.sign)])
  const database = await searchDatabase(cluster.primary.dump(), [...secrets, signOf(personOf(0).email)], emails.length)
  const problems = [...(isWhole ? [] : ['the recorder of the bus ended before']), ...bus.problems, ...database.problems]
  // Hours of messages are gigabytes.
  if (problems.length === 0) rmSync(cluster.busRecord)
  return { messages: bus.messages, rows: database.rows, problems }
}

const signOf = (text: string): Secret => ({ kind: SIGN, bytes: Buffer.from(text) })

export async function searchBus(
  record: AsyncIterable<Recorded>,
  secrets: readonly Secret[],
): Promise<Pick<Searched, 'messages' | 'problems'>> {
  const search = new SecretSearch(secrets)
  const leaks = new Leaks()
  let messages = 0
  for await (const { subject, data } of record) {
    messages += 1
    for (const match of search.find(subject)) leaks.add(match, 'in a subject of the bus')
    for (const match of search.find(data)) leaks.add(match, `in a message of the bus to ${kindOf(subject)}`)
  }
  // The recorder itself sends one whenever it has reached NATS.
  const others = messages - leaks.signs
  return { messages: others, problems: leaks.problems('bus', others > 0) }
}

export async function searchDatabase(
  dump: AsyncIterable<Buffer>,
  secrets: readonly Secret[],
  minRows: number,
): Promise<Pick<Searched, 'rows' | 'problems'>> {
  const { rows, found } = await searchDump(dump, new SecretSearch(secrets))
  const leaks = new Leaks()
  for (const { table, ...match } of found) leaks.add(match, `in the database, ${table}`)
  return { rows, problems: leaks.problems('database', rows >= minRows) }
}

/** What was found, by kind, encoding and place; the secrets themselves are nowhere in it. */
class Leaks {
  readonly #counts = new Map<string, number>()
  signs = 0

  add({ kind, encoding }: Match, where: string): void {
    if (kind === SIGN) return void (this.signs += 1)
    const what = `SECRET: ${kind}, ${encoding}, ${where}`
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
  }

  /** `hasEnough`: whether what was looked through is more than nothing. */
  problems(place: 'bus' | 'database', hasEnough: boolean): string[] {
    return [
      ...[...this.#counts].map(([what, count]) => `${what}: ${count} ×`),
      ...(this.signs === 0 ? [`not even what stands in the ${place} was found there: the search proves nothing`] : []),
      ...(hasEnough ? [] : [`next to nothing of the ${place} was there to be searched`]),
    ]
  }
}

/** The first word of a subject; the rest of it names somebody. */
const kindOf = (subject: Buffer): string => /^[a-z]{1,20}(?=\.)/i.exec(subject.toString())?.[0] ?? 'somebody'
