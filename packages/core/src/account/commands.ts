import { ceilToTick } from '../krx/tick.ts'
import { lotTarget } from '../ladder/sell.ts'
import { settingsProblems } from '../ladder/problems.ts'
import { marketBuy } from './buy-now.ts'
import { compare, confirmedDifferences, differences } from './compare.ts'
import { liveOrders, orderOfLot, isOffering, type StepBuilder } from './step-builder.ts'
import { endOrder } from './ending.ts'
import { fixShares } from './fix.ts'
import { applyExecutions } from './ledger.ts'
import { isLive } from './life.ts'
import { setLimits } from './limits/watch.ts'
import { askCancel } from './ordering.ts'
import { disarm } from './rearm.ts'
import type { AccountCommand, Answer } from './step-types.ts'
import type { Order, Stock } from './types.ts'
import { isUnlisted } from './unlisted.ts'
import { dropPendingSales, hasPendingSale, addPendingSale, MAX_SLICES, refused } from './pending-sales.ts'

type Of<K extends AccountCommand['kind']> = Extract<AccountCommand, { kind: K }>

const done: Answer = { ok: true, orderIds: [], differences: [] }
const noStock = (code: string): Answer =>
  refused('NOT_FOUND', `${code}은(는) 목록에 없는 종목입니다. 종목코드를 확인하거나 먼저 추가해 주세요.`)

/** What a person asked. Null: the answer comes later, when older orders are out of the way. */
export function handleCommand(builder: StepBuilder, ticket: number, command: AccountCommand): Answer | null {
  switch (command.kind) {
    case 'updateStock':
      return updateStock(builder, command)
    case 'setStop':
      return setStop(builder, command)
    case 'setLimits': {
      const problem = setLimits(builder, command.change)
      return problem === null ? done : refused('INVALID', problem)
    }
    case 'cancelOrders':
      dropPendingSales(builder, command.code)
      return cancelOrders(builder, (order) => command.code === null || order.code === command.code)
    case 'cancelOrder':
      return cancelOne(builder, command)
    case 'checkBalance':
    case 'fixBalance':
      return readAndTell(builder, command)
    default: {
      const stock = builder.stock(command.code)
      return stock === undefined ? noStock(command.code) : handleStockCommand(builder, ticket, stock, command)
    }
  }
}

function handleStockCommand(
  builder: StepBuilder,
  ticket: number,
  stock: Stock,
  command: Exclude<
    AccountCommand,
    Of<'updateStock' | 'setStop' | 'setLimits' | 'cancelOrders' | 'cancelOrder' | 'checkBalance' | 'fixBalance'>
  >,
): Answer | null {
  const { code } = stock.issue
  switch (command.kind) {
    case 'deleteStock':
      return deleteStock(builder, stock)
    case 'setSubscribed':
      builder.record({ kind: 'subscribed', code, subscribed: command.subscribed })
      return done
    case 'applyOrder':
      return applyOrder(builder, stock)
    case 'marketBuy':
      return marketBuy(builder, stock, command)
    case 'sellTrade':
      return sellTrade(builder, ticket, stock, command)
    case 'sellStock': {
      const offering = offeringOrders(builder, code)
      return requestSale(builder, ticket, stock, (id) => orderOfLot(offering, id) === undefined, {
        how: 'target',
        price: 0,
        slices: 1,
      })
    }
    case 'sellAtPrice': {
      if (!(Number.isInteger(command.price) && command.price > 0))
        return refused('INVALID', '매도가를 1원 이상으로 입력해 주세요.')
      if (!(Number.isInteger(command.slices) && command.slices > 0 && command.slices <= MAX_SLICES)) {
        return refused('INVALID', `나눌 횟수는 1번부터 ${MAX_SLICES}번까지입니다.`)
      }
      const price = ceilToTick(command.price, stock.issue.kind)
      return requestSale(builder, ticket, stock, notByPerson(builder, code), {
        how: 'price',
        price,
        slices: command.slices,
      })
    }
    case 'sellAtMarket':
      return requestSale(builder, ticket, stock, notByPerson(builder, code), { how: 'market', price: 0, slices: 1 })
  }
}

const offeringOrders = (builder: StepBuilder, code: string): Order[] =>
  liveOrders(builder.book, code).filter((order) => isOffering(order, builder.view))

/** The available holding: everything but what an older order of a person already offers. What is being cancelled is waited for. */
function notByPerson(builder: StepBuilder, code: string): (lotId: number) => boolean {
  const offering = offeringOrders(builder, code)
  return (lotId) => orderOfLot(offering, lotId)?.origin !== 'person'
}

