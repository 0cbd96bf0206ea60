import { ceilToTick } from '../krx/tick.ts'
import { lotTarget } from '../ladder/sell.ts'
import { settingsProblems } from '../ladder/problems.ts'
import { marketBuy } from './buy-now.ts'
import { compare, confirmedDifferences, differences } from './compare.ts'
import { liveOrders, orderOfLot, stays, type Draft } from './draft.ts'
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
import { dropWishes, isWished, makeWish, MAX_SLICES, refused } from './wishes.ts'

type Of<K extends AccountCommand['kind']> = Extract<AccountCommand, { kind: K }>

const done: Answer = { ok: true, orderIds: [], differences: [] }
const noStock = (code: string): Answer =>
  refused('NOT_FOUND', `${code}은(는) 목록에 없는 종목입니다. 종목코드를 확인하거나 먼저 추가해 주세요.`)

/** What a person asked. Null: the answer comes later, when older orders are out of the way. */
export function obey(draft: Draft, ticket: number, command: AccountCommand): Answer | null {
  switch (command.kind) {
    case 'updateStock':
      return updateStock(draft, command)
    case 'setStop':
      return setStop(draft, command)
    case 'setLimits': {
      const problem = setLimits(draft, command.change)
      return problem === null ? done : refused('INVALID', problem)
    }
    case 'cancelOrders':
      dropWishes(draft, command.code)
      return cancelOrders(draft, (order) => command.code === null || order.code === command.code)
    case 'cancelOrder':
      return cancelOne(draft, command)
    case 'checkBalance':
    case 'fixBalance':
      return readAndTell(draft, command)
    default: {
      const stock = draft.stock(command.code)
      return stock === undefined ? noStock(command.code) : obeyOnStock(draft, ticket, stock, command)
    }
  }
}

