import { expect, test } from 'vitest'
import type { Rule, SourceFile } from './architecture.ts'
import { testRatios } from './sizes.ts'

const file = (path: string, lines: number): SourceFile => ({ path, text: 'x\n'.repeat(lines) })
const core = (source: number, tests: number) => [
  file('packages/core/src/a.ts', source),
  file('packages/core/src/a.test.ts', 100),
  file('packages/core/test/simulate/b.ts', tests - 100),
]

test.each<[string, Rule, SourceFile[], string]>([
  ['too few lines of tests', testRatios(), core(200, 299), 'packages/core: 1.49 lines of tests'],
  ['a contract without tests', testRatios(), [file('packages/contract/src/a.ts', 10)], 'packages/contract: 0 lines'],
  [
    'less than a package already had',
    testRatios({ 'packages/engine': 0.5 }),
    [file('packages/engine/src/a.ts', 100), file('packages/engine/test/a.test.ts', 49)],
    'at least 0.5',
  ],
])('%s is refused', (_name, rule, files, expected) => {
  const found = rule(files)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(expected)
})

test.each<[string, Rule, SourceFile[]]>([
  ['exactly enough tests', testRatios(), core(200, 300)],
  ['a package without a limit', testRatios(), [file('packages/web/src/a.ts', 100)]],
  [
    'a package on its way',
    testRatios({ 'packages/engine': 0.5 }),
    [file('packages/engine/src/a.ts', 100), file('packages/engine/test/a.test.ts', 50)],
  ],
])('%s is allowed', (_name, rule, files) => expect(rule(files)).toEqual([]))
