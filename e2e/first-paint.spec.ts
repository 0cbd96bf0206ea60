import type { Request } from '@playwright/test'
import { expect, test } from './test.ts'

/** What TCP sends before it waits for an answer. */
const FIRST_WINDOW = 14_000

for (const [path, button] of [
  ['/login', 'LOGIN'],
  ['/join', 'JOIN'],
] as const)
  test(`${path} is on the screen after HTML and CSS that one round trip brings, before any script or font`, async ({
    page,
  }) => {
    const needed: Request[] = []
    page.on('requestfinished', (request) => {
      if (['document', 'stylesheet'].includes(request.resourceType())) needed.push(request)
    })
    await page.route(/\.(?:js|woff2)$/, (route) => route.abort())
    await page.goto(path)
    await expect(page.getByRole('button', { name: button })).toBeVisible()
    const sizes = await Promise.all(needed.map((request) => request.sizes()))
    const sent = sizes.map(({ responseHeadersSize, responseBodySize }) => responseHeadersSize + responseBodySize)
    const encodings = await Promise.all(
      needed.map(async (request) => (await request.response())?.headerValue('content-encoding')),
    )
    expect(encodings).toEqual(['br', 'br'])
    expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(FIRST_WINDOW)
    // Painted, not only there.
    const paints = 'performance.getEntriesByType("paint").map(({ name }) => name)'
    await expect.poll(() => page.evaluate<string[]>(paints)).toContain('first-contentful-paint')
  })
