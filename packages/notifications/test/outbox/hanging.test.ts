import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sent } from '../../src/channels/channel.ts'
import { addChannel } from '../../src/outbox/addresses.ts'
import { notify } from '../../src/outbox/notify.ts'
import { KEY, NOW, TestAccount } from './fixture.ts'
import { LoopProcess } from './loop-fixture.ts'

const SOON = { timeout: 15_000, interval: 20 }
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

const put = ({ id: userId }: TestAccount, text: string) =>
  notify(database.db, [{ userId, subject: text, kind: 'test', at: NOW, text }])

test('a mail server that hangs holds e-mails back, and nothing else', async () => {
  const account = await TestAccount.add(database.db)
  for (let n = 0; n < 10; n += 1) {
    const address = { kind: 'email', to: `p${n}@digger.test` } as const
    await addChannel(database.db, KEY, account.id, { address, label: `mail ${n}`, amounts: true }, NOW)
  }
  await account.channel('a')
  const hung = Promise.withResolvers<Sent>()
  const one = new LoopProcess(database, account.shards)
  one.answer = ({ channel }) => (channel === 'email' ? hung.promise : { kind: 'sent' })
  one.run.start()
  await put(account, '하나')
  one.run.wake()
  await expect.poll(() => one.inFlight, SOON).toBe(8)
  await put(account, '둘')
  one.run.wake()
  await expect.poll(() => one.texts('a'), SOON).toEqual(['하나', '둘'])
  hung.resolve({ kind: 'sent' })
  await one.run.stop()
})
