import { PGlite } from '@electric-sql/pglite'
import { EngineImage } from './image.ts'

/** Nothing here outlives the process, so nothing is written twice for a power cut. */
const SETTINGS = [
  'shared_buffers=8MB',
  // As the product asks; without a disk it costs nothing.
  'synchronous_commit=on',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
]
const startParams = [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])]

/** PostgreSQL in this thread and in memory. A message of the wire protocol is answered before `run` returns. */
export class SqlEngine {
  readonly #engine: PGlite
  #image: EngineImage | null = null
  #failed: Error | null = null

  private constructor(engine: PGlite) {
    this.#engine = engine
  }

  /** Reads files and takes some seconds of real time. */
  static async create(): Promise<SqlEngine> {
    const engine = await PGlite.create({ dataDir: 'memory://', startParams })
    // Its language of triggers is a library that is loaded at first use. An image from before would forget it by half.
    await engine.exec('do $$ begin end $$')
    return new SqlEngine(engine)
  }

  run(messages: Uint8Array): Buffer {
    const parts: Uint8Array[] = []
    // It has done its work when it returns: what it could wait for is left out.
    this.#engine
      .execProtocolRawStream(messages, { syncToFs: false, onRawData: (part) => void parts.push(part.slice()) })
      .catch((error: unknown) => {
        this.#failed = error instanceof Error ? error : new Error(String(error))
      })
    if (this.#failed !== null) throw this.#failed
    return Buffer.concat(parts)
  }

  keep(): void {
    this.#image = new EngineImage(this.#engine)
  }

  restore(): void {
    this.#image?.restore()
  }

  /** What differs from the state that was kept. */
  differences(): string[] {
    return this.#image?.differences() ?? ['nothing was kept']
  }
}
