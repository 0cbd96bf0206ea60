import { describe, expect, test } from 'vitest'
import { backupWarning, volumeRefusal } from './lasting.ts'

/** As a machine, a container with two volumes, and one whose folder was laid over say it. */
const MACHINE = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
25 22 0:23 / /tmp rw,nosuid shared:5 - tmpfs tmpfs rw
26 22 0:24 / /dev/shm rw - tmpfs tmpfs rw
30 22 8:17 / /mnt/my\\040disk rw,relatime shared:9 - xfs /dev/sdb1 rw`
const CONTAINER = `600 500 0:50 / / rw,relatime - overlay overlay rw,lowerdir=/a,upperdir=/b
601 600 0:51 / /proc rw - proc proc rw
610 600 8:1 /volumes/digger/_data /data rw,relatime - ext4 /dev/sda1 rw
611 600 0:60 / /run/secrets rw - tmpfs tmpfs rw`
const LAID_OVER = `${MACHINE}
40 22 8:33 / /var/lib/digger rw - btrfs /dev/sdc1 rw
41 40 0:70 / /var/lib/digger rw - tmpfs tmpfs rw`

const real = (DATA_DIR: string) => ({ KIS_ENV: 'real', DATA_DIR })
const place = (path: string, mountinfo: string, writable = true) => ({ path, mountinfo, writable })

describe('real money wants a folder that is still there after a restart', () => {
  test.each<[string, string, string, string | null]>([
    ['a disk', '/var/lib/digger', MACHINE, null],
    ['another disk, with a blank in its path', '/mnt/my disk/digger', MACHINE, null],
    ['the machine’s memory', '/tmp/digger', MACHINE, 'tmpfs'],
    ['a name that only begins like a mount', '/tmpfolder', MACHINE, null],
    ['the container’s own files', '/srv/data', CONTAINER, 'overlay'],
    ['a name beside the volume', '/data2', CONTAINER, 'overlay'],
    ['a volume', '/data', CONTAINER, null],
    ['a folder in a volume', '/data/digger', CONTAINER, null],
    ['where secrets are handed in', '/run/secrets/x', CONTAINER, 'tmpfs'],
    ['a disk that memory was laid over', '/var/lib/digger', LAID_OVER, 'tmpfs'],
    ['a machine that does not say', '/anywhere', '', null],
    ['a text of which nothing can be read', '/anywhere', 'a b c\n\n- - -', null],
  ])('%s', (_name, path, mountinfo, type) => {
    const refusal = volumeRefusal(real(path), place(path, mountinfo))
    expect(/\((\w+)\)이라/.exec(refusal ?? '')?.[1] ?? null).toBe(type)
    expect(refusal === null || /^DATA_DIR=\S+: [^\n]*볼륨을 붙이고[^\n]*$/.test(refusal)).toBe(true)
  })

  test('and one that it may write to', () => {
    expect(volumeRefusal(real('/data'), place('/data', CONTAINER, false))).toMatch(/쓸 수 없는 폴더.*주인과 권한/)
  })

  test.each(['sim', 'paper'])('%s runs anywhere', (KIS_ENV) => {
    const refusal = volumeRefusal({ KIS_ENV, DATA_DIR: '/tmp' }, place('/tmp', MACHINE, false))
    expect(refusal).toBe(null)
  })
})

test.each<[string, string, string, string, boolean]>([
  ['beside the data', '/var/lib/digger', '/var/backups/digger', MACHINE, true],
  ['on another disk', '/var/lib/digger', '/mnt/my disk/digger', MACHINE, false],
  ['in a volume of its own on the same disk', '/data', '/data/backup', CONTAINER, true],
  ['on a machine that does not say', '/a', '/b', '', false],
])('a backup %s', (_name, data, backup, mountinfo, warned) => {
  const warning = backupWarning(place(data, mountinfo), place(backup, mountinfo))
  expect(warning?.includes(`BACKUP_DIR(${backup})`) ?? false).toBe(warned)
})
