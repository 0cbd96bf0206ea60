import { defineConfig } from '@playwright/test'
import { launchOptions } from '../../playwright.config.ts'

/** Run by coverage.spec.ts only. */
export default defineConfig({
  testMatch: 'browser.ts',
  workers: 1,
  outputDir: '../../../test-results/samples',
  use: { launchOptions },
})
