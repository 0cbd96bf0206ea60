import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ADMIN = join(import.meta.dirname, '../src/admin/admin.ts')
const { PATH, NODE_COMPILE_CACHE } = process.env

/** Runs a command of the operator; returns what it printed, also when it refused. */
export async function operate(
  env: Readonly<Record<string, string | undefined>>,
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, ['--no-warnings', ADMIN, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  // Not at its exit: what it printed last may still be on the way then.
  const [code]: (number | null)[] = await once(child, 'close')
  return { code: code ?? null, output: output.trim() }
}
