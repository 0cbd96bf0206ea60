import { type TestDatabase, testDatabase } from './database.ts'

let shared: Promise<TestDatabase> | undefined

/** The one database of a test file: opening another for each test costs a second. */
export const sharedDatabase = (): Promise<TestDatabase> => (shared ??= testDatabase())

/** Modules may outlive a file, its database does not. */
export async function endShared(): Promise<void> {
  const ended = shared
  shared = undefined
  await (await ended)?.[Symbol.asyncDispose]()
}
