// `npm start`: everything set up, then the server on the pinned Node, with signals and exit code passed through.
import { spawn } from 'node:child_process'
import { main, NODE, ROOT, setup, SetupError } from './setup.mjs'

/** No signal opens Node's inspector: every key and password in memory could be read through it. */
const FLAGS = ['--disable-sigusr1']

await main(async () => {
  setup()
  const server = spawn(NODE, [...FLAGS, 'apps/digger/src/main.ts', ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  process.on('SIGTERM', () => server.kill('SIGTERM'))
  process.on('SIGHUP', () => server.kill('SIGHUP'))
  // A terminal sends its Ctrl-C to the server as well; a second one would look like impatience.
  process.on('SIGINT', () => process.stdin.isTTY || server.kill('SIGINT'))

  const [code, signal] = await new Promise((resolve, reject) => {
    server.on('error', (cause) => reject(new SetupError(`the server could not be started: ${cause.message}`)))
    server.on('exit', (...end) => resolve(end))
  })
  if (signal) console.error(`the server was ended by ${signal}`)
  process.exitCode = code ?? 1
})
