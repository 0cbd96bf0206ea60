import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { DatabaseModel } from './model.ts'

/** The model behind a port: the product connects to it as to any PostgreSQL. */
export async function onPort(model: DatabaseModel): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((socket) => model.connect(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `postgres://digger@127.0.0.1:${port}/digger`,
    async close() {
      server.close()
      await once(server, 'close')
    },
  }
}
