// `npm run cluster`: everything set up, then a database, NATS, a pretend exchange, three workers and two gateways on this machine.
import { spawn } from 'node:child_process'
import { main, NODE, ROOT, setup } from './setup.mjs'

await main(async () => {
  setup()
  const cluster = spawn(NODE, ['scripts/cluster.ts'], { cwd: ROOT, stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => cluster.kill(signal))
  // A terminal sends its Ctrl-C to the cluster as well.
  process.on('SIGINT', () => process.stdin.isTTY || cluster.kill('SIGINT'))
  const [code] = await new Promise((resolve) => cluster.on('exit', (...end) => resolve(end)))
  process.exitCode = code ?? 1
})
