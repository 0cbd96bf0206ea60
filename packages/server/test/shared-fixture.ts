import { emptiedDatabase } from '@digger/database/testing'
import { ServerFixture, type ServerFixtureOptions } from './server-fixture.ts'

/** A fixture on this test file's one database, emptied. */
export const startFixture = async (options: ServerFixtureOptions = {}): Promise<ServerFixture> =>
  new ServerFixture(await emptiedDatabase(), options)