function requestSale(
  builder: StepBuilder,
  ticket: number,
  stock: Stock,
  wants: (lotId: number) => boolean,
  sale: { how: 'target' | 'price' | 'market'; price: number; slices: number },
): Answer | null {
  const mine = stock.lots.filter((lot) => lot.buyOrderId === null && wants(lot.id))
  if (mine.some((lot) => hasPendingSale(builder, lot.id))) return alreadyAsked
  const lotIds = mine.map((lot) => lot.id)
  if (lotIds.length === 0) {
    // Resting at target is already so when every lot has its order.
    if (sale.how === 'target' && stock.lots.length > 0) return done
    return refused('CONFLICT', '팔 수 있는 주식이 없습니다. 보유 수량과 미체결 주문을 확인해 주세요.')
  }
  return addPendingSale(builder, stock, { ticket, code: stock.issue.code, lotIds, ...sale })
}

/** Nothing is "done" that nobody could send. */
const cannotSend = refused(
  'CONFLICT',
  '지금은 증권사와 이어져 있지 않아 취소를 보내지 못했습니다. 이어지는 대로 취소합니다.',
)

const alreadyAsked = refused('BUSY', '같은 매매의 매도 요청을 처리하고 있습니다. 잠시 뒤 다시 해 주세요.')

function sellTrade(builder: StepBuilder, ticket: number, stock: Stock, command: Of<'sellTrade'>): Answer | null {
  const lot = stock.lots.find((one) => one.id === command.tradeId)
  if (lot === undefined) return refused('NOT_FOUND', '이미 팔렸거나 없는 매매입니다. 목록을 새로 고쳐 주세요.')
  if (lot.buyOrderId !== null) return refused('CONFLICT', '아직 매수가 끝나지 않은 매매입니다. 잠시 뒤 다시 해 주세요.')
  const last = builder.ctx.quote(command.code)?.price
  const target = lotTarget(lot.buyPrice, stock.settings, stock.issue.kind)
  if (command.how === 'current' && last === undefined)
    return refused('CONFLICT', '현재가를 아직 받지 못했습니다. 잠시 뒤 다시 해 주세요.')
  if (hasPendingSale(builder, lot.id)) return alreadyAsked
  const resting = orderOfLot(offeringOrders(builder, command.code), lot.id)
  const isThere = resting !== undefined && resting.status !== 'unknown'
  if (command.how === 'target' && isThere && resting.price === target && resting.lots.length === 1) return done
  const price = command.how === 'current' ? ceilToTick(last ?? 0, stock.issue.kind) : target
  const how = command.how === 'current' ? 'price' : command.how
  return addPendingSale(builder, stock, { ticket, code: command.code, lotIds: [lot.id], how, price, slices: 1 })
}

function updateStock(builder: StepBuilder, { code, version, settings, listing }: Of<'updateStock'>): Answer {
  const stock = builder.stock(code)
  const [problem] = settingsProblems(settings)
  if (problem !== undefined) return refused('INVALID', `${problem.field}: ${problem.text}`)
  if (stock === undefined) {
    if (listing === null) return noStock(code)
    builder.record({ kind: 'stockAdded', code, name: listing.name, issue: listing.issue, settings })
    return done
  }
  if (version !== null && version !== stock.version) {
    return refused('CONFLICT', '그사이 종목 설정이 바뀌었습니다. 새로 고친 뒤 다시 저장해 주세요.')
  }
  builder.record({ kind: 'settingsSaved', code, settings })
  releaseHeldBuys(builder, code)
  return done
}

function deleteStock(builder: StepBuilder, stock: Stock): Answer {
  if (stock.lots.length > 0) return refused('CONFLICT', '보유 중인 매매가 있어 지울 수 없습니다. 먼저 팔아 주세요.')
  if (liveOrders(builder.book, stock.issue.code).length > 0) {
    return refused('CONFLICT', '미체결 주문이 있어 지울 수 없습니다. 먼저 취소해 주세요.')
  }
  builder.record({ kind: 'stockRemoved', code: stock.issue.code })
  return done
}

function setStop(builder: StepBuilder, { level, code, stop }: Of<'setStop'>): Answer {
  if (level === 'user') {
    builder.record({ kind: 'userStopped', stop })
    return done
  }
  const stock = code === null ? undefined : builder.stock(code)
  if (code === null || stock === undefined) return noStock(code ?? '')
  builder.record({ kind: 'stockStopped', code, stop })
  // Starting again is a person's word that the trouble was looked at; a difference in shares needs a fix instead.
  if (stop === 'active' && stock.blocked?.code === 'rejects')
    builder.record({ kind: 'stockBlocked', code, blocked: null })
  return done
}

