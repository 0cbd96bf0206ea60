import { LostAnswer } from '@digger/contract'
import { ALL_SHARDS } from '@digger/database/testing'
import { fakeKis } from '@digger/engine/testing'
import { recentJobs } from '@digger/jobs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFixture } from './shared-fixture.ts'
import type { Person, ServerFixture } from './server-fixture.ts'

// A user's part of a job whose account goes, or whose answer is lost, while it is worked on.
const SOON = { timeout: 20_000 }

let fixture: ServerFixture
let owner: Person
let loaded: readonly number[]

beforeEach(async () => {
  loaded = ALL_SHARDS
  fixture = await startFixture({ parts: { loadedShards: () => loaded } })
  owner = await fixture.addPerson('owner')
  // The readings of the log-in are old by then.
  fixture.clock.advance(10_000)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const item = async () => {
  const columns = ['job_id', 'state', 'result', 'attempts'] as const
  return await fixture.database.db.selectFrom('job_item').select(columns).executeTakeFirstOrThrow()
}
/** The next answer is lost, as where the account goes to another process with the command under way. */
function loseAnswer(): void {
  const ask = fixture.accounts.ask.bind(fixture.accounts)
  fixture.accounts.ask = async () => {
    fixture.accounts.ask = ask
    throw new LostAnswer('저장되었는지 확인하지 못했습니다.')
  }
}

test('the day of an account that goes meanwhile is not closed here, and is by whoever has it next', async () => {
  const kis = fakeKis()
  fixture.accounts.kisOf = () => fakeKis({ balance: () => ((loaded = []), kis.balance()) })
  await fixture.services.jobs.closeDay('20261120')
  await expect.poll(async () => (await item()).attempts, SOON).toBe(1)
  await expect.poll(item, SOON).toMatchObject({ state: 'waiting', result: null })
  fixture.accounts.kisOf = () => kis
  loaded = ALL_SHARDS
  fixture.services.jobs.changed((await item()).job_id)
  await expect.poll(item, SOON).toMatchObject({ state: 'done', attempts: 2 })
  expect(await recentJobs(fixture.database.db, ['dayClose'], 9)).toMatchObject([{ counts: { done: 1, failed: 0 } }])
})

test('what was asked and whose answer was lost is asked again where that is safe', async () => {
  loseAnswer()
  await fixture.services.jobs.begin('check', owner)
  await expect.poll(item, SOON).toMatchObject({ state: 'done', attempts: 2, result: '장부와 증권사가 같습니다.' })
})

test('else its end says that nobody knows, in the words for it', async () => {
  loseAnswer()
  await fixture.services.jobs.begin('fix', owner)
  await expect.poll(item, SOON).toMatchObject({ state: 'failed', attempts: 1 })
  expect((await item()).result).toContain('되었는지 모릅니다')
})
