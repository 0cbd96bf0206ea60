import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { OperatorError } from '@digger/database'

/** From the terminal, without showing what is typed; from a pipe its first line. */
export async function askPassword(): Promise<string> {
  const { stdin, stderr } = process
  stderr.write('비밀번호: ')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY })
  try {
    for await (const line of lines) return line
    throw new OperatorError('비밀번호를 받지 못했습니다.')
  } finally {
    lines.close()
    stderr.write('\n')
  }
}
