// `npm run prove`: everything set up, then the long judges on the pinned Node (scripts/prove/main.ts).
import { spawnSync } from 'node:child_process'
import { main, NODE, ROOT, setup } from './setup.mjs'

await main(() => {
  setup()
  const { status } = spawnSync(NODE, ['scripts/prove/main.ts', ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
})
