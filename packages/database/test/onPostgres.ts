import type { TestProject } from 'vitest/node'
import { findPostgres } from './find-postgres.mjs'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string
  }
}

/** Before the run: a PostgreSQL server of its own, for every test that opens a database. After it: gone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bin = findPostgres()
  if (bin === null) throw new Error('no PostgreSQL on this machine')
  const server = await startPostgres(bin)
  project.provide('postgres', server.url)
  return () => server[Symbol.asyncDispose]()
}
