import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testPlace } from '@digger/database/testing'
import { expect, onTestFinished, test } from 'vitest'
import { operate } from './operator.ts'

const KEPT = join(import.meta.dirname, '../../../packages/server/test/kept-data/2026-11-22-d25d9ed.gz')

test('the operator writes everything into a file and puts it into an empty database, never into a full one', async () => {
  const home = mkdtempSync(join(tmpdir(), 'digger-copy-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  await using one = await testPlace({ empty: true })
  await using other = await testPlace({ empty: true })
  const [first, second] = [{ ...one.config }, { ...other.config }]
  const file = join(home, 'digger.gz')
  const loaded = await operate(first, 'load', KEPT)
  expect(loaded).toMatchObject({ code: 0, output: expect.stringMatching(/81건을 옮겨 넣었습니다.*PostgreSQL 18/) })
  expect(await operate(first, 'dump', file)).toMatchObject({ code: 0, output: expect.stringMatching(/8\d건을/) })
  expect(await operate(second, 'load', file)).toMatchObject({ code: 0 })
  const again = await operate(second, 'load', file)
  expect(again).toMatchObject({ code: 1, output: expect.stringMatching(/비어 있지 않은/) })
  expect((await operate(second, 'list')).output).toMatch(/owner@digger\.test/)
}, 60_000)
