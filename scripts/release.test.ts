import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { billOfMaterials, steadyBill, sumsOf, writeRelease } from './release.ts'
import { ROOT } from './sources.ts'

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'digger-release-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The same project, its files written in another order, at another time, in another place. */
function checkout(name: string, paths: readonly string[], built = 'built'): string {
  const root = join(folder, name)
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const path of paths) put(path, path)
  put('package.json', '{ "version": "1.2.3", "dependencies": { "node": "24.0.0" } }')
  put('.gitignore', 'dist/\n')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
  git('init', '-q')
  git('add', '-A')
  git('-c', 'user.name=A', '-c', 'user.email=a@digger.test', 'commit', '-qm', name)
  put('packages/web/dist/index.html', built)
  return root
}

test('two checkouts of the same sources have the same hash', () => {
  const one = writeRelease(checkout('one', ['a.ts', 'b/c.ts', '한.ts']), 'dist', '{}')
  const two = writeRelease(checkout('two', ['한.ts', 'b/c.ts', 'a.ts']), 'dist', '{}')
  expect(one).toEqual({ version: '1.2.3', node: '24.0.0', files: 6, commit: one.commit, hash: two.hash })
})

test.each<[string, string[], string, string]>([
  ['a source', ['a.ts', 'd.ts'], 'built', '{}'],
  ['what was built', ['a.ts', 'b.ts'], 'built otherwise', '{}'],
  ['a package in the bill', ['a.ts', 'b.ts'], 'built', '{ "components": [] }'],
])('another %s makes another hash', (_name, paths, built, bill) => {
  const one = writeRelease(checkout('one', ['a.ts', 'b.ts']), 'dist', '{}')
  expect(writeRelease(checkout('two', paths, built), 'dist', bill).hash).not.toBe(one.hash)
})

test('the sums are such that sha256sum checks them', () => {
  const root = checkout('one', ['a.ts'])
  writeRelease(root, 'dist', '{}')
  expect(execFileSync('sha256sum', ['-c', 'dist/SHA256SUMS'], { cwd: root, encoding: 'utf8' })).toContain('a.ts: OK')
  expect(
    sumsOf(root, ['a.ts', '.gitignore', 'a.ts'])
      .trim()
      .split('\n')
      .map((line) => line.slice(66)),
  ).toEqual(['.gitignore', 'a.ts'])
})

test('changes that are not committed are no release', () => {
  const root = checkout('one', ['a.ts'])
  writeFileSync(join(root, 'a.ts'), 'changed')
  expect(() => writeRelease(root, 'dist', '{}')).toThrow(/of what is committed, but there are changes:\s+M a\.ts/)
})

test('the bill of materials names what is locked, with its hash, and is the same each time', () => {
  const bill = billOfMaterials(ROOT)
  expect(billOfMaterials(ROOT)).toBe(bill)
  const { components }: { components: { name: string; version: string; hashes?: object[] }[] } = JSON.parse(bill)
  const lock: { packages: Record<string, { version: string }> } = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  )
  for (const name of ['fastify', 'react', 'pg', 'node']) {
    const found = components.find((component) => component.name === name)
    expect(found).toMatchObject({ version: lock.packages[`node_modules/${name}`]?.version })
    expect(found?.hashes).toHaveLength(1)
  }
}, 60_000)

test('what differs each time is taken out of the bill', () => {
  const metadata = { timestamp: 'now', tools: [], component: { name: 'folder', version: '1.0.0' } }
  const made = { serialNumber: 'urn:1', metadata, components: [] }
  expect(JSON.parse(steadyBill(JSON.stringify(made), 'digger'))).toEqual({
    metadata: { component: { name: 'digger', version: '1.0.0' } },
    components: [],
  })
})
