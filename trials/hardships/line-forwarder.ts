/** Runs in a network namespace of its own: passes TCP connections at an address on to a local socket, each direction by itself. Prints its port, then `+port` of each client `*port` when it orders, `-port` when it is gone. */
import { connect, createServer, type Socket } from 'node:net'

const [host = '', upstream = ''] = process.argv.slice(2)

// A half that is closed leaves the other open: what a dead client sent is delivered even so, as a real network does.
const server = createServer({ allowHalfOpen: true }, (client) => {
  const port = client.remotePort
  process.stdout.write(`+${port}\n`)
  client.once('close', () => process.stdout.write(`-${port}\n`))
  client.on('data', (part: Buffer) => part.includes('/order-cash') && process.stdout.write(`*${port}\n`))
  const broker = connect({ path: upstream, allowHalfOpen: true })
  join(client, broker)
  join(broker, client)
})
server.listen(0, host, () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : 0}\n`)
})

function join(from: Socket, to: Socket): void {
  from.pipe(to)
  from.on('error', () => to.destroySoon())
}
