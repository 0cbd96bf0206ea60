import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Edit } from './mutants.ts'

/** Folders and files of the repository that a run of the simulation may read. */
const PARTS = ['packages', 'apps', 'trials', 'simulation', 'scripts', 'package.json', 'tsconfig.base.json']

/** The text with every edit made, or the first one whose text is not found exactly once. */
export function applyEdits(text: string, edits: readonly Edit[]): { text: string } | { notFoundOnce: Edit } {
  let edited = text
  for (const edit of edits) {
    if (edited.split(edit.from).length !== 2) return { notFoundOnce: edit }
    edited = edited.replace(edit.from, () => edit.to)
  }
  return { text: edited }
}

/**
 * A copy of the repository's sources whose packages import each other in the copy. Packages of others are linked, so that
 * each is there once; ours are not linked as a whole, for `node_modules/@digger` points back into the repository. Links
 * resolve to places outside `node_modules`, where Node strips types.
 */
export class MutatedCopy {
  readonly folder: string
  readonly #root: string

  constructor(root: string) {
    this.#root = root
    this.folder = mkdtempSync(join(tmpdir(), 'digger-mutants-'))
    for (const part of PARTS.filter((name) => exists(join(root, name))))
      cpSync(join(root, part), join(this.folder, part), { recursive: true, filter: isOurs })
    this.#linkPackages()
  }

  /** Makes the edits, runs `work`, and puts the files back. */
  async with<T>(edits: readonly Edit[], work: () => T): Promise<Awaited<T>> {
    const before = new Map<string, string>()
    try {
      for (const [file, ofFile] of Map.groupBy(edits, (edit) => edit.file)) {
        const path = join(this.folder, file)
        const text = readFileSync(path, 'utf8')
        const edited = applyEdits(text, ofFile)
        if ('notFoundOnce' in edited) throw new Error(`${file} does not have once: ${edited.notFoundOnce.from}`)
        before.set(path, text)
        writeFileSync(path, edited.text)
      }
      return await work()
    } finally {
      for (const [path, text] of before) writeFileSync(path, text)
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #linkPackages(): void {
    const from = join(this.#root, 'node_modules')
    const to = join(this.folder, 'node_modules')
    mkdirSync(join(to, '@digger'), { recursive: true })
    for (const name of readdirSync(from)) if (name !== '@digger') symlinkSync(join(from, name), join(to, name))
    // These links are relative (`../../packages/core`): the same text leads into the copy.
    for (const name of readdirSync(join(from, '@digger')))
      symlinkSync(readlinkSync(join(from, '@digger', name)), join(to, '@digger', name))
    // A package may have versions of its own beside the shared ones.
    for (const home of ['packages', 'apps'].filter((name) => exists(join(this.#root, name))))
      for (const name of readdirSync(join(this.#root, home))) {
        const own = join(this.#root, home, name, 'node_modules')
        if (exists(own)) symlinkSync(own, join(this.folder, home, name, 'node_modules'))
      }
  }
}

const isOurs = (path: string): boolean => basename(path) !== 'node_modules'

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
