import { NodeFS } from '@electric-sql/pglite/nodefs'
import { fsyncSync } from 'node:fs'

interface FileModule {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } }
}

const DONE = 0
const EINVAL_WASM = 28
/** Exit status of the thread when the disk refuses to keep what was written. */
export const DISK_FAILED = 70
/** Exit status of the thread when the engine itself is broken. */
export const ENGINE_BROKEN = 71

/** PGlite's files with a working fsync: its own has none, so that a power cut would lose every commit of the last seconds. */
export class DurableNodeFS extends NodeFS {
  readonly #onSync: () => void

  constructor(folder: string, onSync: () => void) {
    super(folder)
    this.#onSync = onSync
  }

  override async init(...input: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const ready = await super.init(...input)
    const hooks: unknown[] = (ready.emscriptenOpts.preRun ??= [])
    hooks.push((module: FileModule) => {
      module.NODEFS.stream_ops.fsync = ({ nfd }) => this.#fsync(nfd)
    })
    return ready
  }

  #fsync(file: number): number {
    try {
      fsyncSync(file)
      this.#onSync()
      return DONE
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : ''
      // A folder, on a system that cannot sync one.
      if (code === 'EINVAL' || code === 'EPERM') return EINVAL_WASM
      // Never throw here: the engine swallows it and reports the commit as done. Stop the thread instead.
      return process.exit(DISK_FAILED)
    }
  }
}
