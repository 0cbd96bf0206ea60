import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runJudge } from './run.ts'

const logs = mkdtempSync(join(tmpdir(), 'digger-prove-'))
afterAll(() => rmSync(logs, { recursive: true }))
const ends = (command: string, minutes = 1) =>
  runJudge({ name: 'one', program: command, options: '' }, 7, minutes, logs)

test('a judge passes, fails, or says that it could not look; its last line is told, with its seed', async () => {
  expect(await ends('echo looked at {seed}')).toMatchObject({
    end: 'passed',
    last: ['looked at 7'],
    command: 'echo looked at 7',
  })
  expect(await ends('echo lost >&2; exit 1')).toMatchObject({ end: 'failed', last: ['lost'] })
  expect(await ends('echo NOT RUN: no NATS; exit 77')).toMatchObject({ end: 'not run', last: ['NOT RUN: no NATS'] })
  expect(await ends('no-such-program')).toMatchObject({ end: 'failed' })
  expect(readFileSync(join(logs, 'one.log'), 'utf8')).toContain('no-such-program')
})

test('one that hangs is ended with all that it started, and has failed, whatever it would have said', async () => {
  const late = join(logs, 'late')
  const { end, last } = await ends(`trap "exit 0" TERM; (sleep 0.6; echo late > ${late}) & sleep 60`, 0.002)
  expect([end, last.at(-1)]).toEqual(['failed', expect.stringMatching(/never came to its end/)])
  await new Promise((resolve) => setTimeout(resolve, 800))
  expect(existsSync(late)).toBe(false)
})
