import { expect, test } from 'vitest'
import type { Rule, SourceFile } from './architecture.ts'
import { featuresApart, folderCycles, webFloors } from './folders.ts'

const importing = (path: string, ...targets: string[]): SourceFile => ({
  path: /^(?:packages|trials)\//.test(path) ? path : `packages/web/src/${path}`,
  text: targets.map((target) => `import { x } from '${target}'\n`).join(''),
})
const inPackage = (path: string, ...targets: string[]) => importing(`packages/new/src/${path}`, ...targets)
const circles = folderCycles(['packages/old'])

test.each<[string, Rule, SourceFile[], string]>([
  [
    'a component of a feature',
    webFloors,
    [importing('components/a.tsx', '../features/b/b.tsx')],
    'components must not',
  ],
  ['a feature of the app', webFloors, [importing('features/c/a.tsx', '../../app/b.tsx')], 'features must not'],
  ['a call of a live event', webFloors, [importing('api/call.ts', '../live/stream.ts')], 'api must not'],
  ['a neighbour on the same floor', webFloors, [importing('url/user.ts', '../api/call.ts')], 'url must not'],
  ['a page of the entry', webFloors, [importing('app/a.tsx', '../main.tsx')], 'app must not'],
  ['a lazy import', webFloors, [{ ...importing('ask/a.ts'), text: "await import('../api/b.ts')" }], 'ask must not'],
  ['a folder without a floor', webFloors, [importing('drawer/a.ts')], 'folder drawer has no floor'],
  ['a feature of another', featuresApart, [importing('features/a/x.ts', '../b/y.ts')], 'must not import feature b'],
  [
    'a feature of another, from a room of its own',
    featuresApart,
    [importing('features/a/room/x.ts', '../../b/room/y.ts')],
    'feature a must not import feature b',
  ],
  [
    'two folders that import each other through different files',
    circles,
    [inPackage('a/one.ts', '../b/one.ts'), inPackage('b/two.ts', '../a/two.ts')],
    'packages/new: folder cycle a → b → a (packages/new/src/a/one.ts imports ../b/one.ts; packages/new/src/b/two.ts',
  ],
  [
    'a folder and a file beside it',
    circles,
    [inPackage('a/one.ts', '../start.ts'), inPackage('start.ts', './a/two.ts')],
    'folder cycle a → start.ts → a',
  ],
  [
    'a way around through three',
    circles,
    [inPackage('a/x.ts', '../b/x.ts'), inPackage('b/x.ts', '../c/d/x.ts'), inPackage('c/d/y.ts', '../../a/y.ts')],
    'folder cycle a → b → c → a',
  ],
  [
    'trials that use each other',
    circles,
    [importing('trials/a/main.ts', '../b/x.ts'), importing('trials/b/main.ts', '../a/x.ts')],
    'trials: folder cycle a → b → a',
  ],
])('%s is refused', (_name, rule, files, expected) => {
  const found = rule(files)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(expected)
})

test.each<[string, Rule, SourceFile[]]>([
  ['downwards, over several floors', webFloors, [importing('app/a.tsx', '../format/b.ts', '../features/c/c.tsx')]],
  ['within a folder', webFloors, [importing('features/c/room/a.tsx', '../b.tsx')]],
  ['the entry imports everything', webFloors, [importing('main.tsx', './app/App.tsx', './style/global.css')]],
  ['other packages have other floors', webFloors, [inPackage('components/a.ts', '../app/b.ts')]],
  [
    'a feature of itself and of what is below',
    featuresApart,
    [importing('features/a/x.ts', './y.ts', '../../api/z.ts')],
  ],
  [
    'the app puts features together',
    featuresApart,
    [importing('app/a.tsx', '../features/a/x.ts', '../features/b/y.ts')],
  ],
  [
    'folders above one another',
    circles,
    [inPackage('a/x.ts', '../b/x.ts', '../c/x.ts'), inPackage('b/x.ts', '../c/x.ts')],
  ],
  [
    'files of one folder, both ways',
    circles,
    [inPackage('a/x.ts', './room/y.ts'), inPackage('a/room/y.ts', '../z.ts')],
  ],
  [
    'a test that puts parts together',
    circles,
    [inPackage('a/x.ts', '../b/x.ts'), inPackage('b/x.test.ts', '../a/x.ts')],
  ],
  [
    'a package not yet judged',
    circles,
    [importing('packages/old/src/a/x.ts', '../b/x.ts'), importing('packages/old/src/b/x.ts', '../a/x.ts')],
  ],
])('%s is allowed', (_name, rule, files) => expect(rule(files)).toEqual([]))
