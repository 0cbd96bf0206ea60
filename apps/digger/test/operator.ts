import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { OperatorError } from '@digger/database'
import { admin } from '../src/admin/admin.ts'

/** A command of the operator, as from a terminal where nobody types; returns what it prints, also when it refuses. */
export async function operate(
  env: Readonly<Record<string, string | undefined>>,
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const output = new PassThrough()
  const printed = text(output)
  let code = 0
  try {
    await admin(words, env, { input: Readable.from([]), output })
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    code = 1
    output.write(error.message)
  }
  output.end()
  return { code, output: (await printed).trim() }
}
