/** What the machine says of a folder. */
export interface Place {
  /** Without links. */
  readonly path: string
  readonly writable: boolean
  /** The text of /proc/self/mountinfo; empty where the machine has none. */
  readonly mountinfo: string
}

/** Gone with the machine's memory, or with the container that is replaced at the next upgrade. */
const PASSING: ReadonlySet<string> = new Set([
  'tmpfs',
  'ramfs',
  'devtmpfs',
  'overlay',
  'aufs',
  'fuse-overlayfs',
  'fuse.fuse-overlayfs',
])

interface Mount {
  readonly at: string
  readonly type: string
  /** Major and minor number: two folders of one file system have the same. */
  readonly device: string
}

/** Why real money is not traded with its keys in this folder; null where it lasts, or where no real money is. */
export function volumeRefusal(
  { KIS_ENV, DATA_DIR }: { readonly KIS_ENV: string; readonly DATA_DIR: string },
  place: Place,
): string | null {
  if (KIS_ENV !== 'real') return null
  const type = mountOf(place)?.type
  if (type !== undefined && PASSING.has(type))
    return (
      `DATA_DIR=${DATA_DIR}: 다시 켜면 사라지는 파일 시스템(${type})이라 KIS_ENV=real(실전)로 시작하지 않습니다. ` +
      '컨테이너에서는 이 폴더에 볼륨을 붙이고, 아니면 DATA_DIR을 디스크에 있는 폴더로 바꿔 주세요.'
    )
  if (!place.writable)
    return `DATA_DIR=${DATA_DIR}: 서버를 켠 사용자가 쓸 수 없는 폴더라 KIS_ENV=real(실전)로 시작하지 않습니다. 폴더의 주인과 권한(700)을 바꿔 주세요.`
  return null
}

/** What is said where the disk that takes the data would take the backups with it; null where they lie on another one. */
export function backupWarning(data: Place, backup: Place): string | null {
  const [one, other] = [mountOf(data)?.device, mountOf(backup)?.device]
  if (one === undefined || one !== other) return null
  return `주의: BACKUP_DIR(${backup.path})이 DATA_DIR과 같은 디스크에 있습니다. 디스크가 망가지면 백업도 사라지니 다른 디스크나 다른 컴퓨터의 폴더로 바꿔 주세요.`
}

/** The mount that a path lies on: the deepest one, and of several at one place the one that was laid over the others. */
function mountOf({ path, mountinfo }: Place): Mount | null {
  const over = mountinfo.split('\n').flatMap((line) => {
    const mount = mountFrom(line)
    return mount !== null && holds(mount.at, path) ? [mount] : []
  })
  return over.reduce<Mount | null>((best, one) => (one.at.length >= (best?.at.length ?? 0) ? one : best), null)
}

/** `36 35 98:0 /from /at rw,noatime master:1 - ext4 /dev/sda1 rw`, with blanks in paths as \040. */
function mountFrom(line: string): Mount | null {
  const [, device, at, type] = /^\d+ \d+ (\d+:\d+) \S+ (\S+) .* - (\S+) /.exec(line) ?? []
  if (device === undefined || at === undefined || type === undefined) return null
  return { at: at.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8))), type, device }
}

const holds = (folder: string, path: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`)
