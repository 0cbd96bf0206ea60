import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSim } from '@digger/kis-sim'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { archiveOf, foundInArchive, type Made } from './made-archive.ts'

let folder: string
let archive: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'served-'))
  archive = join(folder, 'replies')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Without an order's number, which is another one in an archive. */
const texts = (found: Awaited<ReturnType<typeof archiveOf>>): string[] =>
  found.map(({ level, text }) => `${level}: ${text.replaceAll(/(\d{8} \d{5}) \d+/g, '$1')}`)

// One row a page: a walk of three pages.
test.each<[Made, number]>([
  [{}, 1],
  [{ env: 'paper' }, 1],
  [{ options: { rowsPerPage: 1 } }, 1],
  [{ options: { assumptions: { queryNumbers: 'spaces', noOriginal: 'empty' } } }, 3],
  [{ options: { assumptions: { dayRanges: 'answered', rowsTwice: true } } }, 2],
  [{ options: { assumptions: { statusShown: 'newCode', balanceByIssue: 'answered' } } }, 1],
])('what the doctor finds at %j it finds again in its archive', async (made, least) => {
  const found = await archiveOf(archive, made)
  expect(found.filter(({ level }) => level === 'note' || level === 'wrong').length).toBeGreaterThanOrEqual(least)
  expect(texts(await foundInArchive(archive, made))).toEqual(texts(found))
})

test('a field that the real broker wrote otherwise is found', async () => {
  await archiveOf(archive)
  for (const name of readdirSync(archive).filter((one) => one.endsWith('-inquire-balance.json'))) {
    const text = readFileSync(join(archive, name), 'utf8')
    writeFileSync(join(archive, name), text.replaceAll(/"hldg_qty": "(\d+)"/g, '"hldg_qty": $1'))
  }
  const found = await foundInArchive(archive)
  expect(found.map(({ text }) => text)).toContainEqual(expect.stringContaining('hldg_qty: 글자여야 하는데'))
})

test('a folder that is no archive, or lacks a reply, is refused', async () => {
  await expect(startSim({ port: 0, archive: folder })).rejects.toThrow('archive.json is no file of an archive')
  await archiveOf(archive)
  const [first = ''] = readdirSync(archive)
  rmSync(join(archive, first))
  await expect(startSim({ port: 0, archive })).rejects.toThrow('it was cut off')
})
