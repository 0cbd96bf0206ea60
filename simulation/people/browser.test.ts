import { once } from 'node:events'
import { createServer } from 'node:http'
import { Pool } from 'undici'
import { expect, test } from 'vitest'
import { newBrowser } from './browser.ts'

test('a press reaches the server at once, however many others are not answered yet', async () => {
  const asked: string[] = []
  const server = createServer((request) => void asked.push(request.url ?? '')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const browser = newBrowser(Pool, `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
  try {
    for (let n = 1; n <= 12; n += 1) browser.request({ method: 'GET', path: `/${n}` }).catch(() => undefined)
    await expect.poll(() => asked.length).toBe(12)
  } finally {
    await browser.destroy()
    server.closeAllConnections()
    server.close()
  }
})
