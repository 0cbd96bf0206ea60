/** A worker of its own process, for tests that end or stop it: `node worker.ts <database address>`. Prints what happens to it. */
import { openDatabase, OwnedShards } from '@digger/database'
import { Member } from '../src/member.ts'

const [url = ''] = process.argv.slice(2)
const database = await openDatabase({ databaseUrl: url, dataDir: '', exclusive: false })
const owned = new OwnedShards()
const print = (event: object): void => console.log(JSON.stringify(event))
const drop = async (shards: readonly number[]): Promise<void> => {
  for (const shard of shards) owned.drop(shard)
}
const member = new Member({
  url,
  db: database.db,
  owned,
  holder: { own: async () => undefined, letGo: drop, lose: drop },
  report: print,
  problem: (error) => print({ kind: 'problem', text: String(error) }),
})
await member.begin()
setInterval(() => print({ kind: 'has', shards: owned.all().length, held: member.lease.held() }), 100)
