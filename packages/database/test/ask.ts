import type { Client, ClientConfig, QueryResultRow } from 'pg'
import { clientOf } from '../src/connections.ts'

/** A connection that is there; `end` is the caller's. */
export async function connected(url: string, config: ClientConfig = {}): Promise<Client> {
  const client = clientOf({ connectionString: url, ...config })
  await client.connect()
  return client
}

/** One statement on a connection of its own. */
export async function ask<Row extends QueryResultRow>(
  url: string,
  statement: string,
  config: ClientConfig = {},
): Promise<Row[]> {
  const client = clientOf({ connectionString: url, ...config })
  try {
    await client.connect()
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
