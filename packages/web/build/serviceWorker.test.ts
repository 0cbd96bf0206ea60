import { expect, test } from 'vitest'
import type { OutputFiles } from './bundleBudget.ts'
import { buildOf } from './serviceWorker.ts'

const asset = (fileName: string, source = '') => ({ type: 'asset' as const, fileName, source })
const bundleOf = (html: string, ...names: string[]): OutputFiles =>
  Object.fromEntries(
    [asset('index.html', html), ...names.map((name) => asset(name))].map((file) => [file.fileName, file]),
  )

test('the worker lists every file with a hash in its name, and which of them the page names', () => {
  const html = '<script src="/assets/main-1.js"></script>'
  const build = buildOf(bundleOf(html, 'assets/main-1.js', 'assets/font-1.woff2', 'icon.svg'))
  expect(build).toMatchObject({ files: ['/assets/font-1.woff2', '/assets/main-1.js'], shell: ['/assets/main-1.js'] })
})

test('another file or another page is another build, the same ones are the same', () => {
  const { id } = buildOf(bundleOf('<p>', 'assets/a-1.js'))
  expect(buildOf(bundleOf('<p>', 'assets/a-1.js')).id).toBe(id)
  expect(buildOf(bundleOf('<p>', 'assets/a-2.js')).id).not.toBe(id)
  expect(buildOf(bundleOf('<b>', 'assets/a-1.js')).id).not.toBe(id)
})

test('a build without a page has no worker', () => expect(() => buildOf({})).toThrow('no index.html'))
