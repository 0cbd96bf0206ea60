import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertPage, missingStyles, styleFirst, withinLimit } from './prerender.ts'

const SHELL = '<head><title>Digger</title></head><body><div id="root"></div></body>'

test('the page and its title stand in index.html, signs of replacement included', () => {
  expect(insertPage(SHELL, '<p>$& 1$</p>', '로그인')).toBe(
    '<head><title>로그인</title></head><body><div id="root"><p>$& 1$</p></div></body>',
  )
  expect(() => insertPage('<body></body>', '', '')).toThrow('no place')
})

test('a class without a style is named once', () => {
  const html = '<p class="a b"></p><p class="b lost"></p><p class="lost"></p>'
  expect(missingStyles(html, '.a{color:red}.b{color:blue}')).toEqual(['.lost'])
  expect(missingStyles(html, '.a{}.b{}.lost{}')).toEqual([])
})

test('the style sheet is asked for before any script', () => {
  const [async, module] = ['<script async src="/a.js"></script>', '<script type="module" src="/b.js"></script>']
  const style = '<link rel="stylesheet" crossorigin href="/assets/c.css">'
  const font = '<link rel="preload" href="/f.woff2" as="font" />'
  expect(styleFirst(`<head>${async}${font}${module}\n    ${style}</head>`)).toBe(
    `<head>\n    ${style}${async}${font}${module}</head>`,
  )
  expect(() => styleFirst(`<head>${async}</head>`)).toThrow('no style sheet')
})

test('what the first paint waits for is counted as it is sent, and limited', () => {
  expect(withinLimit('/login', ['a'.repeat(20_000), 'b'.repeat(10_000)])).toBe(
    '/login: first paint after 0.0 kB compressed HTML+CSS (raw 30.0, limit 14)',
  )
  // Nothing makes random digits shorter than half their number.
  expect(withinLimit('/login', [randomBytes(13_000).toString('hex')])).toContain('limit 14')
  expect(() =>
    withinLimit(
      '/login',
      [randomBytes(7_200), randomBytes(7_200)].map((bytes) => bytes.toString('hex')),
    ),
  ).toThrow('/login: first paint after')
})
