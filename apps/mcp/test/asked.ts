import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Reply } from '@digger/contract'
import type { Person, ServerFixture } from '@digger/server/testing'

export const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
export const ARGS = ['--disable-sigusr1', MAIN]

/** The MCP server as a process, and the reference client that talks to it. */
export interface Asked {
  readonly client: Client
  /** All that it wrote beside its answers. */
  readonly stderr: () => string
  [Symbol.asyncDispose](): Promise<void>
}

export async function spawnMcp(env: Record<string, string>): Promise<Asked> {
  const transport = new StdioClientTransport({ command: process.execPath, args: ARGS, env, stderr: 'pipe' })
  let stderr = ''
  transport.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()))
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  return { client, stderr: () => stderr, [Symbol.asyncDispose]: () => client.close() }
}

/** A token of the person, by the call that the page makes. */
export async function tokenOf(fixture: ServerFixture, { cookie }: Person, scope = 'read'): Promise<string> {
  const payload = { name: 'assistant', scope, days: 7 }
  const reply = await fixture.call('POST', '/api/user/token', { cookie, payload })
  return reply.json<Reply<'makeApiToken'>>().secret
}
