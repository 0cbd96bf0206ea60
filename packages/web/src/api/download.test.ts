import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openQuestions } from '../ask/ask.ts'
import { download, fileName } from './download.ts'

test.each([
  [
    `attachment; filename="digger-gain.csv"; filename*=UTF-8''%EB%94%94%EA%B1%B0_%EC%86%90%EC%9D%B5.csv`,
    '디거_손익.csv',
  ],
  ['attachment; filename="digger-gain.csv"', 'digger-gain.csv'],
  ['attachment', 'digger'],
  [null, 'digger'],
])('%s is saved as %s', (disposition, name) => expect(fileName(disposition)).toBe(name))

const GIVEN = {
  params: { userId: 'user', table: 'gain' as const },
  query: { fromDate: '20261101', toDate: '20261130' },
}
const reply = (body: BodyInit) =>
  new Response(body, {
    headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="digger-gain.csv"' },
  })

/** What a browser would do with a link that is pressed. */
interface Link {
  href: string
  download: string
  click: () => void
}
let pressed: Link[]
const shared: File[][] = []

beforeEach(() => {
  pressed = []
  shared.length = 0
  vi.useFakeTimers()
  vi.stubGlobal('window', { dispatchEvent: () => true })
  vi.stubGlobal('document', {
    createElement: (): Link => {
      const link: Link = { href: '', download: '', click: () => void pressed.push(link) }
      return link
    },
  })
  vi.stubGlobal('navigator', {})
})
afterEach(() => {
  for (const { answer } of openQuestions()) answer(null)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const questions = () => openQuestions().map(({ question }) => question)

describe('a file', () => {
  test('is fetched whole and saved under its name', async () => {
    const fetch = vi.fn<(url: string) => Promise<Response>>(async () => reply('손익\r\n-5\r\n'))
    vi.stubGlobal('fetch', fetch)
    await download('exportTable', GIVEN)
    expect(fetch.mock.calls[0]?.[0]).toBe('/api/user/export/gain?fromDate=20261101&toDate=20261130')
    expect(pressed.map((link) => link.download)).toEqual(['digger-gain.csv'])
    expect(pressed[0]?.href).toMatch(/^blob:/)
    expect(questions()).toEqual([])
  })

  test.each<[name: string, answer: () => Promise<Response>, message: string]>([
    [
      'is refused',
      async () => new Response('{"code":"BUSY","message":"잠시 뒤에 다시 해 주세요."}', { status: 429 }),
      '잠시 뒤에 다시 해 주세요.',
    ],
    ['comes from a gateway in trouble', async () => new Response('<html>', { status: 502 }), '502'],
    ['does not come', async () => Promise.reject(new TypeError('Failed to fetch')), '인터넷 연결을 확인해 주세요.'],
    [
      'is cut off',
      async () => reply(new ReadableStream({ pull: (stream) => stream.error(new TypeError('network error')) })),
      '파일을 받다가 끊겼습니다. 다시 내려받아 주세요.',
    ],
  ])('that %s is not saved, and its person hears why', async (_name, answer, message) => {
    vi.stubGlobal('fetch', answer)
    void download('exportTable', GIVEN)
    await vi.waitFor(() =>
      expect(questions()).toMatchObject([{ kind: 'alert', message: expect.stringContaining(message) }]),
    )
    expect(pressed).toEqual([])
  })

  test('on an iPhone’s home screen is offered to its sheet, at a press of its own', async () => {
    vi.stubGlobal('fetch', async () => reply('손익\r\n'))
    vi.stubGlobal('navigator', {
      standalone: true,
      canShare: () => true,
      share: async ({ files }: { files: File[] }) => void shared.push(files),
    })
    const saving = download('exportTable', GIVEN)
    await vi.waitFor(() =>
      expect(questions()).toMatchObject([{ kind: 'confirm', note: 'digger-gain.csv', yes: '저장하기' }]),
    )
    expect(shared).toEqual([])
    openQuestions()[0]?.answer(true)
    await saving
    expect(shared.map((files) => files.map(({ name, type }) => [name, type]))).toEqual([
      [['digger-gain.csv', 'text/csv']],
    ])
    expect(pressed).toEqual([])
  })

  test.each<[name: string, error: Error, alerts: number]>([
    ['closed', new DOMException('closed', 'AbortError'), 0],
    ['that fails', new DOMException('not now', 'NotAllowedError'), 1],
  ])('a sheet %s', async (_name, error, alerts) => {
    vi.stubGlobal('fetch', async () => reply('손익\r\n'))
    vi.stubGlobal('navigator', { standalone: true, canShare: () => true, share: () => Promise.reject(error) })
    const saving = download('exportTable', GIVEN)
    await vi.waitFor(() => expect(questions()).toHaveLength(1))
    openQuestions()[0]?.answer(true)
    await saving
    expect(questions().map(({ kind }) => kind)).toEqual(Array.from({ length: alerts }, () => 'alert'))
  })
})
