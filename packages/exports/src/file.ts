import { Readable } from 'node:stream'

/** A file on its way to a browser. */
export interface ExportFile {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable | Buffer
}

/** `ascii`: for what reads no RFC 5987; without quotes and backslashes. Neither is ever stored on the way. */
export const fileHeaders = (type: string, ascii: string, korean: string): Record<string, string> => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(korean)}`,
  'cache-control': 'no-store',
})

/** A file that nobody reads on holds one of the few places for so long, ms. */
const UNREAD_MS = 120_000

/**
 * The parts as a stream, which reads on as fast as they are taken. The first is made before it is there: what fails up to then is
 * refused as any call, and not cut off. `ended` is called once nothing is read any more, also where the browser has left.
 */
export async function streamOf(parts: AsyncGenerator<string>, ended: () => void): Promise<Readable> {
  try {
    const first = await parts.next()
    const stream = Readable.from(joined(first, parts, () => stream.destroy(new Error('nobody reads this file on'))))
    stream.once('close', () => {
      // A stream that nobody read has not begun its generator, which therefore would not end the parts.
      void parts.return(undefined)
      ended()
    })
    return stream
  } catch (error) {
    ended()
    throw error
  }
}

/** `unread`: called when a part was not followed by the wish for the next. How long that one takes then does not count. */
async function* joined(
  first: IteratorResult<string>,
  rest: AsyncGenerator<string>,
  unread: () => void,
): AsyncGenerator<string> {
  for (let part = first; part.done !== true; part = await rest.next()) {
    const timer = setTimeout(unread, UNREAD_MS)
    try {
      yield part.value
    } finally {
      clearTimeout(timer)
    }
  }
}
