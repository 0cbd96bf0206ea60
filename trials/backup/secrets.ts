import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { PASSWORD, type Person } from '../crash/person.ts'

/** What of these people's secrets is in the files of a backup, as it is or in a usual form. */
export function clearSecrets(folder: string, people: readonly Person[]): string[] {
  const texts = readdirSync(folder).map((name) => {
    const bytes = readFileSync(join(folder, name))
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
  })
  const found: string[] = []
  for (const { email, credentials, client } of people) {
    // The search is not blind.
    if (!texts.some((text) => text.includes(email))) found.push(`${email} is not in the backup`)
    const token = /=([^;]+)/.exec(client.cookie)?.[1] ?? ''
    const secrets = { ...credentials, password: PASSWORD, token }
    for (const [what, secret] of Object.entries(secrets))
      if (texts.some((text) => formsOf(secret).some((form) => text.includes(form))))
        found.push(`${email}: ${what} is in the clear in the backup`)
  }
  return found
}

const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [secret, bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
}
