import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readMasterKey } from '@digger/identity'
import { readVariables, variablesOf } from '../src/setup/env-file.ts'
import { nextStep, setUp, type SetupParts } from '../src/setup/setup.ts'
import { operate } from './operator.ts'

let home = ''
let printed: string[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'digger-setup-'))
  printed = []
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const file = () => join(home, 'etc.env')
const parts = (more: Partial<SetupParts>): SetupParts => ({
  file: file(),
  home: join(home, 'state'),
  answers: null,
  replace: false,
  ask: async (text) => Promise.reject(new Error(`nobody is to be asked: ${text}`)),
  print: (line) => void printed.push(line),
  ...more,
})
/** A person who types these, one after another; returns what was asked. */
function typing(...lines: string[]) {
  const asked: string[] = []
  const ask = async (text: string): Promise<string> => {
    asked.push(text)
    const line = lines.shift()
    if (line === undefined) throw new Error(`nothing more to type at: ${text}`)
    return line
  }
  return { asked, ask }
}
const unattended = (answers: Record<string, string>, more: Partial<SetupParts> = {}): Promise<void> =>
  setUp(parts({ answers, ...more }))
const TYPED_TILL_DATABASE = ['live', 'real', 'http://digger.example.com', 'https://digger.example.com', '']
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe('asked by a person', () => {
  test('Enter nine times gives the pretend exchange, with a master key and folders that only their owner reads', async () => {
    const { ask, asked } = typing('', '', '', '', '', '', '', '')
    await setUp(parts({ ask }))
    expect(asked).toHaveLength(8)
    expect(readVariables(file())).toEqual({
      KIS_ENV: 'sim',
      DATA_DIR: join(home, 'state/data'),
      MASTER_KEY_FILE: join(home, 'master.key'),
    })
    expect([mode(file()), mode(join(home, 'master.key')), mode(join(home, 'state/data'))]).toEqual([
      '600',
      '600',
      '700',
    ])
    expect(readMasterKey(join(home, 'master.key'))?.mark).toMatch(/^[0-9a-f]{16}$/)
    expect(printed.at(-1)).toMatch(/다음: /)
  })

  test('what cannot be is asked again, with the sentence of the start', async () => {
    const database = 'postgres://digger:geheim@127.0.0.1/digger'
    const { ask } = typing(
      ...TYPED_TILL_DATABASE,
      database,
      'data',
      '',
      join(home, 'state/data/key'),
      '',
      join(home, 'state/data/copies'),
      join(home, 'copies'),
      'nobody',
      '',
      '42',
      '',
    )
    await setUp(parts({ ask }))
    const refused = printed.filter((line) => !line.startsWith('  ') && !/^(마스터 키|\/)/.test(line))
    expect(refused).toEqual([
      expect.stringMatching(/^KIS_ENV=live .*sim \| paper \| real/),
      expect.stringMatching(/^PUBLIC_URL=http:.*https/),
      expect.stringMatching(/DATABASE_URL이 필요합니다/),
      expect.stringMatching(/^DATA_DIR=data: \/로 시작하는/),
      expect.stringMatching(/^MASTER_KEY_FILE=.*DATA_DIR.*다른 곳/),
      expect.stringMatching(/^BACKUP_DIR=.*DATA_DIR.*다른 곳/),
      expect.stringMatching(/^MAIL_FROM=nobody/),
      expect.stringMatching(/^TELEGRAM_TOKEN=\(숨김\)/),
    ])
    expect(readVariables(file())).toMatchObject({ KIS_ENV: 'real', DATABASE_URL: database })
    expect(printed.join('\n')).not.toContain('geheim')
  })

  test('a second time shows what is there, keeps secrets, and changes nothing where Enter is all', async () => {
    await unattended({
      KIS_ENV: 'paper',
      MAIL_FROM: 'digger@example.com',
      SMTP_URL: 'smtps://a:geheim@mail.example.com',
    })
    const [text, key] = [readFileSync(file(), 'utf8'), readFileSync(join(home, 'master.key'), 'utf8')]
    const { ask, asked } = typing(...Array.from({ length: 9 }, () => ''))
    await setUp(parts({ ask }))
    expect(asked.join('\n')).toMatch(/\[paper\][^]*\[\(숨김\)\]/)
    expect([readFileSync(file(), 'utf8'), readFileSync(join(home, 'master.key'), 'utf8')]).toEqual([text, key])
    expect([...asked, ...printed].join('\n')).not.toContain('geheim')
  })

  test.each(['n', ''])('a change that is not agreed to ("%s") is not written', async (word) => {
    await unattended({ KIS_ENV: 'paper' })
    const before = readFileSync(file(), 'utf8')
    const { ask } = typing('sim', '', '', '', '', '', '', '', word)
    await expect(setUp(parts({ ask }))).rejects.toThrow('아무것도 바꾸지 않았습니다')
    expect(readFileSync(file(), 'utf8')).toBe(before)
  })

  test('a dash takes a value away', async () => {
    await unattended({ BACKUP_DIR: join(home, 'copies') })
    const { ask } = typing('', '', '', '', '', '-', '', '', 'y')
    await setUp(parts({ ask }))
    expect(readVariables(file())).not.toHaveProperty('BACKUP_DIR')
  })
})

