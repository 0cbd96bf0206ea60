import { expect, test } from 'vitest'
import type { SourceFile } from './architecture.ts'
import { backUp, drawMap, mapOf } from './map.ts'

const importing = (path: string, ...targets: string[]): SourceFile => ({
  path,
  text: targets.map((target) => `import { x } from '${target}'\n`).join(''),
})
const house = [
  importing('packages/server/src/http/route.ts', '@digger/core', '../clock.ts', '@digger/engine'),
  importing('packages/server/src/clock.ts', '@digger/core'),
  importing('packages/engine/src/a.ts', '@digger/core', 'node:fs'),
  importing('packages/core/src/a.ts', './krx/tick.ts', './krx/day.ts'),
  importing('packages/core/src/krx/tick.ts', './day.ts'),
  importing('packages/core/src/krx/day.ts'),
]

test('a package stands above what it imports, with its lines and how often it imports whom', () => {
  expect(mapOf(house)[0]).toEqual({
    title: 'packages',
    rooms: [
      {
        name: 'server',
        lines: 4,
        floor: 2,
        arrows: [
          { to: 'core', count: 2, back: false },
          { to: 'engine', count: 1, back: false },
        ],
      },
      { name: 'engine', lines: 2, floor: 1, arrows: [{ to: 'core', count: 1, back: false }] },
      { name: 'core', lines: 4, floor: 0, arrows: [] },
    ],
  })
})

test('folders and the files beside them are drawn within their package', () => {
  const drawn = drawMap(mapOf(house))
  expect(drawn).toContain('packages: 10 lines, floors 0–2\n   2  server       4  → core 2 · engine 1\n')
  expect(drawn).toContain('packages/core: 4 lines, floors 0–1\n   1  a.ts       2  → krx 2\n   0  krx        2\n')
  expect(drawn).toMatch(/No arrow back up, no circle\.$/)
  expect(backUp(house)).toEqual([])
})

test('a circle of folders is an arrow back up, marked and refused', () => {
  const circle = [...house, importing('packages/server/src/clock.ts', './http/route.ts')]
  expect(backUp(circle)).toEqual(['packages/server: http imports clock.ts, which already needs http: an arrow back up'])
  expect(drawMap(mapOf(circle))).toContain('http           3  → ▲ clock.ts 1')
  expect(drawMap(mapOf(circle))).toMatch(/Arrows back up: 1\n▲ packages\/server: http → clock\.ts$/)
})

test('a circle of packages is one too, through however many', () => {
  const circle = [...house, importing('packages/core/src/b.ts', '@digger/server')]
  expect(backUp(circle)).toEqual([
    'packages: server imports core, which already needs server: an arrow back up',
    'packages: engine imports core, which already needs engine: an arrow back up',
  ])
})

test('tests put parts together: they draw no arrows', () => {
  expect(backUp([...house, importing('packages/core/test/a.test.ts', '@digger/server')])).toEqual([])
})
