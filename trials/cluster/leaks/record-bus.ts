/**
 * Writes down every message of the bus, whoever sends it to whom, until SIGTERM: `node record-bus.ts <file> <sign>`, with NATS_URL.
 * Whenever it has reached NATS it sends the sign itself, which stands in the record then: what is killed and comes back is
 * followed within a quarter of a second, as the members do.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { natsPlaceOf } from '@digger/cluster'
import { NatsBus } from '@digger/cluster/nats'
import { recordedBytes } from './bus-record.ts'

const EVERYTHING = '>'
const SIGN_SUBJECT = 'trial.sign'

const [path = '', sign = ''] = process.argv.slice(2)
const file = openSync(path, 'w', 0o600)
const bus = new NatsBus(natsPlaceOf(process.env['NATS_URL'] ?? ''), 'recorder')
bus.subscribe(EVERYTHING, (data, subject) => writeSync(file, recordedBytes(subject, data)))
bus.onGap(() => bus.publish(SIGN_SUBJECT, Buffer.from(sign)))

// Whoever started it is gone.
process.on('disconnect', () => process.exit(1))
process.once('SIGTERM', () => {
  void bus.close().finally(() => {
    closeSync(file)
    process.exit(0)
  })
})
