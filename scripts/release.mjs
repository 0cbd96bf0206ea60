// `npm run release`: packages installed, then the release made on the pinned Node, which may just have been installed.
import { spawnSync } from 'node:child_process'
import { install, main, NODE, ROOT } from './setup.mjs'

await main(() => {
  install()
  process.exitCode = spawnSync(NODE, ['scripts/make-release.ts'], { cwd: ROOT, stdio: 'inherit' }).status ?? 1
})
