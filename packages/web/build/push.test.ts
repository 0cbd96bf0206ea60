import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { workerScript } from './serviceWorker.ts'

const ORIGIN = 'https://digger.example'

class FakeEvent {
  readonly done: Promise<unknown>[] = []
  waitUntil(work: Promise<unknown>): void {
    this.done.push(work)
  }
}
class PushEvent extends FakeEvent {
  readonly data: { text: () => string } | null = null
}
class NotificationEvent extends FakeEvent {
  readonly notification = { close: () => undefined, data: undefined as unknown }
}
class PushSubscription {
  readonly options = { applicationServerKey: new ArrayBuffer(65) }
  toJSON = () => ({ endpoint: 'https://push.example/new', keys: { p256dh: 'p', auth: 'a' } })
}

interface FakeWindow {
  url: string
  visibilityState: string
  focus: () => Promise<void>
  navigate: (path: string) => Promise<void>
}

/** The worker as the build writes it, in a place that writes down what it does. */
async function startWorker({ windows = [], online = true }: { windows?: FakeWindow[]; online?: boolean } = {}) {
  const listeners = new Map<string, (event: FakeEvent) => void>()
  const did: unknown[][] = []
  const scope = {
    URL,
    Reflect,
    JSON,
    Set,
    location: new URL(ORIGIN),
    ExtendableEvent: FakeEvent,
    FetchEvent: FakeEvent,
    PushEvent,
    NotificationEvent,
    PushSubscription,
    addEventListener: (name: string, listener: (event: FakeEvent) => void) => listeners.set(name, listener),
    registration: {
      showNotification: async (title: string, options: object) => void did.push(['show', title, options]),
      pushManager: {
        subscribe: async (options: object) => {
          did.push(['subscribe', options])
          return new PushSubscription()
        },
      },
    },
    clients: {
      matchAll: async () => windows,
      openWindow: async (path: string) => void did.push(['open', path]),
    },
    fetch: async (url: string, init: { body: string }) => {
      did.push(['fetch', url, JSON.parse(init.body)])
      if (!online) throw new TypeError('Failed to fetch')
    },
  }
  const script = await workerScript({ id: 'test', files: [], shell: [] })
  runInContext(script, createContext(scope))
  const fire = async (name: string, event: FakeEvent) => {
    listeners.get(name)?.(event)
    await Promise.all(event.done)
    return did.splice(0)
  }
  return {
    push: (text: string | null) =>
      fire('push', Object.assign(new PushEvent(), { data: text === null ? null : { text: () => text } })),
    press: (data: unknown) =>
      fire(
        'notificationclick',
        Object.assign(new NotificationEvent(), { notification: { close: () => undefined, data } }),
      ),
    change: (fields: object) => fire('pushsubscriptionchange', Object.assign(new FakeEvent(), fields)),
  }
}

test('a push shows what the server says, once for each id', async () => {
  const worker = await startWorker()
  const payload = {
    id: 'a1',
    title: '삼성전자 3주를 샀습니다',
    body: '71,000원에',
    url: '/u1/notification',
    silent: true,
  }
  expect(await worker.push(JSON.stringify(payload))).toEqual([
    [
      'show',
      '삼성전자 3주를 샀습니다',
      {
        body: '71,000원에',
        tag: 'a1',
        silent: true,
        icon: '/icon-192.png',
        badge: '/badge-96.png',
        data: '/u1/notification',
      },
    ],
  ])
})

test.each([null, '', 'nonsense', '7', 'null', '[]', '{}', '{"title":7,"body":"x"}', '{"title":"","body":"x"}'])(
  'a push of %j shows that there is something: browsers want to see something',
  async (text) => {
    const worker = await startWorker()
    expect(await worker.push(text)).toEqual([
      ['show', 'Digger 알림', expect.objectContaining({ body: '눌러서 확인해 주세요.', silent: false, tag: 'digger' })],
    ])
  },
)

test('a body that is none does not hide the title', async () => {
  const worker = await startWorker()
  expect(await worker.push('{"id":"a","title":"멈췄습니다"}')).toEqual([
    ['show', '멈췄습니다', expect.objectContaining({ tag: 'a' })],
  ])
})

test.each<[unknown, string]>([
  ['/u1/notification', '/u1/notification'],
  [`${ORIGIN}/u1/notification?a=b`, '/u1/notification?a=b'],
  ['https://elsewhere.example/u1/notification', '/'],
  ['//elsewhere.example/', '/'],
  ['http://digger.example/', '/'],
  ['https://digger.example.evil/', '/'],
  ['javascript:alert(1)', '/'],
  ['data:text/html,x', '/'],
  ['http://[', '/'],
  [null, '/'],
  [undefined, '/'],
  [7, '/'],
])('a press on one that names %j opens %s', async (url, path) => {
  const worker = await startWorker()
  expect(await worker.press(url)).toEqual([['open', path]])
})

const windowAt = (url: string, visibilityState: string, taken: string[], navigates = true): FakeWindow => ({
  url: ORIGIN + url,
  visibilityState,
  focus: async () => void taken.push(`focus ${url}`),
  navigate: async (path) => {
    if (!navigates) throw new TypeError('not of this worker')
    taken.push(`navigate ${url} to ${path}`)
  },
})

test('an open window is taken, the visible one first, and led to the page', async () => {
  const taken: string[] = []
  const windows = [windowAt('/a', 'hidden', taken), windowAt('/b', 'visible', taken)]
  expect(await (await startWorker({ windows })).press('/u1/notification')).toEqual([])
  expect(taken).toEqual(['focus /b', 'navigate /b to /u1/notification'])
})

test('a window that shows the page already is not loaded anew', async () => {
  const taken: string[] = []
  const worker = await startWorker({ windows: [windowAt('/u1/notification', 'hidden', taken)] })
  expect(await worker.press(`${ORIGIN}/u1/notification`)).toEqual([])
  expect(taken).toEqual(['focus /u1/notification'])
})

test('beside a window that this worker may not lead anywhere another is opened', async () => {
  const worker = await startWorker({ windows: [windowAt('/a', 'visible', [], false)] })
  expect(await worker.press('/u1/notification')).toEqual([['open', '/u1/notification']])
})

const REGISTERED = [
  'fetch',
  '/api/user/notification/channel',
  { kind: 'push', label: expect.any(String), endpoint: 'https://push.example/new', p256dh: 'p', auth: 'a' },
]

test('a browser that changes its address is subscribed with the same key, and the server is asked to take it', async () => {
  const worker = await startWorker()
  const old = new PushSubscription()
  const { applicationServerKey } = old.options
  expect(await worker.change({ oldSubscription: old })).toEqual([
    ['subscribe', { userVisibleOnly: true, applicationServerKey }],
    REGISTERED,
  ])
  expect(await worker.change({ oldSubscription: old, newSubscription: new PushSubscription() })).toEqual([REGISTERED])
  expect(await worker.change({})).toEqual([])
  expect(await worker.change({ oldSubscription: null })).toEqual([])
})

test('where nobody can be asked meanwhile, it is left to the page', async () => {
  const worker = await startWorker({ online: false })
  expect(await worker.change({ newSubscription: new PushSubscription() })).toEqual([REGISTERED])
})
