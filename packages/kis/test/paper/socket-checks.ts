import type { Tick } from '../../src/index.ts'
import { fact, isAmount, LeftOut, type PaperCheck } from './check.ts'

const connection: PaperCheck = {
  name: 'connection in real time, with the notices of the HTS ID',
  async run({ socket, hasHtsId, times, pause }) {
    if (!hasHtsId) throw new LeftOut('KIS_HTS_ID is not given')
    const problem = await Promise.race([
      socket.connect().then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      ),
      pause(times.connectMs).then(() => `nothing within ${times.connectMs / 1_000} s`),
    ])
    fact(problem === null, `no connection: ${problem}`)
    fact(socket.state === 'connected', `after the notices were registered it is ${socket.state}`)
    return 'approval key taken, notices registered'
  },
}

const trades: PaperCheck = {
  name: 'trades of KRX',
  async run({ socket, code, times, pause }) {
    if (socket.state !== 'connected') throw new LeftOut('there is no connection')
    const problems: string[] = []
    const ticks: Tick[] = []
    const first = Promise.withResolvers<void>()
    socket.observe({
      tickReceived(tick) {
        ticks.push(tick)
        first.resolve()
      },
      problemFound: ({ message }) => void problems.push(message),
    })
    socket.watch([code])
    await Promise.race([first.promise, pause(times.listenMs)])
    fact(socket.watched.has(code), `${code} was not registered within ${times.listenMs / 1_000} s`)
    fact(problems.length === 0, `frames that cannot be read: ${problems[0]}`)
    for (const tick of ticks) {
      const { venue, price, open, high, low, volume, base } = tick
      fact(tick.code === code && venue === 'KRX', `a trade of ${tick.code} on ${venue}, which nobody asked for`)
      fact(price > 0 && base > 0 && isAmount(price, open, high, low, volume, base), 'prices or volume are not whole')
      fact(!tick.trade || (low <= price && price <= high), 'a trade is outside the day’s low and high')
    }
    return ticks.length === 0
      ? `registered; none came in ${times.listenMs / 1_000} s, as outside the hours`
      : 'registered; trades come in whole won'
  },
}

export const SOCKET_CHECKS: readonly PaperCheck[] = [connection, trades]
