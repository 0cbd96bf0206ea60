import { configOrExit } from '@digger/config'
import { createLogger } from '@digger/server'
import { firstRun, wantsFirstRun } from './first-run.ts'
import { loginLines, startMarket, withDemoKey } from './market.ts'

/**
 * Parts of the demonstration by themselves, for several processes that share it: `make` fills DATA_DIR with people, four weeks of
 * trades and a master key, and ends; `market` is their pretend exchange, until it is ended.
 */
const [part] = process.argv.slice(2)
process.umask(0o077)
const config = withDemoKey(configOrExit(process.env))
const print = (line: string): void => void process.stdout.write(`${line}\n`)

if (part === 'make') {
  if (wantsFirstRun(config)) await firstRun({ config, log: createLogger('warn'), print })
  loginLines().forEach(print)
} else if (part === 'market') {
  const market = await startMarket(config)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void market.close())
} else {
  throw new Error('demo.ts make | market')
}
