import { covers, expect, settled, test } from '../../test.ts'

/** What coverage.spec.ts must tell apart. */
test('compares something', covers('/balance'), () => expect(1).toBe(1))
test('compares what it waits for', covers('/stock'), () => expect.poll(() => 1).toBe(1))
test('was emptied', covers('/gain'), () => undefined)
test('only waits', covers('/gain'), async ({ page }) => {
  await page.setContent('<main></main>')
  await settled(page)
})
test('was emptied and proves no sentence', () => undefined)
test('leaves itself out', covers('/money'), () => {
  test.skip(process.pid > 0, 'as it does not suit it')
  expect(1).toBe(1)
})
test('is given what the product never answers', async ({ request, site }) => {
  site.fixture?.state.setPrice('u1', '005930', 0.5)
  await request.post('/api/login', { data: site.user })
  expect((await request.get('/api/user/stock/005930')).status()).toBe(200)
})
