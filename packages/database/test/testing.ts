export { TestClock } from './clock.ts'
export { seedFolder, testDatabase, type TestDatabase, testPlace, type TestPlace } from './database.ts'
export { findPostgres } from './find-postgres.mjs'
export { type PostgresServer, startPostgres } from './postgres.ts'
