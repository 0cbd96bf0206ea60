import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { Page } from '@playwright/test'

/** What runs in the page is a file of its own, with the types of a browser. */
const inPage = stripTypeScriptTypes(readFileSync(new URL('in-page/layout.ts', import.meta.url), 'utf8')).replaceAll(
  /^export /gm,
  '',
)

/** Text that is cut, lies on other text or on a plot, or leaves the screen. */
export const layoutFaults = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => { ${inPage}; return layoutFaults() })()`)

/** What a wide screen shows too little of. */
export const emptyHalves = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => { ${inPage}; return emptyHalves() })()`)
