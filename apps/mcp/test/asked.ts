import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Reply } from '@digger/contract'
import type { Person, ServerFixture } from '@digger/server/testing'
import { main } from '../src/main.ts'

/** The program itself. */
export const ARGS = ['--disable-sigusr1', fileURLToPath(new URL('../src/main.ts', import.meta.url))]

/** The MCP server as its program serves it, and the reference client that talks to it over its streams. */
export interface Asked {
  readonly client: Client
  /** All that it wrote beside its answers. */
  readonly stderr: () => string
  [Symbol.asyncDispose](): Promise<void>
}

export async function startMcp(env: Record<string, string>): Promise<Asked> {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  let stderr = ''
  streams.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()))
  main(env, streams)
  const client = new Client({ name: 'test', version: '1.0.0' })
  // The lines of either end are the same.
  await client.connect(new StdioServerTransport(streams.stdout, streams.stdin))
  return {
    client,
    stderr: () => stderr,
    [Symbol.asyncDispose]: async () => {
      await client.close()
      streams.stdin.end()
    },
  }
}

/** A token of the person, by the call that the page makes. */
export async function tokenOf(fixture: ServerFixture, { cookie }: Person, scope = 'read'): Promise<string> {
  const payload = { name: 'assistant', scope, days: 7 }
  const reply = await fixture.call('POST', '/api/user/token', { cookie, payload })
  return reply.json<Reply<'makeApiToken'>>().secret
}
