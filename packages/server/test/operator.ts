import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ADMIN = join(import.meta.dirname, '../src/admin.ts')

/** A command of the operator; what it printed, also when it refused. */
export async function operate(
  env: Readonly<Record<string, string | undefined>>,
  ...words: readonly string[]
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, ['--no-warnings', ADMIN, ...words], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
  const [code]: (number | null)[] = await once(child, 'exit')
  return { code: code ?? null, said: said.trim() }
}
