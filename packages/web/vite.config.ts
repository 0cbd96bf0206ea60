import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { BOOT_SOURCE, bootScript } from './build/bootScript.ts'
import { bundleBudget } from './build/bundleBudget.ts'
import { fontSubset } from './build/fontSubset.ts'
import { nameSyllables } from './build/nameSyllables.ts'
import { prerender } from './build/prerender.ts'
import { serviceWorker } from './build/serviceWorker.ts'

const INPUT = { main: new URL('index.html', import.meta.url).pathname, boot: BOOT_SOURCE }

/**
 * Modules that are loaded together make one chunk: few files, because each costs a request with its headers and small ones
 * hardly compress. A chunk includes what its modules import, except for what an earlier chunk has.
 */
const CHUNKS: [name: string, modules: RegExp][] = [
  ['boot', /src\/boot\.ts|vite\/preload-helper/],
  // Every page needs these, the log-in included.
  ['base', /src\/main\.tsx|src\/app\/App\.tsx|login\/(?:LoginPage|JoinPage)/],
  // These are the frame behind the log-in, the balance and the stock list.
  ['home', /app\/Shell\.tsx|stock\/(?:BalancePage|StockListPage)|components\/(?:Table|Segments)/],
  ['chart', /components\/chart\/(?:SeriesChart|PriceChart)/],
  ['trade', /features\/stock\/(?:trade\/TradePage|SettingsPage|EditDialog)/],
  ['more', /features\/(?:report|broker|socket|limits|notification)\/|login\/PasswordPage/],
  ['admin', /src\/app\/admin\//],
]

export default defineConfig({
  plugins: [react(), fontSubset(), nameSyllables(), bootScript(), bundleBudget(), serviceWorker(), prerender()],
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': 'http://localhost:8081', '/health': 'http://localhost:8081' },
  },
  build: {
    target: 'es2023',
    // Fonts stay files: inlined, every subset would be downloaded with the style sheet.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: INPUT,
      output: {
        codeSplitting: { groups: CHUNKS.map(([name, test], at) => ({ name, test, priority: CHUNKS.length - at })) },
      },
    },
  },
})
