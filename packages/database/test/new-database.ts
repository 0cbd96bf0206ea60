import { onTestFinished } from 'vitest'
import { testPlace } from './database.ts'

/** The address of a database on the PostgreSQL of this run, until the test is over. `empty`: without tables. */
export async function newDatabase({ empty = false } = {}): Promise<string> {
  const place = await testPlace({ empty })
  onTestFinished(() => place[Symbol.asyncDispose]())
  const { DATABASE_URL } = place.config
  if (DATABASE_URL === undefined) throw new Error('this test is about PostgreSQL, and the run has none')
  return DATABASE_URL
}
