import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { precompress } from './precompress.ts'

let folder: string
const at = (name: string) => join(folder, name)
const UNPACK = { '.br': brotliDecompressSync, '.gz': gunzipSync }
const NAMES = Array.from({ length: 20 }, (_, n) => `page-${n}.js`)
const textOf = (name: string) => `${name}\n`.repeat(300)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'digger-web-'))
  for (const name of NAMES) await writeFile(at(name), textOf(name))
})
afterEach(() => rm(folder, { recursive: true }))

/** What a browser would unpack, of the files that are there. */
const unpacked = (name: string) =>
  Object.entries(UNPACK).flatMap(([ending, unpack]) =>
    existsSync(at(name + ending)) ? [unpack(readFileSync(at(name + ending))).toString()] : [],
  )

test('puts both beside each text of some size and makes them anew after the next build', async () => {
  await writeFile(at('small.js'), 'small')
  await writeFile(at('picture.png'), textOf('picture.png'))
  await precompress(folder)
  for (const name of NAMES) expect(unpacked(name)).toEqual([textOf(name), textOf(name)])
  expect(await readdir(folder)).toHaveLength(3 * NAMES.length + 2)

  const [first = '', second = ''] = NAMES
  await writeFile(at(first), textOf('new'))
  const later = new Date(Date.now() + 5_000)
  await utimes(at(first), later, later)
  await precompress(folder)
  expect(unpacked(first)).toEqual([textOf('new'), textOf('new')])
  expect(unpacked(second)).toEqual([textOf(second), textOf(second)])
})

test('a file is never there in part: a browser would keep it for a year, and two servers may begin at once', async () => {
  const making = Promise.all([precompress(folder), precompress(folder)])
  const state = { done: false }
  const end = making.then(() => (state.done = true))
  let seen = 0
  while (!state.done) {
    for (const name of NAMES) {
      const texts = unpacked(name)
      for (const text of texts) expect(text).toBe(textOf(name))
      seen += texts.length
      if (texts.length < 2) break
    }
    await setImmediate()
  }
  await end
  expect(seen).toBeGreaterThan(NAMES.length)
  expect(await readdir(folder)).toHaveLength(3 * NAMES.length)
})
