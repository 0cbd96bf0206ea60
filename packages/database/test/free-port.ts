import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that the systems hand out by themselves (Linux from 32,768 on), above those of well-known services. */
const [FROM, TO] = [20_000, 32_000]

/**
 * A port that nobody listens on, for a process that needs its number. None that the system would hand out meanwhile to a test that
 * listens anywhere: the process may begin much later, or end and come back.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
