import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/programs/programs.mjs'

/** The two sizes everything is shown at. */
const onPhone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
const desktop = { width: 1440, height: 900 }

/**
 * What Chromium leaves out. It heeds the last such list only, so this one has Playwright's own again, and three of ours:
 * for every page that a test opens, it would start two processes for suggestions under an address bar nobody sees and
 * one to spare (0.7 s of a core).
 */
const withoutFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** Also as root, and without its own errands on the network. */
export const launchOptions = {
  executablePath: findChromium() ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${withoutFeatures.join(',')}`,
  ],
}

// Pictures are for people (npm run shots); they prove nothing.
const withoutPictures = process.env['SHOTS'] ? [] : '**/shots.spec.ts'

/** Some people ask their system for less motion. The same tests run on the phone with all of it. */
const reducedMotion = { contextOptions: { reducedMotion: 'reduce' as const } }
/** A press waits for what it presses, but not for ever: steps that are repeated until the server is ready must come to their end. */
const actionLimit = 30_000
/** The product as people start it, with the pretend KIS: one server for all tests that are not made up, but those that change it. */
const real = {
  workers: 1,
  // It trades at the broker's pace, beside other tests on the same two cores.
  timeout: 180_000,
  expect: { timeout: 30_000 },
}
/** Of the real server, by people who others use meanwhile. */
const READ_ONLY = ['**/menus.spec.ts', '**/walk.spec.ts']
const NOT_SHARED = /@(?:fixture|own|everybody)/
const asReal = { actionTimeout: actionLimit, target: 'server' as const }
/** All of it on a wide screen, too: `npm run prove -- wide`. */
const isAllWide = process.env['WIDE'] === '1'
/** Of the demonstration, and of nobody else's tests. */
const junho = { email: 'junho@example.com', password: 'digger-junho' }

export default defineConfig<
  object,
  { target: 'fixture' | 'server'; server: 'shared' | 'own'; user: { email: string; password: string } }
>({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  // A busy machine is slow, not wrong.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: '../test-results',
  // There are two cores: tests of the real server often wait for the market, other browsers use the time.
  workers: 4,
  fullyParallel: false,
  forbidOnly: true,
  // A test that fails by chance is mended, not tried again.
  retries: 0,
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    screenshot: 'only-on-failure',
    // Its installation would compete with the page under test; offline.spec.ts lets it work.
    serviceWorkers: 'block',
    launchOptions,
  },
  projects: [
    // Each waits for the market with a person of its own, beside those who share the people of the demonstration.
    { name: 'own', ...real, grep: /@own/, use: { ...onPhone, ...asReal } },
    { name: 'phone', ...real, testIgnore: READ_ONLY, grepInvert: NOT_SHARED, use: { ...onPhone, ...asReal } },
    // What only looks does not disturb the others.
    { name: 'looking', ...real, testMatch: READ_ONLY, grepInvert: NOT_SHARED, use: { ...onPhone, ...asReal } },
    // What looks or is reached in another way where there is room, by somebody whom the phone does not meet.
    {
      name: 'wide',
      ...real,
      ...(isAllWide ? { grepInvert: /@(?:fixture|everybody)/ } : { grep: /@wide/ }),
      use: { viewport: desktop, ...reducedMotion, ...asReal, ...(!isAllWide && { user: junho }) },
    },
    // These change a server for everybody: stops, keys, the time. They have another.
    {
      name: 'everybody',
      ...real,
      grep: /@everybody/,
      use: { ...onPhone, ...asReal, server: 'own' },
    },
    // What no real server shows on demand: made-up numbers, failures, what exactly is sent.
    {
      name: 'made-up',
      testIgnore: withoutPictures,
      grep: /@fixture/,
      // One process fewer for each browser; nothing here is drawn by a graphics card.
      use: {
        ...onPhone,
        ...reducedMotion,
        launchOptions: { ...launchOptions, args: [...launchOptions.args, '--in-process-gpu'] },
      },
    },
    // Pictures at the other size.
    ...(process.env['SHOTS']
      ? [
          {
            name: 'made-up wide',
            grep: /(faces|shots)\.spec\.ts.*@fixture/,
            use: { viewport: desktop, ...reducedMotion },
          },
        ]
      : []),
  ],
})
