import { ask } from '@digger/database/testing'
import { expect, test } from 'vitest'
import { holdAgainst } from '../src/drill.ts'
import { takeBackup } from '../src/index.ts'
import { NOW, temporaryFolder, Trading } from './fixture.ts'

const at = temporaryFolder()
const server = process.env['DIGGER_TEST_POSTGRES'] ?? ''
/** As most packages of PostgreSQL make their databases: a language's order of words, in which "a" comes before "B". */
const BY_LANGUAGE = "locale_provider icu icu_locale 'ko-KR' locale 'C'"
/** As the drill's own. */
const BY_BYTES = "locale 'C'"

async function made(name: string, order: string): Promise<string> {
  await ask(server, `create database ${name} template template0 encoding 'UTF8' ${order}`)
  return server.replace(/[^/]*$/, name)
}

test.runIf(server !== '')('a database that sorts by language stands a drill that sorts by bytes', async (context) => {
  const [found] = await ask<{ version: number }>(server, `select current_setting('server_version_num')::int as version`)
  if ((found?.version ?? 0) < 150_000) return context.skip('PostgreSQL before 15 makes no such database')
  try {
    const trading = await Trading.open({ databaseUrl: await made('words', BY_LANGUAGE), dataDir: at('none') })
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
    const there = { databaseUrl: await made('bytes', BY_BYTES), dataDir: at('none') }
    expect((await holdAgainst(backup, there)).differences).toEqual([])
  } finally {
    for (const name of ['words', 'bytes']) await ask(server, `drop database if exists ${name} with (force)`)
  }
})