function obeyOnStock(
  draft: Draft,
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
      return deleteStock(draft, stock)
    case 'setSubscribed':
      draft.record({ kind: 'subscribed', code, subscribed: command.subscribed })
      return done
    case 'applyOrder':
      return applyOrder(draft, stock)
    case 'marketBuy':
      return marketBuy(draft, stock, command)
    case 'sellTrade':
      return sellTrade(draft, ticket, stock, command)
    case 'sellStock': {
      const staying = stayingOrders(draft, code)
      return wish(draft, ticket, stock, (id) => orderOfLot(staying, id) === undefined, {
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
      return wish(draft, ticket, stock, notByPerson(draft, code), { how: 'price', price, slices: command.slices })
    }
    case 'sellAtMarket':
      return wish(draft, ticket, stock, notByPerson(draft, code), { how: 'market', price: 0, slices: 1 })
  }
}

const stayingOrders = (draft: Draft, code: string): Order[] =>
  liveOrders(draft.book, code).filter((order) => stays(order, draft.view))

/** The available holding: everything but what an older order of a person already offers. What is being cancelled is waited for. */
function notByPerson(draft: Draft, code: string): (lotId: number) => boolean {
  const staying = stayingOrders(draft, code)
  return (lotId) => orderOfLot(staying, lotId)?.origin !== 'person'
}

function wish(
  draft: Draft,
  ticket: number,
  stock: Stock,
  wants: (lotId: number) => boolean,
  sale: { how: 'target' | 'price' | 'market'; price: number; slices: number },
): Answer | null {
  const mine = stock.lots.filter((lot) => lot.buyOrderId === null && wants(lot.id))
  if (mine.some((lot) => isWished(draft, lot.id))) return alreadyAsked
  const lotIds = mine.map((lot) => lot.id)
  if (lotIds.length === 0) {
    // Resting at target is already so when every lot has its order.
    if (sale.how === 'target' && stock.lots.length > 0) return done
    return refused('CONFLICT', '팔 수 있는 주식이 없습니다. 보유 수량과 미체결 주문을 확인해 주세요.')
  }
  return makeWish(draft, stock, { ticket, code: stock.issue.code, lotIds, ...sale })
}

/** Nothing is "done" that nobody could send. */
const cannotSend = refused(
  'CONFLICT',
  '지금은 증권사와 이어져 있지 않아 취소를 보내지 못했습니다. 이어지는 대로 취소합니다.',
)

const alreadyAsked = refused('BUSY', '같은 매매의 매도 요청을 처리하고 있습니다. 잠시 뒤 다시 해 주세요.')

function sellTrade(draft: Draft, ticket: number, stock: Stock, command: Of<'sellTrade'>): Answer | null {
  const lot = stock.lots.find((one) => one.id === command.tradeId)
  if (lot === undefined) return refused('NOT_FOUND', '이미 팔렸거나 없는 매매입니다. 목록을 새로 고쳐 주세요.')
  if (lot.buyOrderId !== null) return refused('CONFLICT', '아직 매수가 끝나지 않은 매매입니다. 잠시 뒤 다시 해 주세요.')
  const last = draft.ctx.quote(command.code)?.price
  const target = lotTarget(lot.buyPrice, stock.settings, stock.issue.kind)
  if (command.how === 'current' && last === undefined)
    return refused('CONFLICT', '현재가를 아직 받지 못했습니다. 잠시 뒤 다시 해 주세요.')
  if (isWished(draft, lot.id)) return alreadyAsked
  const resting = orderOfLot(stayingOrders(draft, command.code), lot.id)
  const isThere = resting !== undefined && resting.status !== 'unknown'
  if (command.how === 'target' && isThere && resting.price === target && resting.lots.length === 1) return done
  const price = command.how === 'current' ? ceilToTick(last ?? 0, stock.issue.kind) : target
  const how = command.how === 'current' ? 'price' : command.how
  return makeWish(draft, stock, { ticket, code: command.code, lotIds: [lot.id], how, price, slices: 1 })
}

function updateStock(draft: Draft, { code, version, settings, listing }: Of<'updateStock'>): Answer {
  const stock = draft.stock(code)
  const [problem] = settingsProblems(settings)
  if (problem !== undefined) return refused('INVALID', `${problem.field}: ${problem.text}`)
  if (stock === undefined) {
    if (listing === null) return noStock(code)
    draft.record({ kind: 'stockAdded', code, name: listing.name, issue: listing.issue, settings })
    return done
  }
  if (version !== null && version !== stock.version) {
    return refused('CONFLICT', '그사이 종목 설정이 바뀌었습니다. 새로 고친 뒤 다시 저장해 주세요.')
  }
  draft.record({ kind: 'settingsSaved', code, settings })
  freeBuys(draft, code)
  return done
}

function deleteStock(draft: Draft, stock: Stock): Answer {
  if (stock.lots.length > 0) return refused('CONFLICT', '보유 중인 매매가 있어 지울 수 없습니다. 먼저 팔아 주세요.')
  if (liveOrders(draft.book, stock.issue.code).length > 0) {
    return refused('CONFLICT', '미체결 주문이 있어 지울 수 없습니다. 먼저 취소해 주세요.')
  }
  draft.record({ kind: 'stockRemoved', code: stock.issue.code })
  return done
}

function setStop(draft: Draft, { level, code, stop }: Of<'setStop'>): Answer {
  if (level === 'user') {
    draft.record({ kind: 'userStopped', stop })
    return done
  }
  const stock = code === null ? undefined : draft.stock(code)
  if (code === null || stock === undefined) return noStock(code ?? '')
  draft.record({ kind: 'stockStopped', code, stop })
  // Starting again is a person's word that the trouble was looked at; a difference in shares needs a fix instead.
  if (stop === 'active' && stock.blocked?.code === 'rejects')
    draft.record({ kind: 'stockBlocked', code, blocked: null })
  return done
}

/** Makes the broker match the settings, now: the planner does the work once everything that held it back is cleared. */
function applyOrder(draft: Draft, stock: Stock): Answer {
  const { code } = stock.issue
  const heldBack = stock.lots.filter((lot) => lot.heldBack).map((lot) => lot.id)
  if (heldBack.length > 0) draft.record({ kind: 'lotsHeldBack', code, lotIds: heldBack, heldBack: false })
  freeBuys(draft, code)
  // A person looked: what the broker does not list is over; should it fill after all, the fill is still booked.
  for (const order of liveOrders(draft.book, code)) {
    if (isUnlisted(draft.view, order.id))
      endOrder(draft, order, 'cancelled', '증권사 목록에 없어 사람이 끝난 것으로 보았습니다.')
  }
  if (stock.blocked === null || stock.blocked.code === 'mismatch') return done
  // A person looked. An order without a verdict is still not given up: of several equal ones the likeliest is taken as ours.
  const lost = liveOrders(draft.book, code).filter((order) => order.status === 'unknown')
  if (lost.length > 0) draft.know({ decided: new Set([...draft.view.decided, ...lost.map((order) => order.id)]) })
  draft.record({ kind: 'stockBlocked', code, blocked: null })
  disarm(draft)
  return done
}

function freeBuys(draft: Draft, code: string): void {
  if (!draft.view.heldBuys.has(code)) return
  draft.know({ heldBuys: new Set([...draft.view.heldBuys].filter((one) => one !== code)) })
}

/** Orders that cannot be cancelled yet (no verdict, no connection) are cancelled as soon as they can be. */
function cancelOrders(draft: Draft, wanted: (order: Order) => boolean): Answer {
  let unsent = false
  for (const order of draft.book.orders.values()) {
    if (!isLive(order.status) || !wanted(order)) continue
    draft.know({ unwanted: new Set(draft.view.unwanted).add(order.id) })
    if (!askCancel(draft, order.id) && order.status === 'open' && !draft.view.authorised) unsent = true
    // Else the next price would buy again what a person just took back.
    if (order.side === 'buy' && order.origin === 'auto')
      draft.know({ heldBuys: new Set(draft.view.heldBuys).add(order.code) })
    if (order.side === 'sell' && order.origin === 'auto') {
      const lotIds = order.lots.map((lot) => lot.lotId)
      draft.record({ kind: 'lotsHeldBack', code: order.code, lotIds, heldBack: true })
    }
  }
  return unsent ? cannotSend : done
}

/** An order without a broker number is cancelled, too: it does not leave any more, or as soon as its number is known. */
function cancelOne(draft: Draft, asked: Of<'cancelOrder'>): Answer {
  const isAsked = (one: Order): boolean =>
    'id' in asked ? one.id === asked.id : one.odno === asked.odno && one.day === draft.book.day
  const order = [...draft.book.orders.values()].find(isAsked)
  if (order === undefined)
    return refused('NOT_FOUND', '그런 미체결 주문이 없습니다. 이미 체결되었거나 취소되었는지 확인해 주세요.')
  if (order.status === 'cancelling') return done
  if (!isLive(order.status)) return refused('CONFLICT', '이미 끝난 주문입니다. 주문 목록을 새로 고쳐 주세요.')
  return cancelOrders(draft, (one) => one.id === order.id)
}

function readAndTell(draft: Draft, { kind, code, reading }: Of<'checkBalance' | 'fixBalance'>): Answer {
  if (code !== null && draft.stock(code) === undefined) return noStock(code)
  applyExecutions(draft, reading)
  // Without holdings nothing can be said; least of all that there are none.
  if (reading.balance === null) return refused('BUSY', '증권사 잔고를 끝까지 읽지 못했습니다. 잠시 뒤 다시 해 주세요.')
  const confirmed = confirmedDifferences(draft, reading)
  compare(draft, reading)
  const found = differences(draft, reading, code)
  const problems: string[] = []
  for (const stock of draft.book.stocks.values()) {
    const own = stock.issue.code
    if (code !== null && own !== code) continue
    draft.record({ kind: 'stockChecked', code: own })
    const problem =
      kind === 'fixBalance' ? fixShares(draft, draft.stock(own) ?? stock, reading, confirmed.has(own)) : null
    if (problem !== null) problems.push(`${stock.name}: ${problem}`)
  }
  const [problem] = problems
  if (problem !== undefined) return refused('CONFLICT', problem)
  return { ok: true, orderIds: [], differences: found }
}
