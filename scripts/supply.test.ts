import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SourceFile } from './architecture.ts'
import { compareNode, NODE_SHA256 } from './pinned-node.mjs'
import { readFiles, ROOT } from './sources.ts'
import { installSettings, lockedPackages } from './supply.ts'

const one = (path: string): SourceFile => readFiles(path)[0] ?? { path, text: '{}' }
const lock = (packages: object): SourceFile => ({ path: 'package-lock.json', text: JSON.stringify({ packages }) })
const SETTINGS: [SourceFile, SourceFile] = [
  { path: '.npmrc', text: 'fund=false\nignore-scripts=true\n' },
  { path: 'package.json', text: '{ "allowScripts": { "node": true } }' },
]

test('no locked package but node runs a program on installation, and each has its hash', () => {
  expect(lockedPackages(one('package-lock.json'))).toEqual([])
  expect(installSettings(one('.npmrc'), one('package.json'))).toEqual([])
})

test('the pinned Node has a hash for every machine that people run servers on', () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(one('package.json').text)
  expect(Object.keys(NODE_SHA256)).toEqual([`${dependencies['node']} linux-x64`, `${dependencies['node']} linux-arm64`])
})

test('another binary than the one whose hash is known is found out', () => {
  const known = { '1.0.0 here': '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824' }
  const folder = mkdtempSync(join(tmpdir(), 'digger-node-'))
  const file = join(folder, 'node')
  writeFileSync(file, 'hello')
  expect(compareNode(file, '1.0.0', 'here', known)).toBe('same')
  expect(compareNode(file, '1.0.0', 'elsewhere', known)).toBe('unknown')
  writeFileSync(file, 'hallo')
  expect(compareNode(file, '1.0.0', 'here', known)).toBe('different')
  rmSync(folder, { recursive: true })
})

describe('each rule can fail', () => {
  const integrity = 'sha512-x'
  test.each([
    ['an install script', { 'node_modules/a': { integrity, hasInstallScript: true } }, 'a runs a program'],
    [
      'an install script further in',
      { 'node_modules/a/node_modules/@b/c': { integrity, hasInstallScript: true } },
      '@b/c runs a program',
    ],
    ['an own package with one', { 'packages/core': { hasInstallScript: true } }, 'runs a program'],
    ['a package without its hash', { 'node_modules/a': {} }, 'a has no hash'],
  ])('%s', (_name, packages, found) => expect(lockedPackages(lock(packages))[0]).toContain(found))

  test('but not for node, nor for our own packages', () => {
    const packages = {
      '': {},
      'packages/core': {},
      'node_modules/@digger/core': { link: true },
      'node_modules/node': { integrity, hasInstallScript: true },
    }
    expect(lockedPackages(lock(packages))).toEqual([])
  })

  test('settings of npm that let others run', () => {
    const [npmrc, manifest] = SETTINGS
    expect(installSettings(npmrc, manifest)).toEqual([])
    expect(installSettings({ ...npmrc, text: 'ignore-scripts=false' }, manifest)[0]).toContain('lacks ignore-scripts')
    const more = { ...manifest, text: '{ "allowScripts": { "node": true, "a": true } }' }
    expect(installSettings(npmrc, more)[0]).toContain('allowScripts names node, a')
  })
})

describe('a real npm', () => {
  let root = ''
  const marker = () => join(root, 'ran')
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'digger-supply-'))
    mkdirSync(join(root, 'made'))
    const scripts = { preinstall: `node -e "fs.writeFileSync('${marker()}', '')"` }
    writeFileSync(join(root, 'made/package.json'), JSON.stringify({ name: 'stranger', version: '1.0.0', scripts }))
    npm('pack', '-s', './made')
    const dependencies = { stranger: 'file:stranger-1.0.0.tgz' }
    writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'checkout', dependencies }))
    npm('install', '--offline', '--package-lock-only')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: root, stdio: 'ignore' })
  // Newer versions of npm ask before they run anything; older ones run everything, as this makes new ones do.
  const ALLOW_ALL = '--dangerously-allow-all-scripts'

  test('runs nobody’s program with the settings of this project', () => {
    cpSync(join(ROOT, '.npmrc'), join(root, '.npmrc'))
    npm('ci', '--offline', ALLOW_ALL)
    expect([existsSync(join(root, 'node_modules/stranger')), existsSync(marker())]).toEqual([true, false])
  }, 60_000)

  test('would run it without them', () => {
    npm('ci', '--offline', '--ignore-scripts=false', ALLOW_ALL)
    expect(existsSync(marker())).toBe(true)
  }, 60_000)
})