describe('by a file of answers', () => {
  test('variables that nobody is asked for are taken and checked, too', async () => {
    await unattended({ KIS_ENV: 'paper', KIS_REST_URL: 'http://127.0.0.1:18443', KIS_WS_URL: 'ws://127.0.0.1:18443' })
    expect(readVariables(file())).toMatchObject({ KIS_WS_URL: 'ws://127.0.0.1:18443', KIS_ENV: 'paper' })
  })

  test('what was added by hand stays', async () => {
    writeFileSync(file(), '# mine\nLOG_LEVEL=warn\n\n', { mode: 0o600 })
    await unattended({ KIS_ENV: 'paper' }, { replace: true })
    expect(readVariables(file())).toMatchObject({ LOG_LEVEL: 'warn', KIS_ENV: 'paper' })
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ['a name that is none', { KIS_ENVIRONMENT: 'real' }, /KIS_ENVIRONMENT이라는 변수는 없습니다/],
    ['real money without PostgreSQL', { KIS_ENV: 'real' }, /DATABASE_URL이 필요합니다/],
    ['a broker in the clear', { KIS_ENV: 'paper', KIS_REST_URL: 'http://kis.example.com' }, /KIS_REST_URL=/],
    ['passwords in the clear', { KIS_ENV: 'paper', HOST: '0.0.0.0' }, /HOST=0\.0\.0\.0/],
    ['a mail server and nobody who writes', { SMTP_URL: 'smtps://a:geheim@b.example.com' }, /^(?!.*geheim).*MAIL_FROM/],
    ['somebody who writes and no server', { MAIL_FROM: 'a@b.example.com' }, /SMTP_URL도/],
    ['a value that others would read otherwise', { DATABASE_URL: 'postgres://a:b#c@h/d' }, /%23/],
    ['two words', { TELEGRAM_TOKEN: 'a b' }, /TELEGRAM_TOKEN에는 공백/],
    ['a port that is none', { PORT: '99999' }, /^PORT=99999/],
  ])('%s is refused in a sentence, and nothing is made', async (_name, answers, message) => {
    await expect(unattended(answers)).rejects.toThrow(message)
    expect(readdirSync(home)).toEqual([])
  })

  test('a file of other values is written over only with --replace, the same values always', async () => {
    await unattended({ KIS_ENV: 'paper' })
    await unattended({ KIS_ENV: 'paper' })
    await expect(unattended({ KIS_ENV: 'sim' })).rejects.toThrow(/--replace/)
    expect(readVariables(file())['KIS_ENV']).toBe('paper')
    await unattended({ KIS_ENV: 'sim' }, { replace: true })
    expect(readVariables(file())['KIS_ENV']).toBe('sim')
  })

  test('a master key that is there is kept; one that others can read is refused', async () => {
    await unattended({})
    const key = readFileSync(join(home, 'master.key'), 'utf8')
    rmSync(file())
    await unattended({})
    expect(readFileSync(join(home, 'master.key'), 'utf8')).toBe(key)
    writeFileSync(join(home, 'open.key'), key, { mode: 0o644 })
    await expect(unattended({ MASTER_KEY_FILE: join(home, 'open.key') }, { replace: true })).rejects.toThrow(
      /chmod 600/,
    )
  })
})

test.each([
  ['export KIS_ENV=sim', 1],
  ['\nKIS_ENV = sim', 2],
  ['PORT="80"', 1],
])('a line that systemd, Compose and Node would not read alike is named: %j', (text, line) => {
  expect(() => variablesOf(text, 'x.env')).toThrow(`x.env의 ${line}번째 줄`)
})

test.each([
  [false, '다음: systemctl enable --now digger'],
  [true, '다음: systemctl enable digger && systemctl restart digger'],
])('the installed service reads its file at the next start; again: %s', (again, next) => {
  expect(nextStep('/etc/digger/digger.env', again, true)).toBe(next)
})

describe('as a command', () => {
  test('it needs no database, and its file starts nothing that the variables around it say', async () => {
    writeFileSync(join(home, 'answers'), 'KIS_ENV=paper\n')
    const words = ['setup', '--file', file(), '--home', join(home, 'state'), '--answers', join(home, 'answers')]
    const { code, output } = await operate({ KIS_ENV: 'nonsense' }, ...words)
    expect(output).toMatch(/KIS_ENV=paper[^]*다음: /)
    expect(code).toBe(0)
  })

  test('input that ends writes nothing', async () => {
    const { code, output } = await operate({}, 'setup', '--file', file(), '--home', join(home, 'state'))
    expect([code, output.includes('아무것도 쓰지 않았습니다'), existsSync(file())]).toEqual([1, true, false])
  })
})
