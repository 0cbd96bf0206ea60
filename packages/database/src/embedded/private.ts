import { NodeFS } from '@electric-sql/pglite/nodefs'
import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseError } from '../errors.ts'

const GROUP_AND_OTHERS = 0o077
const WRITE_BY_OTHERS = 0o002
/** Only the owner of a file may rename or remove it there, as in /tmp. */
const STICKY = 0o1000
/** What Digger itself puts into its data folder; the engine's own folder is closed when it is opened. */
const DATABASE = ['database', 'database.init']
const BESIDE = ['sim', 'first-run', 'demo-master.key', 'backup']
/** Windows has no such bits; a profile's folder is its owner's. */
const HAS_MODES = process.platform !== 'win32'

/**
 * The data folder belongs to the user the server runs as, and to nobody else: whoever may write there is the database's
 * master. Repairs what earlier versions left. A folder that holds other things, or is somebody else's (a mounted volume),
 * is left as it is, and refused where everybody could put theirs in the place of ours.
 */
export function keepPrivate(dataDir: string): void {
  if (!HAS_MODES) return
  const { mode, uid } = statSync(dataDir)
  const names = readdirSync(dataDir)
  const ours = uid === process.getuid?.() && names.every((name) => [...DATABASE, ...BESIDE].includes(name))
  if (ours) closeToOthers(dataDir, mode)
  else if ((mode & WRITE_BY_OTHERS) !== 0 && (mode & STICKY) === 0) throw sharedFolder(dataDir)
  for (const name of BESIDE) if (names.includes(name)) closeTree(join(dataDir, name))
}

/** The folder and everything in it: 700 and 600. Throws DatabaseError when that is not allowed. */
export function closeTree(path: string): void {
  if (!HAS_MODES) return
  const top = statSync(path)
  closeToOthers(path, top.mode)
  if (!top.isDirectory()) return
  // Following the path itself when it is a link, but none inside.
  for (const entry of readdirSync(realpathSync(path), { withFileTypes: true, recursive: true })) {
    const inside = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) closeToOthers(inside, lstatSync(inside).mode)
  }
}

function closeToOthers(path: string, mode: number): void {
  if ((mode & GROUP_AND_OTHERS) === 0) return
  try {
    chmodSync(path, mode & 0o700)
  } catch (error) {
    throw new DatabaseError(
      `이 컴퓨터의 다른 사용자가 ${path}에 닿을 수 있는데 권한을 고치지 못했습니다. 서버를 켜는 사용자의 것으로 바꾼 뒤(chown) 다시 켜 주세요.`,
      { cause: error },
    )
  }
}

const sharedFolder = (dataDir: string): DatabaseError =>
  new DatabaseError(
    `아무나 ${dataDir} 폴더에 쓸 수 있어 기록을 맡길 수 없습니다. DATA_DIR을 Digger만 쓰는 폴더로 바꾸거나 chmod o-w ${dataDir} 한 뒤 다시 켜 주세요.`,
  )

interface Attributes {
  mode?: number
}
export interface FileModule {
  NODEFS: {
    node_ops: {
      mknod: (parent: unknown, name: string, mode: number, device: number) => unknown
      setattr: (node: unknown, attributes: Attributes) => void
    }
    stream_ops: {
      fsync?: (stream: { nfd: number }) => number
      setattr: (stream: unknown, attributes: Attributes) => void
    }
  }
}

/** PGlite's files, for their owner alone whatever the engine or the umask says. Its own are made with 666 (it has no umask). */
export class PrivateNodeFS extends NodeFS {
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    super(folder)
  }

  override async init(...input: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const ready = await super.init(...input)
    const hooks: unknown[] = (ready.emscriptenOpts.preRun ??= [])
    hooks.push((module: FileModule) => this.prepare(module))
    return ready
  }

  /** Runs before the engine touches its first file. */
  protected prepare({ NODEFS: { node_ops, stream_ops } }: FileModule): void {
    const { mknod, setattr } = node_ops
    const { setattr: setOpen } = stream_ops
    node_ops.mknod = (parent, name, mode, device) => mknod(parent, name, mode & ~GROUP_AND_OTHERS, device)
    node_ops.setattr = (node, attributes) => setattr(node, closed(attributes))
    stream_ops.setattr = (stream, attributes) => setOpen(stream, closed(attributes))
  }
}

const closed = (attributes: Attributes): Attributes =>
  attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~GROUP_AND_OTHERS }
