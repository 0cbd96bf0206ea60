import { expect, test } from 'vitest'
import { insertPage, missingStyles } from './prerender.ts'

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
