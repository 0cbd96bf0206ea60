// Loaded before the server under test: its clock goes ahead when it is told by how many ms, as a machine's does that was set.
let ahead = 0
const now = Date.now
Date.now = () => now() + ahead
process.on('message', (ms) => {
  ahead += ms
  process.send(ahead)
})
// Whoever listens for messages would never end by itself.
process.channel.unref()
