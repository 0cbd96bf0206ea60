/** `KIS_PAPER=1 npm run paper`: what the client relies on, asked of the broker's own paper account. Not part of `npm test`. */
import { runPaper } from './run.ts'

const outcomes = await runPaper({ env: process.env, write: (line) => process.stdout.write(`${line}\n`) })
if (outcomes !== null && [...outcomes.values()].includes('failed')) process.exitCode = 1
