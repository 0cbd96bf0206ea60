import { describe, expect, test } from 'vitest'
import { Reach } from './reach.ts'

const TREE: Readonly<Record<string, string>> = {
  'packages/core/src/index.ts': "export { buy } from './buy.ts'\nexport { type Lot, sell as sale } from './sell.ts'\n",
  'packages/core/src/buy.ts': "import { tick } from './tick.ts'\nexport const buy = tick",
  'packages/core/src/sell.ts': 'export const sell = 2',
  'packages/core/src/tick.ts': 'export const tick = 1',
  'packages/core/src/buy.test.ts': "import { buy } from './buy.ts'",
  'packages/engine/src/engine.ts': "import {\n  buy,\n  type Lot,\n} from '@digger/core'",
  'packages/engine/src/engine.test.ts': "import { engine } from './engine.ts'",
  'packages/engine/src/buying.test.ts': "import { buy } from '@digger/core'",
  'packages/engine/src/kept.test.ts': "import { all } from '../test/kept.ts'",
  'packages/engine/test/kept.ts': "import * as core from '@digger/core'",
  'packages/engine/test/child.ts': "import '../src/engine.ts'",
  'packages/engine/test/killed.test.ts': "spawn(node, [join(import.meta.dirname, 'child.ts')])",
  'apps/digger/src/main.ts': "import { engine } from '../../../packages/engine/src/engine.ts'",
  'packages/web/src/main.tsx': "import { pages } from './app/pages.ts'\nimport './shell.ts'",
  'packages/web/src/shell.ts': '',
  'packages/web/src/app/pages.ts':
    "export const pages = {\n  '/gain': lazyPage(() => import('../features/gain.tsx'), 'Gain'),\n  '/stock/:code/trade': lazyPage(() => import('../features/trade.tsx'), 'Trade'),\n}",
  'packages/web/src/features/gain.tsx': '',
  'packages/web/src/features/trade.tsx': '',
  'e2e/server.ts': "start('e2e/product.ts')",
  'e2e/product.ts': "import '../apps/digger/src/main.ts'",
  'e2e/gain.spec.ts': "import { start } from './server.ts'\nawait enter('user', '/user/gain?day=1')",
  'e2e/buy.spec.ts': "import { start } from './server.ts'\nawait enter('user', `/user/stock/${code}/trade`)",
  'e2e/walk.spec.ts': "import { start } from './server.ts'",
  'scripts/rules.test.ts': "import { readCode } from './sources.ts'",
  'scripts/sources.ts': '',
}
const reachIn = (tree: Readonly<Record<string, string>>): Reach =>
  new Reach(
    Object.entries(tree).map(([path, text]) => ({ path, text })),
    new Map([['@digger/core', 'packages/core/src/index.ts']]),
  )
const reach = reachIn(TREE)
const of = (...changed: string[]): string[] => {
  const { unit, browser } = reach.of(new Set(changed))
  return [...unit, ...browser].filter((path) => path !== 'scripts/rules.test.ts').toSorted()
}
const BUYING = [
  'packages/core/src/buy.test.ts',
  'packages/engine/src/buying.test.ts',
  'packages/engine/src/engine.test.ts',
  'packages/engine/src/kept.test.ts',
  'packages/engine/test/killed.test.ts',
]

describe('a change reaches', () => {
  test('whoever imports it, through others and through an index', () =>
    expect(of('packages/core/src/tick.ts')).toEqual(['e2e/walk.spec.ts', ...BUYING]))
  test('of a package only those who ask for what changed, or for all of it', () =>
    expect(of('packages/core/src/sell.ts')).toEqual([
      'e2e/walk.spec.ts',
      'packages/engine/src/engine.test.ts',
      'packages/engine/src/kept.test.ts',
      'packages/engine/test/killed.test.ts',
    ]))
  test('whoever starts the program that it is', () =>
    expect(of('packages/engine/test/child.ts')).toEqual(['packages/engine/test/killed.test.ts']))
  test('the browser tests that go to its page, or all where it is of every page', () => {
    expect(of('packages/web/src/features/gain.tsx')).toEqual(['e2e/gain.spec.ts'])
    expect(of('packages/web/src/features/trade.tsx')).toEqual(['e2e/buy.spec.ts'])
    expect(of('packages/web/src/shell.ts')).toEqual(['e2e/buy.spec.ts', 'e2e/gain.spec.ts', 'e2e/walk.spec.ts'])
  })
  test('of a file that no code names, the tests beside it', () =>
    expect(of('packages/engine/test/recorded.json')).toEqual([
      'packages/engine/src/buying.test.ts',
      'packages/engine/src/engine.test.ts',
      'packages/engine/src/kept.test.ts',
      'packages/engine/test/killed.test.ts',
    ]))
  test('everything, where everything stands on it', () =>
    expect(of('package-lock.json')).toEqual(
      Object.keys(TREE)
        .filter((path) => /\.(?:test|spec)\.ts$/.test(path) && !path.startsWith('scripts/'))
        .toSorted(),
    ))
  test('all that is in its own package, and of what is elsewhere the nearest', () => {
    const far = Array.from({ length: 200 }, (_, at) => [`packages/far/src/${at}.test.ts`, "import './far.ts'"])
    const near = Array.from({ length: 200 }, (_, at) => [`packages/core/src/${at}.test.ts`, "import './tick.ts'"])
    const tree = {
      ...TREE,
      ...Object.fromEntries([...far, ...near]),
      'packages/far/src/far.ts': "import '../../core/src/tick.ts'",
    }
    const { unit } = reachIn(tree).of(new Set(['packages/core/src/tick.ts']))
    expect(unit.filter((path) => path.startsWith('packages/core/'))).toHaveLength(201)
    expect(unit.filter((path) => /^packages\/(?:engine|far)\//.test(path))).toHaveLength(100)
  })
  test('in any case the rules of the whole tree', () =>
    expect(reach.of(new Set()).unit).toEqual(['scripts/rules.test.ts']))
})
