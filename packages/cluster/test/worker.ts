/** A worker of its own process, for tests that end or stop it: `node worker.ts <database address>`. Prints what happens to it. */
import { openDatabase, OwnedShards } from '@digger/database'
import { memberWithoutAccounts } from './without-accounts.ts'

const [url = ''] = process.argv.slice(2)
const database = await openDatabase({ databaseUrl: url, dataDir: '', exclusive: false })
const owned = new OwnedShards()
const print = (event: object): void => console.log(JSON.stringify(event))
const member = memberWithoutAccounts({
  url,
  db: database.db,
  owned,
  report: print,
  problem: (error) => print({ kind: 'problem', text: String(error) }),
})
await member.begin()
setInterval(() => print({ kind: 'has', shards: owned.all().length }), 100)
