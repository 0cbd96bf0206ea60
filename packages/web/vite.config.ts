import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { weigh } from './weigh.ts'

export default defineConfig({
  plugins: [react(), weigh()],
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
  },
})
