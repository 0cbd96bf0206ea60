import { UserClient } from '../client/user-client.ts'
import type { Child } from '../crash/child.ts'
import { PASSWORD, type Person } from '../crash/person.ts'
import type { Stage } from '../crash/stage.ts'

/** A database that is gone may hold a reply back for long, ms. */
const REQUEST_TIMEOUT_MS = 40_000

/** A second browser of a person, for exact calls beside the random ones. */
export class PersonClient extends UserClient {
  readonly person: Person

  private constructor(person: Person) {
    super(REQUEST_TIMEOUT_MS)
    this.person = person
  }

  static async of(person: Person, server: Child): Promise<PersonClient> {
    const address = await server.printed(/http:\/\/127\.0\.0\.1:\d+/)
    if (address === null) throw new Error('the server is gone')
    const client = new PersonClient(person)
    client.connectTo(address[0])
    await client.logIn(person.email, PASSWORD)
    return client
  }
}

export const clientsOf = (stage: Stage, server: Child): Promise<PersonClient[]> =>
  Promise.all(stage.people.map((person) => PersonClient.of(person, server)))
