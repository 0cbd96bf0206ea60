import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { FACTS_VERSION, openDatabase, readRestored, sumTables } from '@digger/database'
import { readServerStop } from '@digger/storage'
import { expect } from 'vitest'
import { gunzipSync } from 'node:zlib'
import { drillBackup, readBackup, restoreBackup, takeBackup, withSource } from '../src/index.ts'
import { NOT_KEPT } from '../src/take.ts'
import { type Kind, NOW, type Places, type Trading } from './fixture.ts'

/** Rows that belong to the life of one server. */
async function liven({ database: { db } }: Trading, userId: string): Promise<void> {
  const session = { token_hash: Buffer.from('living session'), user_id: userId }
  await db
    .insertInto('session')
    .values({ ...session, created_at: NOW, seen_at: NOW, expires_at: NOW + 9e9 })
    .execute()
  const secret = { user_id: userId, name: 'script', scope: 'read', token_hash: Buffer.from('living secret') } as const
  const used = { used_at: null, used_from: null }
  await db
    .insertInto('api_token')
    .values({ ...secret, ...used, created_at: NOW, expires_at: NOW + 9e9 })
    .execute()
  const token = { user_id: userId, env: 'sim', sealed: Buffer.from('living token'), expires_at: NOW + 9e9 }
  await db.insertInto('broker_token').values(token).execute()
  await db.insertInto('login_budget').values({ subject: 'living budget', full_at: NOW }).execute()
}

/** A backup of a database of one kind, put back in an empty one of another: halted and asking. */
export async function comesBack(places: Places, from: Kind, to: Kind): Promise<void> {
  const trading = await places.trading(from)
  const [first, second] = [await trading.addUser('first'), await trading.addUser('second')]
  await liven(trading, first)
  await trading.happen(second, { kind: 'otherServerSuspected', at: NOW, signs: ['key'], text: 'before' })
  const sums = await sumTables(trading.database.pool, { without: NOT_KEPT })
  if (from === 'embedded') await trading.close()
  const into = places.folder()
  const { folder, name, manifest } = await withSource(trading.place, (source) => takeBackup(source, into))
  if (from === 'postgres') await trading.close()

  expect(manifest).toMatchObject({ digger: 'backup', kind: from, tables: sums })
  expect([into, folder, join(folder, 'rows.gz'), join(folder, 'manifest.json')].map(modeOf)).toEqual(
    [0o700, 0o700, 0o600, 0o600], //
  )
  expect(readdirSync(into)).toEqual([name])
  const bytes = gunzipSync(readFileSync(join(folder, 'rows.gz'))).toString('latin1')
  for (const living of ['living session', 'living secret', 'living token', 'living budget'])
    expect(bytes).not.toContain(Buffer.from(living).toString('hex'))

  const there = await places.empty(to)
  const restored = await restoreBackup(folder, there, () => NOW + 60_000)
  expect(restored).toMatchObject({ accounts: 2, differences: [], facts: 11 })

  const beside = await openDatabase({ ...there, exclusive: false })
  const owners = await beside.db.selectFrom('shard').select(['epoch', 'worker', 'facts']).distinct().execute()
  expect(owners).toEqual([{ epoch: 0, worker: null, facts: FACTS_VERSION }])
  expect(await beside.db.selectFrom('engine_holder').selectAll().execute()).toEqual([])
  await beside.close()
  const database = await openDatabase({ ...there, trades: { shared: false, report: () => undefined } })
  const { db, pool } = database
  expect(await readServerStop(db)).toMatchObject({
    stop: 'halt',
    why: expect.stringMatching(/^백업에서 되살린 사본/),
  })
  const { takenAt } = manifest
  expect(await readRestored(db)).toEqual({ backup: name, takenAt, restoredAt: NOW + 60_000, isWhole: true })
  const accounts = await db.selectFrom('account').select('other_server').execute()
  expect(accounts.map(({ other_server: { suspected } }) => suspected)).toEqual(
    Array.from({ length: 2 }, () => expect.objectContaining({ signs: [`restored ${NOW + 60_000}`] })),
  )
  for (const table of ['session', 'api_token', 'broker_token', 'login_budget'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  // What no restore has to change is as it was.
  const changed = new Set(['account', 'audit', 'journal', 'server_setting'])
  const unchanged = (await sumTables(pool, { without: NOT_KEPT })).filter((table) => !changed.has(table.name))
  expect(unchanged).toEqual(sums.filter((table) => !changed.has(table.name)))
  expect(await db.selectFrom('audit').select('action').execute()).toEqual([
    { action: '백업에서 되살림' },
    { action: '백업에서 되살림' },
  ])
  await database.close()
  await expect(restoreBackup(folder, there)).rejects.toThrow(/^비어 있지 않은 데이터베이스/)
}

/** The drill of a backup of this kind leaves nothing behind. */
export async function standsTheDrill(places: Places, kind: Kind): Promise<void> {
  const trading = await places.trading(kind)
  await trading.addUser('first')
  if (kind === 'embedded') await trading.close()
  const backup = await withSource(trading.place, (source) => takeBackup(source, places.folder()))
  if (kind === 'postgres') await trading.close()
  const temporary = places.folder()
  await expect(drillBackup(backup, temporary)).rejects.toThrow(/ENOENT/)
  const here = places.folder()
  mkdirSync(here)
  // Of a drill that was killed; of one that may be under way; and what is nobody's drill.
  const longAgo = Date.now() / 1_000 - 90_000
  for (const name of ['digger-drill-aB3dE6', 'digger-drill-zB3dE6', 'digger-drill-notes'])
    mkdirSync(join(here, name, 'database'), { recursive: true })
  for (const name of ['digger-drill-aB3dE6', 'digger-drill-notes']) utimesSync(join(here, name), longAgo, longAgo)
  expect(await drillBackup(backup, here)).toMatchObject({ accounts: 1, facts: 4, differences: [], rows: 9 })
  expect(readdirSync(here).toSorted()).toEqual(['digger-drill-notes', 'digger-drill-zB3dE6'])
  expect((await readBackup(backup.folder)).manifest).toEqual(backup.manifest)
}

const modeOf = (path: string): number => statSync(path).mode & 0o777
