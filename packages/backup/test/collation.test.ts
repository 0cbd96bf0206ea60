import { ask, findPostgres, startPostgres } from '@digger/database/testing'
import { expect, test } from 'vitest'
import { drillBackup, takeBackup } from '../src/index.ts'
import { NOW, temporaryFolder, Trading } from './fixture.ts'

const at = temporaryFolder()
const bin = findPostgres()

/** As most packages of PostgreSQL make their databases: a language's order of words, in which "a" comes before "B". Null: an old one. */
async function sortedByLanguage(url: string): Promise<string | null> {
  const [found] = await ask<{ version: number }>(url, `select current_setting('server_version_num')::int as version`)
  if ((found?.version ?? 0) < 150_000) return null
  await ask(
    url,
    `create database words template template0 encoding 'UTF8' locale_provider icu icu_locale 'ko-KR' locale 'C'`,
  )
  return url.replace(/postgres$/, 'words')
}

test.skipIf(bin === null)(
  'a database that sorts by language stands the drill, whose own sorts by bytes',
  async (context) => {
    await using server = await startPostgres(bin ?? '')
    const databaseUrl = await sortedByLanguage(server.url)
    if (databaseUrl === null) return context.skip()
    const trading = await Trading.open({ databaseUrl, dataDir: at('none') })
    const user = await trading.addUser('first')
    // As programs of people's own may send them; a browser's are lower case.
    const keys = ['Rebalance-of-Monday', 'morning.rebalance', 'morning-Rebalance', 'morning_rebalance']
    const row = { user_id: user, call: 'x', at: NOW, answer: null }
    await trading.database.db
      .insertInto('command_key')
      .values(keys.map((key) => ({ ...row, key })))
      .execute()
    const { pool } = trading.database
    const backup = await takeBackup({ pool, kind: 'postgres', takenAt: NOW }, at('kept'))
    await trading.close()
    expect((await drillBackup(backup)).differences).toEqual([])
  },
  60_000,
)
