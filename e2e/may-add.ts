import { ADMIN_SEGMENT } from '@digger/contract/paths'
import { expect, type APIRequestContext } from '@playwright/test'

/** The administrator of the demonstration. */
const ADMIN = {
  email: process.env['E2E_ADMIN_EMAIL'] ?? 'admin@example.com',
  password: process.env['E2E_ADMIN_PASSWORD'] ?? 'digger-admin',
}

/** Signs somebody up, has the administrator let them add stocks, and logs them in. Resolves to the id of the user. */
export async function joinAndAddStocks(
  request: APIRequestContext,
  person: { readonly email: string; readonly password: string },
  credentials: object,
): Promise<string> {
  const ask = async (method: 'POST' | 'PUT', path: string, data: object) => {
    const reply = await request.fetch(path, { method, data })
    expect(reply.ok(), `${path}: ${await reply.text()}`).toBe(true)
    return reply
  }
  const signedUp = await ask('POST', '/api/user/user', { ...person, ...credentials })
  const { userId }: { userId: string } = await signedUp.json()
  await ask('POST', '/api/login', { ...ADMIN, forceKisLogin: false })
  await ask('PUT', `/api/admin/${ADMIN_SEGMENT}/user/${userId}/may-add`, { mayAddStocks: true })
  // Whoever was logged in here is not any more.
  await ask('POST', '/api/login', { ...person, forceKisLogin: false })
  return userId
}
