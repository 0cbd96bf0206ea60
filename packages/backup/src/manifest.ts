import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FACTS_VERSION, knownMigrations, OperatorError, ownVersion, type TableSum } from '@digger/database'

/** A backup that cannot be made, read or put back; the message is one line for whoever runs the server. */
export class BackupError extends OperatorError {
  override readonly name = 'BackupError'
}

/** Counted up when a program of before could not read a backup any more. */
export const BACKUP_FORM = 1
export const MANIFEST = 'manifest.json'
/** All rows, in the form of `npm run admin -- dump`. */
export const ROWS = 'rows.gz'

/** What a backup holds, and how to see that it is whole. */
export interface Manifest {
  readonly digger: 'backup'
  readonly form: number
  /** Version of the program that made it. */
  readonly version: string
  readonly kind: 'embedded' | 'postgres'
  /** Changes of the tables that were done, in their order. */
  readonly migrations: readonly string[]
  /** Which facts may be in it, by `FACTS_VERSION`. */
  readonly facts: number
  /** Epoch ms; whatever was written from then on may be missing. */
  readonly takenAt: number
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[]
  readonly tables: readonly TableSum[]
}

/** A backup in its folder. */
export interface Backup {
  readonly folder: string
  readonly name: string
  readonly manifest: Manifest
}

/** The text of the file: the manifest, and the hash of it. */
export const manifestText = (manifest: Manifest): string =>
  `${JSON.stringify({ ...manifest, sha256: hashOf(manifest) }, null, 2)}\n`

const hashOf = (manifest: object): string => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

/** Throws BackupError where the folder is no backup, a changed one, or one that this program does not read. */
export async function readBackup(folder: string): Promise<Backup> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  if (text === null)
    throw new BackupError(`${folder}에 ${MANIFEST}이 없습니다. npm run backup이 만든 폴더를 적어 주세요.`)
  const manifest = parsed(text)
  if (manifest === null)
    throw new BackupError(`${folder}의 ${MANIFEST}이 바뀌었거나 깨졌습니다. 다른 백업을 골라 주세요.`)
  refuseNewer(folder, manifest)
  return { folder, name: basename(folder), manifest }
}

function parsed(text: string): Manifest | null {
  try {
    // What it holds is as it was written where the hash is right.
    const { sha256, ...manifest }: Manifest & { sha256?: string } = JSON.parse(text)
    return manifest.digger === 'backup' && sha256 === hashOf(manifest) ? manifest : null
  } catch {
    return null
  }
}

function refuseNewer(folder: string, { form, version, migrations, facts }: Manifest): void {
  const known = new Set(knownMigrations())
  const unknown = migrations.filter((name) => !known.has(name))
  if (form <= BACKUP_FORM && unknown.length === 0 && facts <= FACTS_VERSION) return
  const why = unknown.length > 0 ? unknown.join(', ') : form > BACKUP_FORM ? `형식 ${form}` : `기록 ${facts}판`
  throw new BackupError(
    `${folder}은 더 새 Digger(${version})의 백업이라(${why}) 지금 것(${ownVersion()})으로는 되살리지 않습니다. 그 버전 이상을 설치해 되살려 주세요.`,
  )
}

/** Throws BackupError where a file is not what the manifest says it is. */
export async function assertWhole({ folder, manifest }: Backup): Promise<void> {
  for (const { name, bytes, sha256 } of manifest.files) {
    const path = join(folder, name)
    const found = await fileSum(path).catch(() => null)
    if (found?.bytes !== bytes || found.sha256 !== sha256)
      throw new BackupError(`${path}이 없거나 백업했을 때와 다릅니다(깨졌거나 바뀜). 다른 백업을 골라 주세요.`)
  }
}

export async function fileSum(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part)
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}
