import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { dumpTo } from '../src/copy/dump.ts'
import { type DatabasePlace, openDatabase } from '../src/open.ts'
import { testDatabase } from './database.ts'
import { newFolder } from './new-folder.ts'

/** Of a file that is not there yet. */
export const newPath = (): string => join(newFolder(), 'dump.gz')

export const USER = 'abcdefghijklmnop'
/** Beyond what a JavaScript number keeps, letters of JSON and SQL, bytes, nulls, and names that are words of SQL. */
const FACT = '{"why": "\\"하나\\\\둘\\"\\n", "won": 9007199254740993, "none": null}'

/** A database with a row of every kind of column, and what a dump of it says. */
export async function dumped(open = testDatabase): Promise<{ path: string; text: string }> {
  await using database = await open()
  const { pool } = database
  await pool.query(`insert into users values ($1, 'a@b.c', 'hash', true, '****', '\\x00ff', 5, 1763000000000, null)`, [
    USER,
  ])
  await pool.query(`insert into audit (at, user_id, by_email, action, detail) values (1, $1, 'a', 'b', E'c\\td')`, [
    USER,
  ])
  await pool.query(`insert into account values ($1, '20261120', 'active', 2, 1, 1)`, [USER])
  await pool.query(`insert into journal select $1, seq, 1, $2 from generate_series(1, 1200) seq`, [USER, FACT])
  await pool.query(
    `insert into account_order values ($1, 1, '005930', 'buy', 'auto', 'limit', 1, 1, 'KRX', 'regular', 'open', true,
     '20261120', null, null, 0, 0, 0, 1, 1, 'why', null, null, false)`,
    [USER],
  )
  await pool.query(`insert into order_lot values ($1, 1, 0, 1, 1, true)`, [USER])
  const path = newPath()
  expect(await dumpTo(pool, path)).toBe(1205)
  return { path, text: textOf(path) }
}

export const textOf = (path: string): string => gunzipSync(readFileSync(path)).toString()
/** Without the header, which names the PostgreSQL it came from. */
export const rowsOf = (text: string): string => text.slice(text.indexOf('\n'))

export async function dumpOf(place: DatabasePlace): Promise<string> {
  const database = await openDatabase(place)
  const path = newPath()
  await dumpTo(database.pool, path)
  await database.close()
  return textOf(path)
}

export function fileWith(text: string): string {
  const path = newPath()
  writeFileSync(path, gzipSync(text))
  return path
}
