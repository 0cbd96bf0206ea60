import type { Page } from '@playwright/test'

export const WIDE = { width: 1440, height: 900 }

/** Looks at the same page on a phone and on a desktop. */
export async function atBothSizes(page: Page, look: (isWide: boolean) => Promise<void>): Promise<void> {
  const phone = page.viewportSize()
  await look(false)
  await page.setViewportSize(WIDE)
  await look(true)
  if (phone !== null) await page.setViewportSize(phone)
}
