import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterPicture, forgetPending, settle, watchPending } from './pending.ts'

/** The next picture, when the test says. */
let picture: () => void
const done: string[] = []
const press = (name: string) =>
  afterPicture(
    () => done.push(name),
    () => done.push(`${name} at once`),
  )

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', { visibilityState: 'visible' })
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => {
    picture = frame
  })
  done.length = 0
})
afterEach(() => {
  forgetPending()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function show(): void {
  picture()
  vi.advanceTimersByTime(0)
}

test('what a press leads to begins with the picture after it, all of it in order', () => {
  press('a')
  press('b')
  expect(done).toEqual([])
  show()
  expect(done).toEqual(['a', 'b'])
})

test('the next press finds what the last one led to, and nothing is done twice', () => {
  watchPending()
  press('a')
  window.dispatchEvent(new Event('click'))
  expect(done).toEqual(['a at once'])
  press('b')
  show()
  show()
  expect(done).toEqual(['a at once', 'b'])
})

test('who needs the address as it will be gets it', () => {
  press('a')
  settle()
  settle()
  expect(done).toEqual(['a at once'])
})

test('a page that is replaced leads nowhere else', () => {
  press('a')
  forgetPending()
  show()
  expect(done).toEqual([])
})

test('a page that nobody sees waits for no picture', () => {
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  press('a')
  expect(done).toEqual(['a'])
})
