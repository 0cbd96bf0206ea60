import { isLive } from '../../src/index.ts'
import { kstInstant } from '../../src/index.ts'
import { checkCauses } from './causes.ts'
import { checkLife, fallToNextBuys } from './life.ts'
import { moneyOf } from './money.ts'
import { checkMorning } from './morning.ts'
import { checkRest } from './resting.ts'
import { Violation } from './violation.ts'
import { pictureOf } from './monitor.ts'
import type { Simulation } from './simulation.ts'

/**
 * Phase two: the faults end, people repair what asks for it, the price falls to where the stocks buy next, and everything
 * must come to rest. Returns when the price fell.
 */
export function heal(simulation: Simulation): number {
  const { faults, shell, broker, person, agenda } = simulation
  faults.on = false
  simulation.beginDay()
  agenda.runUntil(kstInstant(simulation.day, 85_900))
  // Whoever is down comes up; the longest night ends here.
  agenda.runUntil(kstInstant(simulation.day, 100_000))
  simulation.lively = false
  if (!shell.up) throw new Violation('liveness', 'the account never came up again')
  shell.serverStop = 'active'
  // A clock that is set forgets every wait, also one that would never have ended: only one that is ahead has to be.
  if (shell.ahead > 0) shell.setClock()
  else shell.ahead = 0
  simulation.happenings.end()
  for (const order of broker.live) if (order.label === null) broker.cancel(order.odno)
  // Nor does a key that comes twice: it would give up a reading that is out.
  if (!shell.account.view.connection.authorised) shell.post({ kind: 'authorised', authorised: true })
  shell.relink()
  simulation.playSeconds(100)
  person.ask({ kind: 'setStop', level: 'user', code: null, stop: 'active' })
  for (const code of broker.stocks.keys()) person.ask({ kind: 'setStop', level: 'stock', code, stop: 'active' })
  simulation.playSeconds(60)
  checkCauses(simulation)
  shell.askWithSnapshot('checkBalance', null)
  person.repair()
  simulation.playSeconds(60)
  // Shares in resting sells cannot be corrected; a person takes the sells back first.
  for (const { issue, blocked } of shell.account.book.stocks.values()) {
    if (blocked?.short === true) person.ask({ kind: 'cancelOrders', code: issue.code })
  }
  simulation.playSeconds(20)
  shell.askWithSnapshot('fixBalance', null)
  person.repair()
  simulation.playSeconds(30)
  for (const code of broker.stocks.keys())
    if (shell.account.book.stocks.has(code)) person.ask({ kind: 'applyOrder', code })
  person.repair()
  simulation.playSeconds(60)
  const fellAt = fallToNextBuys(simulation)
  simulation.playSeconds(130)
  return fellAt
}

/**
 * Book and broker must now agree, in shares, orders and won, and the account must live. Returns the automatic orders since
 * the price fell.
 */
export function checkSettled(simulation: Simulation, fellAt: number): number {
  const { shell, person, monitor } = simulation
  for (const { ticket, life } of person.asked) {
    if (life === shell.life && !monitor.isAnswered(ticket))
      throw new Violation('answers', `ticket ${ticket} was never answered`)
  }
  checkShares(simulation)
  checkOrders(simulation)
  checkRest(simulation)
  checkMoney(simulation)
  const orders = checkLife(simulation, fellAt)
  checkMorning(simulation)
  const before = pictureOf(shell.account.book)
  shell.crash('end', 0)
  simulation.agenda.runUntil(simulation.agenda.now)
  if (shell.journal.length > 0 && before.length === 0) throw new Violation('I9 journal', 'the book is empty')
  return orders
}

function checkShares({ shell, broker }: Simulation): void {
  const { book } = shell.account
  for (const code of broker.stocks.keys()) {
    const stock = book.stocks.get(code)
    if (stock === undefined) continue
    if (stock.blocked !== null) throw new Violation('liveness', `${code} is still blocked: ${stock.blocked.text}`)
    const booked = stock.lots.reduce((sum, lot) => sum + lot.count, 0)
    const held = broker.held.get(code) ?? 0
    if (booked + stock.kept !== held)
      throw new Violation('settled shares', `${code}: ${booked} booked, ${stock.kept} kept, ${held} at the broker`)
  }
}

function checkOrders({ shell, broker, monitor }: Simulation): void {
  const { book } = shell.account
  const live = [...book.orders.values()].filter((order) => isLive(order.status))
  for (const order of live) {
    const truth = monitor.orderOf(order.id)
    if (order.status !== 'open') throw new Violation('settled orders', `order ${order.id} is still ${order.status}`)
    if (truth?.open !== true) throw new Violation('settled orders', `order ${order.id} is open in the book only`)
  }
  const ours = broker.live.filter((order) => order.label !== null)
  const stray = ours.find((order) => !live.some((one) => one.id === order.label))
  if (stray !== undefined) throw new Violation('settled orders', `order ${stray.label} lives at the broker only`)
  for (const order of book.orders.values()) {
    const truth = monitor.orderOf(order.id)
    if ((truth?.filledCount ?? 0) !== order.filledCount || (truth?.filledAmount ?? 0) !== order.filledAmount) {
      throw new Violation('I6 fills', `order ${order.id}: ${order.filledCount} booked, ${truth?.filledCount} filled`)
    }
  }
}

/** To the won: what our fills cost and brought is what lots and closed trades carry, and all fills what the cash moved by. */
function checkMoney(simulation: Simulation): void {
  const { corrections } = simulation.monitor
  const [before, after] = [simulation.begun, moneyOf(simulation, corrections)]
  if (after.carried !== before.carried)
    throw new Violation('settled money', `lots carry ${after.carried - before.carried} won more than buys cost`)
  if (after.brought !== before.brought && !corrections.isOversold)
    throw new Violation('settled money', `trades brought ${after.brought - before.brought} won more than sells earned`)
  if (after.cash !== before.cash) throw new Violation('settled money', 'the cash does not add up')
}
