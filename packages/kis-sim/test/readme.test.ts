import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { DEFAULT_ASSUMPTIONS } from '../src/broker/assumptions.ts'
import { HappeningSchema } from '../src/exchange/happening-schema.ts'
import { CALLS } from '../src/rest/call.ts'
import { HANDLERS } from '../src/rest/handlers.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

/** One line a path: its transaction ids on the real and the paper host. */
function expectedRows(): string[] {
  const byPath = Map.groupBy(Object.values(CALLS), ({ method, path }) => `${method} ${path}`)
  return [...byPath].map(([call, ids]) => {
    const [real, paper] = [ids.map((id) => id.real), ids.flatMap((id) => id.paper ?? [])]
    return `| \`${call}\` | ${real.join(', ')} | ${paper.join(', ') || '–'} |`
  })
}

test('the README lists every call there is, and no other', () => {
  const rows = readme.split('\n').filter((line) => /^\| `(GET|POST) \/uapi\//.test(line))
  const squeezed = rows.map((row) => row.replaceAll(/ +/g, ' '))
  expect(squeezed).toEqual(expectedRows())
})

/** Names in the first column of the table under a heading. */
const named = (heading: string): string[] => {
  const [, part = ''] = readme.split(`\n## ${heading}\n`)
  const rows = (part.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1] ?? ''))
}

test('the README lists every assumption and every happening, and no other', () => {
  expect(named('Assumptions').sort()).toEqual(Object.keys(DEFAULT_ASSUMPTIONS).sort())
  const schema = JSON.stringify(z.toJSONSchema(HappeningSchema))
  const kinds = [...schema.matchAll(/"kind":\{"type":"string",(?:"const":|"enum":\[)([^\]}]+)/g)]
  expect(named('Happenings').sort()).toEqual(
    kinds.flatMap((match) => [...(match[1] ?? '').matchAll(/\w+/g)].map(([kind]) => kind)).sort(),
  )
})

test('every call has a handler', () => {
  expect(Object.keys(HANDLERS).sort()).toEqual(Object.keys(CALLS).sort())
})
