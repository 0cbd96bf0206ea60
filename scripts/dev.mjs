// `npm run dev`: the server, restarted when its sources change, and Vite with hot reload in front of it.
import { spawn } from 'node:child_process'
import { main, NODE, ROOT } from './setup.mjs'

const start = (args) => spawn(NODE, args, { cwd: ROOT, stdio: 'inherit' })

await main(async () => {
  const both = [
    start(['--watch-preserve-output', '--watch', 'apps/digger/src/main.ts']),
    start(['node_modules/vite/bin/vite.js', 'packages/web']),
  ]
  const stop = () => both.forEach((child) => child.kill('SIGTERM'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)

  // Either of them alone is of no use.
  const ended = both.map((child) => new Promise((resolve) => child.on('exit', resolve)))
  await Promise.race(ended)
  stop()
  await Promise.all(ended)
})
