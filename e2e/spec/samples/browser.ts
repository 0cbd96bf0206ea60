import { covers, expect, settled, test } from '../../test.ts'

/** What coverage.spec.ts must tell apart. */
test('compares something', covers('/balance'), () => expect(1).toBe(1))
test('compares what it waits for', covers('/stock'), () => expect.poll(() => 1).toBe(1))
test('compares softly', covers('/stock'), () => expect.soft(1).toBe(1))
test('compares by way of not', covers('/stock'), () => expect(1).not.toBe(2))
test('compares what is resolved', covers('/stock'), () => expect(Promise.resolve(1)).resolves.not.toBe(2))
test('compares until it passes', covers('/stock'), () => expect(() => expect(1).toBe(1)).toPass())
test('was emptied', covers('/gain'), () => undefined)
test('lost its matcher', covers('/gain'), () => void expect(1))
test('lost its matcher after not', covers('/gain'), () => void expect(1).not)
test('lost the matcher of what it waits for', covers('/gain'), () => void expect.poll(() => 1))
test('lost its soft matcher', covers('/gain'), () => void expect.soft(1))
test('repeats what compares nothing', covers('/gain'), () => expect(() => undefined).toPass())
test('only waits', covers('/gain'), async ({ page }) => {
  await page.setContent('<main>here</main>')
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
