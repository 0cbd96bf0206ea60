import type { PGlite } from '@electric-sql/pglite'

type Bytes = Uint8Array | Int8Array

interface FileNode {
  readonly mode: number
  parent: FileNode
  name: string
  name_next: FileNode | undefined
  mtime: number
  /** Of a file its bytes, of a folder its entries; devices have none. */
  contents?: Bytes | Record<string, FileNode>
  usedBytes: number
}

interface OpenFile {
  /** Null once it is closed. */
  fd: number | null
  readonly node: FileNode | undefined
  readonly shared: { flags: number; position: number }
}

interface Files {
  readonly root: FileNode
  streams: (OpenFile | null | undefined)[]
  nameTable: (FileNode | undefined)[]
  nextInode: number
}

/** What of Emscripten's module an image needs. */
interface EngineModule {
  readonly wasmMemory: { readonly buffer: ArrayBuffer }
  readonly FS: Files
  stackSave(): number
  stackRestore(pointer: number): void
}

/** Anew each time: growing moves it. */
const memoryOf = ({ wasmMemory }: EngineModule): Uint8Array => new Uint8Array(wasmMemory.buffer)

interface KeptFile {
  readonly bytes: Bytes
  readonly usedBytes: number
}

interface KeptNode {
  readonly node: FileNode
  readonly fields: Pick<FileNode, 'parent' | 'name' | 'name_next'>
  readonly kept: KeptFile | Record<string, FileNode> | null
}

/** Every write to a file sets its time anew, so that a file with this one is as it was. No clock shows it. */
const UNCHANGED = -1
const ZEROS = new Uint8Array(1 << 20)

/**
 * The engine as it was at one moment: its whole memory, its files and which of them are open. Put back, it is the same
 * to the last bit, plans and numbers of transactions included, whatever ran meanwhile.
 */
export class EngineImage {
  readonly #module: EngineModule
  readonly #memory: Uint8Array
  readonly #stack: number
  readonly #nodes: readonly KeptNode[]
  readonly #streams: Files['streams']
  readonly #opened: readonly { file: OpenFile; fd: number | null; flags: number; position: number }[]
  readonly #names: Files['nameTable']
  readonly #nextInode: number

  constructor(engine: PGlite) {
    const module: EngineModule = engine.Module
    const files: Files = module.FS
    const memory = memoryOf(module)
    this.#module = module
    this.#memory = memory.slice(0, endOfUse(memory))
    this.#stack = module.stackSave()
    this.#nodes = nodesOf(files).map(keep)
    this.#streams = [...files.streams]
    this.#opened = files.streams.flatMap((file) => (file?.shared ? [{ file, fd: file.fd, ...stateOf(file) }] : []))
    this.#names = [...files.nameTable]
    this.#nextInode = files.nextInode
  }

  restore(): void {
    const files = this.#module.FS
    const memory = memoryOf(this.#module)
    memory.set(this.#memory)
    clear(memory, this.#memory.length)
    this.#module.stackRestore(this.#stack)
    for (const node of this.#nodes) putBack(node)
    files.streams = [...this.#streams]
    for (const { file, fd, flags, position } of this.#opened) {
      file.fd = fd
      Object.assign(file.shared, { flags, position })
    }
    files.nameTable = [...this.#names]
    files.nextInode = this.#nextInode
  }

  /** Whether the engine is, bit by bit, what it was when this image was made; for tests. */
  differences(): string[] {
    const files = this.#module.FS
    const memory = memoryOf(this.#module)
    const end = Math.max(endOfUse(memory), this.#memory.length)
    const now = memory.subarray(0, end)
    const kept = new Uint8Array(end)
    kept.set(this.#memory)
    const found = Buffer.compare(now, kept) === 0 ? [] : ['memory']
    const known = new Map(this.#nodes.map((one) => [one.node, one]))
    for (const node of nodesOf(files)) {
      const before = known.get(node)
      if (before === undefined) found.push(`new ${node.name}`)
      else if (isBytes(node.contents) && !sameBytes(node, before.kept)) found.push(node.name)
    }
    return found
  }
}

const stateOf = ({ shared: { flags, position } }: OpenFile) => ({ flags, position })

function sameBytes(node: FileNode, kept: KeptNode['kept']): boolean {
  if (!isFile(kept) || !isBytes(node.contents) || kept.usedBytes !== node.usedBytes) return false
  const part = ({ buffer, byteOffset }: Bytes): Uint8Array => new Uint8Array(buffer, byteOffset, node.usedBytes)
  return Buffer.compare(part(node.contents), part(kept.bytes)) === 0
}

const isBytes = (contents: unknown): contents is Bytes =>
  contents instanceof Uint8Array || contents instanceof Int8Array
const isFile = (kept: KeptNode['kept']): kept is KeptFile => kept !== null && isBytes(kept['bytes'])

/** Every node that has a name or is open. */
function nodesOf({ root, streams }: Files): FileNode[] {
  const found = new Set<FileNode>()
  const visit = (node: FileNode): void => {
    if (found.has(node)) return
    found.add(node)
    const { contents } = node
    if (contents !== undefined && !isBytes(contents)) for (const one of Object.values(contents)) visit(one)
  }
  visit(root)
  for (const stream of streams) if (stream?.node) found.add(stream.node)
  return [...found]
}

function keep(node: FileNode): KeptNode {
  const { parent, name, name_next, contents, usedBytes } = node
  const fields = { parent, name, name_next }
  if (contents === undefined) return { node, fields, kept: null }
  if (!isBytes(contents)) return { node, fields, kept: { ...contents } }
  node.mtime = UNCHANGED
  return { node, fields, kept: { bytes: contents.slice(), usedBytes } }
}

function putBack({ node, fields, kept }: KeptNode): void {
  Object.assign(node, fields)
  if (kept === null) return
  if (!isFile(kept)) {
    node.contents = { ...kept }
    return
  }
  if (node.mtime === UNCHANGED) return
  if (isBytes(node.contents) && node.contents.length === kept.bytes.length) node.contents.set(kept.bytes)
  else node.contents = kept.bytes.slice()
  node.usedBytes = kept.usedBytes
  node.mtime = UNCHANGED
}

/** Behind it the memory was never used. */
function endOfUse(memory: Uint8Array): number {
  let end = memory.length
  while (end >= ZEROS.length && isZero(memory, end - ZEROS.length)) end -= ZEROS.length
  return end
}

function clear(memory: Uint8Array, from: number): void {
  for (let at = from; at < memory.length; at += ZEROS.length)
    if (!isZero(memory, at)) memory.fill(0, at, Math.min(at + ZEROS.length, memory.length))
}

function isZero(memory: Uint8Array, from: number): boolean {
  const part = memory.subarray(from, from + ZEROS.length)
  return Buffer.compare(part, ZEROS.subarray(0, part.length)) === 0
}
