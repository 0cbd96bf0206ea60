import { defineConfig } from '@playwright/test'

/** The two sizes everything is shown at. */
export const onPhone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
export const desktop = { width: 1440, height: 900 }

/** Chromium of the machine, also as root, without its own errands on the network. */
export const launchOptions = {
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

export default defineConfig<object, { target: 'fixture' | 'server' }>({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  // Pictures are for people (npm run shots); they prove nothing.
  testIgnore: process.env['SHOTS'] ? [] : '**/shots.spec.ts',
  // A busy machine is slow, not wrong.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: '../test-results',
  // Two cores: two browsers at most.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    // Recording every step would take as long as the steps; `--trace on` records what one wants to see.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Its installation would compete with the page under test; offline.spec.ts lets it work.
    serviceWorkers: 'block',
    launchOptions,
  },
  projects: [
    // The same steps against the real server and the pretend KIS: first, so that the others run beside its one worker (one
    // server is enough).
    {
      name: 'whole',
      grepInvert: /@fixture/,
      workers: 1,
      testIgnore: ['**/access.spec.ts', '**/shots.spec.ts'],
      use: { ...onPhone, target: 'server' },
    },
    {
      name: 'phone',
      testIgnore: ['**/walk.spec.ts', ...(process.env['SHOTS'] ? [] : ['**/shots.spec.ts'])],
      use: onPhone,
    },
    // Only what a wide screen shows or does differently.
    {
      name: 'desktop',
      testMatch: ['**/access.spec.ts', '**/shell.spec.ts', '**/session.spec.ts', '**/shots.spec.ts'],
      use: { viewport: desktop },
    },
  ],
})
