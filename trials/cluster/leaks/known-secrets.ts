import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WorkerSecret } from '@digger/cluster'
import { openBeside } from '@digger/database'
import { openByMaster, readMasterKey } from '@digger/identity'
import { demoCredentials } from '@digger/kis-sim'
import type { Cluster } from '../cluster.ts'
import { personOf, sessionsIn } from '../person.ts'
import { SECRET_FILES } from '../prepared.ts'
import type { Secret } from './secret-search.ts'

const TOKEN_COOKIE = /^(?:__Host-)?digger_(\w+)$/

/**
 * Everything secret that this trial knows of: what people and the operator entered, what the exchange handed out, what stands in
 * cookies, and users' data keys, which the master key opens. Key pairs of workers are in their memories alone. An account's number
 * is one of the credentials that go sealed (decision 042); the tables have it masked. The name that the broker knows the person by
 * (`htsId`) is not looked for: it is six letters long, and opens nothing.
 */
export async function knownSecrets(cluster: Cluster, cookies: Iterable<string>): Promise<Secret[]> {
  // One more has been refused.
  const accounts = Array.from({ length: cluster.size.accounts + 1 }, (_, n) => n)
  const { tokens, approvals } = await cluster.broker.keys()
  const texts: [string, readonly string[]][] = [
    ['app key', accounts.map((n) => demoCredentials(n).appKey)],
    ['app secret', accounts.map((n) => demoCredentials(n).appSecret)],
    ['account number', accounts.map((n) => demoCredentials(n).accountNumber)],
    ['password', accounts.map((n) => personOf(n).password)],
    ['access token', tokens],
    ['approval key', approvals],
  ]
  return [
    ...texts.flatMap(([kind, values]) => values.map((value) => ({ kind, bytes: Buffer.from(value) }))),
    ...[...cookies, ...firstCookies(cluster)].flatMap(tokensIn),
    ...secretsOfFiles(cluster.folder),
    ...(await dataKeys(cluster)),
  ]
}

const firstCookies = ({ folder }: Cluster): string[] => JSON.parse(readFileSync(sessionsIn(folder), 'utf8'))

/** The tokens among a browser's cookies. Hints for the page are none. */
export const tokensIn = (cookies: string): Secret[] =>
  cookies.split('; ').flatMap((cookie) => {
    const [name = '', value = ''] = cookie.split('=')
    const what = TOKEN_COOKIE.exec(name)?.[1]
    return what === undefined || value === '' ? [] : [{ kind: `${what} token`, bytes: Buffer.from(value) }]
  })

/** As the file has it, and what it stands for. */
function secretsOfFiles(folder: string): Secret[] {
  const files = Object.entries(SECRET_FILES).flatMap(([kind, name]) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return [
      { kind, bytes: Buffer.from(text) },
      { kind, bytes: Buffer.from(text, 'base64') },
    ]
  })
  const { memberKey } = WorkerSecret.read(join(folder, SECRET_FILES['worker secret']))
  return [...files, { kind: 'key that seals shares', bytes: memberKey }]
}

async function dataKeys({ folder, primary, size }: Cluster): Promise<Secret[]> {
  const master = readMasterKey(join(folder, SECRET_FILES['master key']))
  const { db, close } = await openBeside(primary.url, { writing: false })
  try {
    const rows = await db.selectFrom('vault').selectAll().execute()
    const keys = await Promise.all(rows.map((row) => openByMaster(master, row)))
    const secrets = keys.flatMap((key) => (key === null ? [] : [{ kind: 'data key', bytes: key.bytes }]))
    if (secrets.length < size.accounts)
      throw new Error(`${secrets.length} of ${size.accounts} data keys could be opened`)
    return secrets
  } finally {
    await close()
  }
}
