import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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

test('every call has a handler', () => {
  expect(Object.keys(HANDLERS).sort()).toEqual(Object.keys(CALLS).sort())
})
