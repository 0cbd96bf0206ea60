import { createInterface } from 'node:readline/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { OperatorError } from '@digger/database'
import { readVariables } from './env-file.ts'
import { setUp } from './setup.ts'

export const SETUP_USAGE = `  setup                    필요한 것을 묻고, 환경 파일과 마스터 키와 폴더를 만든다
                           --file 파일(없으면 digger.env), --home 폴더, --answers 파일(이름=값; 묻지 않는다), --replace`

/** Who is asked, and told. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** `npm run admin -- setup`: opens no database, and is done before there is one. */
export async function runSetup(args: readonly string[], ends: Terminal): Promise<void> {
  const { file, home, answers, replace } = optionsOf(args)
  const terminal = answers === undefined ? openTerminal(ends) : null
  try {
    await setUp({
      file: resolve(file),
      home: resolve(home),
      answers: answers === undefined ? null : readVariables(answers),
      replace,
      ask: (text) => (terminal === null ? Promise.resolve('') : terminal.ask(text)),
      print: (line) => void ends.output.write(`${line}\n`),
    })
  } finally {
    terminal?.close()
  }
}

function optionsOf(args: readonly string[]) {
  const options = {
    file: { type: 'string', default: 'digger.env' },
    home: { type: 'string', default: '.' },
    answers: { type: 'string' },
    replace: { type: 'boolean', default: false },
  } as const
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new OperatorError(`쓰는 법: npm run admin -- setup\n${SETUP_USAGE}`, { cause: error })
  }
}

/** A person at a terminal. Whoever ends the input ends the questions: nothing is written then. */
function openTerminal(ends: Terminal) {
  const terminal = createInterface({ ...ends })
  const ended = new Promise<never>((_, reject) => {
    terminal.once('close', () => reject(new OperatorError('입력이 끝나 아무것도 쓰지 않았습니다.')))
  })
  ended.catch(() => undefined)
  return {
    ask: (text: string): Promise<string> => Promise.race([terminal.question(text), ended]),
    close: () => terminal.close(),
  }
}
