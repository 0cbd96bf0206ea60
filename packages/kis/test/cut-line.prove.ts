import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

/** Its own network, where a line can be cut without anybody noticing. */
const ownNetwork = (): boolean => {
  const { status } = spawnSync('unshare', ['-n', 'sh', '-c', 'ip link set lo up && iptables -L -n'], {
    stdio: 'ignore',
  })
  return status === 0
}

describe.skipIf(!ownNetwork())('a line cut for real (skipped without root, unshare and iptables)', () => {
  test.concurrent.each(['give up', 'close', 'exit'])(
    '%s: the kernel delivers nothing when it is mended',
    async (how) => {
      const script = fileURLToPath(new URL('cut-line.ts', import.meta.url))
      const { stdout } = await promisify(execFile)('unshare', ['-n', process.execPath, script, how])
      expect(JSON.parse(stdout)).toEqual({ paths: ['/quick'], sockets: 0 })
    },
    30_000,
  )
})
