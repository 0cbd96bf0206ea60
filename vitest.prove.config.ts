import { defineConfig } from 'vitest/config'
import { common } from './vitest.config.ts'

/** Tests of `npm run prove`: each file in a process of its own. */
export default defineConfig({
  test: { ...common, include: ['{packages,apps,trials,simulation,scripts}/**/*.prove.ts'], testTimeout: 300_000 },
})
