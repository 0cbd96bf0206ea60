import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { PGlite } from '@electric-sql/pglite'
import { DurableNodeFS } from '../src/embedded/durable.ts'

/** A process whose disk starts to refuse: it must end without having called the commit done. */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...'-c fsync=on -c wal_sync_method=fsync'.split(' '),
]
const db = await PGlite.create({ fs: new DurableNodeFS(process.argv[2] ?? '', () => undefined), startParams })
await db.exec('create table paid (won int)')
process.stdout.write('open\n')
fs.fsyncSync = () => {
  throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
}
syncBuiltinESMExports()
await db.exec('insert into paid values (1)')
process.stdout.write('done\n')
