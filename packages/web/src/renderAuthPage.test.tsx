import { expect, test, vi } from 'vitest'
import { renderAuthPage } from './renderAuthPage.tsx'

// The build renders these pages in Node, where nothing of a browser exists.
vi.stubGlobal('location', undefined)

test.each([
  ['/login', 'LOGIN', ['이메일', '비밀번호', 'force kis login']],
  ['/join', 'JOIN', ['이메일', '비밀번호', '비밀번호 확인', 'appKey', 'appSecret', 'accountNumber', 'HTS ID']],
])('%s is rendered without a browser, its form sends nothing by itself', (path, button, labels) => {
  const html = renderAuthPage(path)
  expect(html).toMatch(/<form[^>]* method="dialog"/)
  expect(html).toContain(`>${button}</button>`)
  expect(
    [...html.matchAll(/<label[^>]*>(.*?)<\/label>/g)].map(([, label = '']) => label.replaceAll(/<[^>]+>/g, '')),
  ).toEqual(labels)
  for (const [input] of html.matchAll(/<input[^>]*>/g)) expect(input).toMatch(/ name="\w+"/)
})
