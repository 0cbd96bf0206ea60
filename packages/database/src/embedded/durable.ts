import { fsyncSync } from 'node:fs'
import { type FileModule, PrivateNodeFS } from './private.ts'

const DONE = 0
const EINVAL_WASM = 28
/** Exit status of the thread when the disk refuses to keep what was written. */
export const DISK_FAILED = 70
/** Exit status of the thread when the engine itself is broken. */
export const ENGINE_BROKEN = 71

/** PGlite's files with a working fsync: its own has none, so that a power cut would lose every commit of the last seconds. */
export class DurableNodeFS extends PrivateNodeFS {
  readonly #onSync: () => void

  constructor(folder: string, onSync: () => void) {
    super(folder)
    this.#onSync = onSync
  }

  protected override prepare(module: FileModule): void {
    super.prepare(module)
    module.NODEFS.stream_ops.fsync = ({ nfd }) => this.#fsync(nfd)
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
