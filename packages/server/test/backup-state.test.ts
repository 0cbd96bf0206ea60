import { afterEach, expect, test } from 'vitest'
import type { BackupState } from '../src/services.ts'
import type { ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

let fixture: ServerFixture

afterEach(() => fixture[Symbol.asyncDispose]())

const metricsOf = async (): Promise<string[]> => {
  const { body } = await fixture.call('GET', '/metrics')
  return body.split('\n').filter((line) => line.startsWith('digger_backup'))
}

async function start(state: BackupState | null): Promise<void> {
  fixture = await startFixture({ parts: { backup: () => state } })
}

test('a daily backup that failed is told and counted, and makes the server no worse', async () => {
  await start({ failure: '디스크에 자리가 없습니다.', newestAt: null })
  const health = await fixture.call('GET', '/health')
  expect([health.statusCode, health.json<{ ok: boolean }>().ok]).toEqual([200, true])
  expect(health.json<{ troubles: unknown[] }>().troubles).toEqual([
    { code: 'backup', accounts: null, text: '매일 하는 백업이 되지 않았습니다: 디스크에 자리가 없습니다.' },
  ])
  expect(await metricsOf()).toEqual(['digger_backup_failed 1', 'digger_backup_age_seconds Nan'])
})

test('one that went well is as old as it is', async () => {
  const state = { failure: null, newestAt: 0 }
  await start(state)
  state.newestAt = fixture.clock.now() - 90_000
  expect((await fixture.call('GET', '/health')).json<{ troubles: unknown[] }>().troubles).toEqual([])
  expect(await metricsOf()).toEqual(['digger_backup_failed 0', 'digger_backup_age_seconds 90'])
})

test('a process that takes none says so of nothing', async () => {
  await start(null)
  expect((await fixture.call('GET', '/health')).json<{ troubles: unknown[] }>().troubles).toEqual([])
  expect(await metricsOf()).toEqual(['digger_backup_failed 0', 'digger_backup_age_seconds Nan'])
})
