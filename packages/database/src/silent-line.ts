import { Socket } from 'node:net'

/**
 * A connection to the database that is cut when nothing came or went on it for so long. Without this a query on a line that
 * fell silent waits for a quarter of an hour. The socket is cut and not only the query given up: the pool throws away
 * a client without a line, but would lend out again one whose query is still unanswered.
 */
export function socketCutWhenSilent(silenceMs: number): Socket {
  const socket = new Socket()
  socket.setTimeout(silenceMs, () => socket.destroy(new Error(`the database was silent for ${silenceMs} ms`)))
  return socket
}
