import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { boot, BOOT } from './boot.ts'
import { prerender } from './prerender.ts'
import { weigh } from './weigh.ts'

const INPUT = { main: new URL('index.html', import.meta.url).pathname, boot: BOOT }

/**
 * What is fetched together: few files, because each costs a request with its headers and small ones hardly compress. A part
 * takes along what it imports, apart from what an earlier one has.
 */
const PARTS: [name: string, modules: RegExp][] = [
  ['boot', /src\/boot\.ts|vite\/preload-helper/],
  // What every page needs, log-in included.
  ['base', /src\/main\.tsx|src\/app\/App\.tsx|login\/(?:LoginPage|JoinPage)/],
  // The frame behind the log-in, balance and stock list.
  ['home', /app\/Shell\.tsx|stock\/(?:BalancePage|StockListPage)|chart\/candles|components\/(?:Table|Segments)/],
  ['chart', /components\/chart\/(?:Plot|axes|AmountChart|LinesChart|PriceChart)/],
  ['trade', /features\/stock\/(?:trade\/TradePage|SettingsPage|EditDialog)/],
  ['more', /features\/(?:report|broker|socket)\/|login\/PasswordPage/],
  ['admin', /src\/app\/admin\//],
]

export default defineConfig({
  plugins: [react(), boot(), weigh(), prerender()],
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
        codeSplitting: { groups: PARTS.map(([name, test], at) => ({ name, test, priority: PARTS.length - at })) },
      },
    },
  },
})
