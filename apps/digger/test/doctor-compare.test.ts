import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readArchive } from '../src/doctor/archive-folder.ts'
import { doctor } from '../src/doctor/doctor.ts'
import { archiveOf, CODE, type Made } from './made-archive.ts'

let folder: string
let archive: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compare-'))
  archive = join(folder, 'replies')
})
afterEach(() => rmSync(folder, { recursive: true }))

const makeArchive = (made: Made = {}): Promise<unknown> => archiveOf(archive, made)

/** As from a terminal, on a machine with neither keys nor a database. */
async function compare(...args: string[]) {
  const out: string[] = []
  const write = { out: (line: string) => void out.push(line), err: () => undefined }
  const code = await doctor(['--compare', archive, ...args], { DATA_DIR: folder }, write).catch(String)
  return { code, out: out.join('\n') }
}

describe('an archive is compared with a pretended KIS of its own', () => {
  test.each<Made>([{}, { clock: '083500' }, { clock: '231000' }, { day: '20261115' }, { env: 'paper' }])(
    'of a broker that answers as the pretended one: %j',
    async (made) => {
      await makeArchive(made)
      const { code, out } = await compare()
      expect(out).not.toContain('[다릅니다]')
      expect(out).toMatch(/응답 \d\d건과 값 [345]\d\d가지가 모의 증권사와 같은 꼴입니다/)
      expect(code).toBe(0)
    },
  )

  test('of a broker with other answers: each is named by the call and the field', async () => {
    await makeArchive({ options: { assumptions: { queryNumbers: 'spaces', noOriginal: 'empty' } } })
    const { code, out } = await compare()
    const [head, ...lines] = out.split('\n').slice(0, 5)
    expect(head).toBe('[다릅니다] 4건')
    expect(lines.toSorted().map((line) => line.trim())).toEqual([
      'inquire-daily-ccld output1.odno: 보관한 응답은 정수(앞을 빈칸으로 채워 10자), 모의 증권사는 0을 채운 10자리 숫자입니다.',
      'inquire-daily-ccld output1.orgn_odno: 보관한 응답은 빈 값, 모의 증권사는 0을 채운 10자리 숫자입니다.',
      'inquire-psbl-rvsecncl output.odno: 보관한 응답은 정수(앞을 빈칸으로 채워 10자), 모의 증권사는 0을 채운 10자리 숫자입니다.',
      'inquire-psbl-rvsecncl output.orgn_odno: 보관한 응답은 빈 값, 모의 증권사는 0을 채운 10자리 숫자입니다.',
    ])
    expect(code).toBe(1)
  })

  test.each(['0126Z0', '000040'])(
    'looking at %s, which is not listed there, or costs some hundred won',
    async (other) => {
      await makeArchive()
      for (const name of names()) change(name, (text) => text.replaceAll(CODE, other))
      const { code, out } = await compare()
      expect(out).not.toContain('[다릅니다]')
      expect(code).toBe(0)
    },
  )

  test.each([
    ['inquire-price', /"per": "[^"]*",/, '', 'output.per: 보관한 응답에 없습니다'],
    ['inquire-price', '"per":', '"per2": "1",\n"per":', 'output.per2: 보관한 응답에만 있습니다'],
    ['inquire-price', /"stck_prpr": "(\d+)"/, '"stck_prpr": $1', 'output.stck_prpr: 보관한 응답은 따옴표 없는 number'],
    ['inquire-price', /"stck_prpr": "(\d+)"/, '"stck_prpr": "$1.00"', 'output.stck_prpr: 보관한 응답은 소수 2자리 수'],
    ['inquire-price', /"stck_prpr": "(\d+)"/, '"stck_prpr": "00$1"', 'output.stck_prpr: 보관한 응답은 0을 채운 8자리'],
    ['inquire-price', /"stck_prpr": "(\d+)"/, '"stck_prpr": "  $1"', 'output.stck_prpr: 보관한 응답은 정수(앞을 빈칸'],
    ['inquire-price', /"stck_prpr": "(\d+)"/, '"stck_prpr": "+$1"', 'output.stck_prpr: 보관한 응답은 앞에 +가 붙은 수'],
    ['inquire-price', /"stck_prpr": "(\d+)"/, '"stck_prpr": ""', 'output.stck_prpr: 보관한 응답은 빈 값'],
    ['inquire-price', /"stck_prpr": "(\d+)"/, '"stck_prpr": "상한가"', 'output.stck_prpr: 보관한 응답은 글자'],
    ['inquire-price', /"msg1": "[^"]*"/, '"msg1": "정상"', 'msg1: 보관한 응답은 글자, 모의 증권사는 글자(뒤를'],
    ['inquire-price', /"rt_cd": "0"/, '"rt_cd": "1"', ': 보관한 응답은 거절인데[MCA00000] 모의 증권사는 답합니다'],
    ['inquire-daily-ccld', /"ord_tmd": "(\d{4})\d\d"/g, '"ord_tmd": "$1"', 'output1.ord_tmd: 보관한 응답은'],
    [
      'inquire-daily-ccld',
      /"ord_dt": "(\d{4})(\d\d)/,
      '"ord_dt": "$1/$2/',
      'output1.ord_dt: 보관한 응답은 YYYY/MM/DD 날짜',
    ],
    ['inquire-daily-ccld', '"rmn_qty"', '"rmn_qty2"', 'output1.rmn_qty: 보관한 응답의 일부 줄에 없습니다'],
    [
      'chk-holiday',
      /"output": \[/,
      '"output": {}, "output9": [',
      'output: 보관한 응답은 한 묶음, 모의 증권사는 목록입니다',
    ],
  ])('%s with %s for %j', async (call, from, to, line) => {
    await makeArchive()
    const name = names().find((one) => one.endsWith(`-${call}.json`) && textOf(one).replace(from, to) !== textOf(one))
    change(name ?? 'none', (text) => text.replace(from, to))
    const { code, out } = await compare()
    expect(out).toContain(`  ${call}${line.startsWith(':') ? '' : ' '}${line}`)
    expect(code).toBe(1)
  })

  test('for programs', async () => {
    await makeArchive()
    const { code, out } = await compare('--json')
    expect(JSON.parse(out)).toMatchObject({ differences: [], repliesAlike: expect.any(Number) })
    expect(code).toBe(0)
  })

  test('it says what could not be compared', async () => {
    await makeArchive()
    const { code, out } = await compare()
    expect(out).toContain('  rev-split output1: 보관한 응답에 줄이 없습니다.')
    expect(code).toBe(0)
    for (const name of names()) change(name, (text) => text.replace(/"msg_cd": "\w+"/, '"msg_cd": "EGW00201"'))
    expect(await compare()).toMatchObject({
      code: 2,
      out: expect.stringContaining('견줄 수 있는 응답이 하나도 없습니다'),
    })
  })
})

const names = (): string[] =>
  readdirSync(archive)
    .filter((name) => name !== 'archive.json')
    .sort()

const textOf = (name: string): string => readFileSync(join(archive, name), 'utf8')
const change = (name: string, by: (text: string) => string): void =>
  writeFileSync(join(archive, name), by(textOf(name)))

describe('a folder that is no archive is refused in words', () => {
  test.each<[string, () => unknown, string]>([
    ['not there', () => undefined, '남긴 폴더가 아니거나'],
    ['empty', () => mkdirSync(archive), '남긴 폴더가 아니거나'],
    ['of other files', () => write('001-inquire-price.json', '{}'), '남긴 폴더가 아니거나'],
    ['with an index that is cut off', () => write('archive.json', '{"env":"re'), '잘렸거나 JSON이 아닙니다'],
    ['with another index', () => write('archive.json', '{"replies":3}'), '잘렸거나 다른 파일입니다'],
    ['without replies', () => write('archive.json', '{"env":"real","replies":0}'), '응답이 하나도 없습니다'],
    ['with too few', () => write('archive.json', '{"env":"real","replies":2}'), '2건이 있어야 하는데 0건'],
  ])('%s', async (_name, make, message) => {
    make()
    expect(await compare()).toEqual({ code: expect.stringContaining(message), out: '' })
  })

  test.each<[string, () => void, string]>([
    ['its last reply is gone', () => rmSync(join(archive, names().at(-1) ?? '')), '잘린 폴더입니다'],
    ['one within is gone', () => rmSync(join(archive, names()[1] ?? '')), '잘린 폴더입니다'],
    ['a reply is cut off', () => change(names()[4] ?? '', (text) => text.slice(0, 200)), '잘렸거나 JSON이 아닙니다'],
    ['a reply is none', () => change(names()[4] ?? '', () => '{"call":"inquire-price"}'), '보관한 응답이 아닙니다'],
  ])('%s', async (_name, damage, message) => {
    await makeArchive()
    damage()
    expect(await compare()).toEqual({ code: expect.stringContaining(message), out: '' })
  })

  test('the command ends with 2', () => {
    const main = join(import.meta.dirname, '../src/doctor/doctor.ts')
    const { status, stderr } = spawnSync(process.execPath, [main, '--compare', archive], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('남긴 폴더가 아니거나') })
  })
})

function write(name: string, text: string): void {
  mkdirSync(archive)
  writeFileSync(join(archive, name), text)
}

test('what is archived is read as it was', async () => {
  await makeArchive()
  const { env, replies } = readArchive(archive)
  expect(env).toBe('real')
  expect(replies).toHaveLength(names().length)
  expect(replies[0]).toEqual(JSON.parse(textOf(names()[0] ?? '')))
})