/** Makes the broker match the settings, now: the planner does the work once everything that held it back is cleared. */
function applyOrder(builder: StepBuilder, stock: Stock): Answer {
  const { code } = stock.issue
  const heldBack = stock.lots.filter((lot) => lot.heldBack).map((lot) => lot.id)
  if (heldBack.length > 0) builder.record({ kind: 'lotsHeldBack', code, lotIds: heldBack, heldBack: false })
  releaseHeldBuys(builder, code)
  // A person looked: what the broker does not list is over; should it fill after all, the fill is still booked.
  for (const order of liveOrders(builder.book, code)) {
    if (isUnlisted(builder.view, order.id))
      endOrder(builder, order, 'cancelled', '증권사 목록에 없어 사람이 끝난 것으로 보았습니다.')
  }
  if (stock.blocked === null || stock.blocked.code === 'mismatch') return done
  // A person looked. An order without a verdict is still not given up: of several equal ones the likeliest is taken as ours.
  const lost = liveOrders(builder.book, code).filter((order) => order.status === 'unknown')
  if (lost.length > 0)
    builder.patchView({
      orders: {
        operatorConfirmed: new Set([...builder.view.orders.operatorConfirmed, ...lost.map((order) => order.id)]),
      },
    })
  builder.record({ kind: 'stockBlocked', code, blocked: null })
  disarm(builder)
  return done
}

function releaseHeldBuys(builder: StepBuilder, code: string): void {
  if (!builder.view.stocks.heldBuys.has(code)) return
  builder.patchView({ stocks: { heldBuys: new Set([...builder.view.stocks.heldBuys].filter((one) => one !== code)) } })
}

/** Orders that cannot be cancelled yet (no verdict, no connection) are cancelled as soon as they can be. */
function cancelOrders(builder: StepBuilder, wanted: (order: Order) => boolean): Answer {
  let unsent = false
  for (const order of builder.book.orders.values()) {
    if (!isLive(order.status) || !wanted(order)) continue
    builder.patchView({ orders: { unwanted: new Set(builder.view.orders.unwanted).add(order.id) } })
    if (!askCancel(builder, order.id) && order.status === 'open' && !builder.view.connection.authorised) unsent = true
    // Else the next price would buy again what a person just took back.
    if (order.side === 'buy' && order.origin === 'auto')
      builder.patchView({ stocks: { heldBuys: new Set(builder.view.stocks.heldBuys).add(order.code) } })
    if (order.side === 'sell' && order.origin === 'auto') {
      const lotIds = order.lots.map((lot) => lot.lotId)
      builder.record({ kind: 'lotsHeldBack', code: order.code, lotIds, heldBack: true })
    }
  }
  return unsent ? cannotSend : done
}

/** An order without a broker number is cancelled, too: it does not leave any more, or as soon as its number is known. */
function cancelOne(builder: StepBuilder, asked: Of<'cancelOrder'>): Answer {
  const isAsked = (one: Order): boolean =>
    'id' in asked ? one.id === asked.id : one.odno === asked.odno && one.day === builder.book.day
  const order = [...builder.book.orders.values()].find(isAsked)
  if (order === undefined)
    return refused('NOT_FOUND', '그런 미체결 주문이 없습니다. 이미 체결되었거나 취소되었는지 확인해 주세요.')
  if (order.status === 'cancelling') return done
  if (!isLive(order.status)) return refused('CONFLICT', '이미 끝난 주문입니다. 주문 목록을 새로 고쳐 주세요.')
  return cancelOrders(builder, (one) => one.id === order.id)
}

function readAndTell(builder: StepBuilder, { kind, code, reading }: Of<'checkBalance' | 'fixBalance'>): Answer {
  if (code !== null && builder.stock(code) === undefined) return noStock(code)
  applyExecutions(builder, reading)
  // Without holdings nothing can be said; least of all that there are none.
  if (reading.balance === null) return refused('BUSY', '증권사 잔고를 끝까지 읽지 못했습니다. 잠시 뒤 다시 해 주세요.')
  const confirmed = confirmedDifferences(builder, reading)
  compare(builder, reading)
  const found = differences(builder, reading, code)
  const problems: string[] = []
  for (const stock of builder.book.stocks.values()) {
    const own = stock.issue.code
    if (code !== null && own !== code) continue
    builder.record({ kind: 'stockChecked', code: own })
    const problem =
      kind === 'fixBalance' ? fixShares(builder, builder.stock(own) ?? stock, reading, confirmed.has(own)) : null
    if (problem !== null) problems.push(`${stock.name}: ${problem}`)
  }
  const [problem] = problems
  if (problem !== undefined) return refused('CONFLICT', problem)
  return { ok: true, orderIds: [], differences: found }
}
