import { expect, test } from 'vitest'
import { pathUserOf } from '../url/user.ts'
import { adminPages } from './adminPages.ts'
import { pages } from './pages.ts'

test.each([...Object.keys(pages), ...Object.keys(adminPages)])('the path %s has no user id, and means me', (path) => {
  expect(pathUserOf(path)).toBe('user')
  expect(pathUserOf(`/u2${path}`)).toBe('u2')
})
