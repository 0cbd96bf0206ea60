import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WEB_BUILT = 'packages/web/dist'

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

/** One line for each file, in the order of their paths' bytes, as `sha256sum -c` reads it. */
export function sumsOf(root: string, paths: readonly string[]): string {
  const ordered = [...new Set(paths)].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return ordered.map((path) => `${sha256(readFileSync(join(root, path)))}  ${path}\n`).join('')
}

/** Every file under a folder, by its path from the root. */
export function filesUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesUnder(root, path) : [path]
  })
}

/** The bill without what differs each time: when and by which npm it was written, a random number, the folder's name. */
export function steadyBill(text: string, name: string): string {
  const bill: Record<string, unknown> & { metadata?: { component?: { name: string }; [part: string]: unknown } } =
    JSON.parse(text)
  delete bill['serialNumber']
  if (bill.metadata?.component) bill.metadata.component.name = name
  delete bill.metadata?.['timestamp']
  delete bill.metadata?.['tools']
  return `${JSON.stringify(bill, null, 2)}\n`
}

const git = (root: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

export interface Release {
  readonly version: string
  readonly commit: string
  readonly node: string
  /** Over the sums of all sources, the lock among them, of what was built, and of the bill of materials. */
  readonly hash: string
  readonly files: number
}

/** Writes release.json, SHA256SUMS and the bill of materials. The web client must have been built from these very sources. */
export function writeRelease(root: string, folder: string, bill: string): Release {
  const changed = git(root, 'status', '--porcelain').trim()
  if (changed !== '') throw new Error(`a release is made of what is committed, but there are changes:\n${changed}`)
  const sources = git(root, 'ls-files', '-z').split('\0').filter(Boolean)
  const sums = sumsOf(root, [...sources, ...filesUnder(root, WEB_BUILT)])
  const manifest: { version: string; dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const release: Release = {
    version: manifest.version,
    commit: git(root, 'rev-parse', 'HEAD').trim(),
    node: manifest.dependencies['node'] ?? '',
    hash: sha256(`${sums}${sha256(bill)}  sbom.cdx.json\n`),
    files: sums.split('\n').length - 1,
  }
  mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, folder, 'SHA256SUMS'), sums)
  writeFileSync(join(root, folder, 'sbom.cdx.json'), bill)
  writeFileSync(join(root, folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`)
  return release
}

/** From an empty folder: what an older build left there is no part of this one. */
export function buildWebClient(root: string): void {
  rmSync(join(root, WEB_BUILT), { recursive: true, force: true })
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', 'packages/web', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' })
}

/** Read from package-lock.json alone: the same list on every machine, with the packages of all platforms. */
export function billOfMaterials(root: string): string {
  const made = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (made.status !== 0) throw new Error(`npm sbom failed: ${made.error?.message ?? made.stderr}`)
  const { name }: { name: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return steadyBill(made.stdout, name)
}
