import type { TestProject } from 'vitest/node'
import { makeTemplate } from './database.ts'
import { memoryFolder, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string
  }
}

/** Starts a PostgreSQL server for every test of the run that opens a database, and ends it afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres(undefined, memoryFolder())
  await makeTemplate(server.url)
  project.provide('postgres', server.url)
  return () => server[Symbol.asyncDispose]()
}
