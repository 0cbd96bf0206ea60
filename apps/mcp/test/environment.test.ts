import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { readPlace } from '../src/environment.ts'
import { ARGS } from './asked.ts'

const DIGGER_TOKEN = `digger_read_${'A'.repeat(43)}`
const folder = mkdtempSync(join(tmpdir(), 'digger-mcp-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(text: string, mode = 0o600): string {
  const file = join(folder, `token-${Math.abs(mode)}-${text.length}`)
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

describe('the address', () => {
  test.each([
    ['https://digger.example.com', 'https://digger.example.com'],
    ['https://digger.example.com:8443/', 'https://digger.example.com:8443'],
    ['http://127.0.0.1:8081', 'http://127.0.0.1:8081'],
    ['http://localhost:8081', 'http://localhost:8081'],
    ['http://[::1]:8081', 'http://[::1]:8081'],
  ])('%s', (DIGGER_URL, url) => expect(readPlace({ DIGGER_URL, DIGGER_TOKEN })).toEqual({ url, token: DIGGER_TOKEN }))
  test.each([
    undefined,
    '',
    'digger.example.com',
    'http://digger.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'ftp://127.0.0.1',
    'https://user:pass@digger.example.com',
    'https://digger.example.com/other',
    'https://digger.example.com/?token=1',
  ])('%s is refused', (DIGGER_URL) => {
    expect(() => readPlace({ DIGGER_URL, DIGGER_TOKEN })).toThrow(/^DIGGER_URL: /)
  })
})

describe('the token', () => {
  const DIGGER_URL = 'http://127.0.0.1:8081'
  test('from a file, without the line end', () => {
    expect(readPlace({ DIGGER_URL, DIGGER_TOKEN_FILE: fileOf(`${DIGGER_TOKEN}\n`) }).token).toBe(DIGGER_TOKEN)
  })
  test.each<[string, Record<string, string>, RegExp]>([
    ['none', {}, /가운데 하나/],
    ['two', { DIGGER_TOKEN, DIGGER_TOKEN_FILE: '/nowhere' }, /가운데 하나/],
    ['a file that is not there', { DIGGER_TOKEN_FILE: join(folder, 'none') }, /읽지 못했습니다/],
    ['something else', { DIGGER_TOKEN: 'hunter2-secret' }, /API 토큰이 아닙니다/],
    ['half of one', { DIGGER_TOKEN: DIGGER_TOKEN.slice(0, -1) }, /끝까지 복사/],
    ['one that may stop', { DIGGER_TOKEN: DIGGER_TOKEN.replace('read', 'stop') }, /범위가 읽기/],
  ])('%s is refused', (_, token, sentence) => expect(() => readPlace({ DIGGER_URL, ...token })).toThrow(sentence))
  test.skipIf(process.platform === 'win32')('from a file that everybody may read is refused', () => {
    for (const mode of [0o644, 0o640, 0o620]) {
      const DIGGER_TOKEN_FILE = fileOf(DIGGER_TOKEN, mode)
      expect(() => readPlace({ DIGGER_URL, DIGGER_TOKEN_FILE })).toThrow(/chmod 600/)
    }
  })
  test('that is wrong ends the program with one sentence, which does not repeat it', async () => {
    const env = { DIGGER_URL, DIGGER_TOKEN: 'hunter2-secret' }
    const ended: unknown = await promisify(execFile)(process.execPath, ARGS, { env }).catch((error: unknown) => error)
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^API 토큰이 아닙니다.*\n$/) })
    expect(JSON.stringify(ended)).not.toContain('hunter2')
  })
})
