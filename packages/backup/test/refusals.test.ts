import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseError, knownMigrations, openDatabase, writeRestored, lockFolder } from '@digger/database'
import type { Pool } from 'pg'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Backup, readBackup, restoreBackup, takeBackup, withSource } from '../src/index.ts'
import { holdAgainst } from '../src/drill.ts'
import { fileSum, type Manifest, manifestText } from '../src/manifest.ts'
import { KIND, Places, temporaryFolder, type Trading } from './fixture.ts'

const places = new Places()
const at = temporaryFolder()
let trading: Trading
let user: string
let backup: Backup
let count = 0

beforeAll(async () => {
  trading = await places.trading(KIND)
  user = await trading.addUser('first')
  return () => trading.close()
})

/** A backup of its own for each test, from the database that is open here. */
const taken = (): Promise<Backup> =>
  takeBackup({ pool: trading.database.pool, kind: KIND, takenAt: 1_795_000_000_000 + ++count }, at('kept'))

beforeEach(async () => {
  backup = await taken()
})

/** As somebody who may write there could change it, with its hash right. */
function rewrite(change: Partial<Manifest>): void {
  writeFileSync(join(backup.folder, 'manifest.json'), manifestText({ ...backup.manifest, ...change }))
}

async function rewriteRows(change: (text: string) => string): Promise<void> {
  const path = join(backup.folder, 'rows.gz')
  writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(path)).toString())))
  rewrite({ files: [{ name: 'rows.gz', ...(await fileSum(path)) }] })
}

describe('what is not put back, in one line, with nothing written', () => {
  test.each<[string, () => void, RegExp]>([
    ['a folder without a manifest', () => rmSync(join(backup.folder, 'manifest.json')), /manifest\.json이 없습니다/],
    ['a manifest that is cut', () => writeFileSync(join(backup.folder, 'manifest.json'), '{"digger":'), /깨졌습니다/],
    [
      'a manifest that was changed',
      () => {
        const path = join(backup.folder, 'manifest.json')
        writeFileSync(path, readFileSync(path, 'utf8').replace(/"takenAt": \d+/, '"takenAt": 1'))
      },
      /바뀌었거나 깨졌습니다/,
    ],
    ['rows with a byte too many', () => appendFileSync(join(backup.folder, 'rows.gz'), 'x'), /rows\.gz이 없거나/],
    ['rows that are gone', () => rmSync(join(backup.folder, 'rows.gz')), /rows\.gz이 없거나/],
    [
      'the tables of a newer Digger',
      () => rewrite({ version: '9.9.9', migrations: [...knownMigrations(), '9999-newer'] }),
      /더 새 Digger\(9\.9\.9\)의 백업이라\(9999-newer\)/,
    ],
    ['the facts of a newer Digger', () => rewrite({ facts: 99 }), /더 새 Digger.*기록 99판/],
    ['a form of a newer Digger', () => rewrite({ form: 2 }), /더 새 Digger.*형식 2/],
  ])('%s', async (_, harm, why) => {
    harm()
    const place = { dataDir: at(`untouched-${++count}`), databaseUrl: undefined }
    const error: unknown = await restoreBackup(backup.folder, place).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(String(error)).toMatch(why)
    expect(String(error).split('\n')).toHaveLength(1)
    expect(existsSync(place.dataDir)).toBe(false)
  })

  test('an empty folder that a server has open', async () => {
    const dataDir = places.folder()
    onTestFinished(await lockFolder(dataDir, 0))
    await expect(restoreBackup(backup.folder, { dataDir })).rejects.toThrow(/다른 Digger가 쓰고 있습니다/)
  })
})

/** What the drill does, in a database of this run's. */
const drilled = async () => holdAgainst(await readBackup(backup.folder), await places.empty(KIND))

describe('a drill finds', () => {
  test('a row that is another', async () => {
    await rewriteRows((text) => text.replace('"buy_price":69300', '"buy_price":69301'))
    const { differences } = await drilled()
    expect(differences).toEqual([
      expect.stringMatching(/^표 trade: 2줄의 내용이/),
      expect.stringMatching(/^first@digger\.test: lot: journal .*69300/),
    ])
  })

  test('a row that is missing, and an account that is not what its journal says', async () => {
    await rewriteRows((text) => text.replace(/\n\{[^\n]*"buy_price":69300[^\n]*/, '').replace(/\n\[(\d+)\]\n$/, endOf))
    const { differences } = await drilled()
    expect(differences).toEqual([
      '표 trade: 백업에는 2줄, 되살린 것에는 1줄입니다.',
      expect.stringMatching(/^first@digger\.test: lot: .*but table nothing/),
    ])
  })

  test('a journal with a hole', async () => {
    await rewriteRows((text) => text.replace(/\n\{[^\n]*"seq":2,[^\n]*/, '').replace(/\n\[(\d+)\]\n$/, endOf))
    const { differences } = await drilled()
    expect(differences).toContainEqual(expect.stringMatching(/journal row 2 is missing/))
  })
})

const endOf = (_: string, rows: string): string => `\n[${Number(rows) - 1}]\n`

/** The pool of a database whose line is cut while rows are read. */
function cutPool(): Pool {
  const { pool } = trading.database
  const connect = async () => {
    const client = await pool.connect()
    return new Proxy(client, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name)
        return (text: string, values?: unknown[]) =>
          text.startsWith('fetch') ? Promise.reject(new Error('the line is cut')) : target.query(text, values)
      },
    })
  }
  return new Proxy(pool, { get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name)) })
}

describe('whatever ends the making of a backup', () => {
  test('leaves nothing that looks like one', async () => {
    const into = at(`cut-${++count}`)
    await expect(takeBackup({ pool: cutPool(), kind: KIND, takenAt: 1 }, into)).rejects.toThrow(
      /옮겨 적지 못했습니다.*line is cut/,
    )
    expect(readdirSync(into)).toEqual([])
    // The session is clean for whoever trades.
    await trading.buy(user)
  })

  test('a place that cannot be written is told in one line', async () => {
    writeFileSync(at('a file'), '')
    const source = { pool: trading.database.pool, kind: KIND, takenAt: 1 } as const
    await expect(takeBackup(source, join(at('a file'), 'in it'))).rejects.toThrow(/^.*백업하지 못했습니다: ENOTDIR.*$/)
    await expect(withSource({ dataDir: at('nothing'), databaseUrl: undefined }, taken)).rejects.toThrow(
      /데이터베이스가 없습니다/,
    )
  })
})

test('a restore that was cut off is not traded on; a tool may look at it', async () => {
  const place = await places.empty(KIND)
  await restoreBackup(backup.folder, place)
  const opened = await openDatabase(place)
  await writeRestored(opened.pool, { backup: backup.name, takenAt: 1, restoredAt: 2, isWhole: false })
  await opened.close()
  const trades = { shared: false, report: () => undefined }
  const refusal = await openDatabase({ ...place, trades }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DatabaseError)
  expect(String(refusal)).toMatch(new RegExp(`백업\\(${backup.name}\\)을 되살리다 중간에 끊긴`))
  await (await openDatabase(place)).close()
})
