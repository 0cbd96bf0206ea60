import { ceilToTick } from '../krx/tick.ts'
import { remainCount } from '../ladder/buy.ts'
import { lotTarget } from '../ladder/sell.ts'
import { refused, type CommandOf } from './command-result.ts'
import { addPendingSale, hasPendingSale, MAX_SLICES } from './pending-sales.ts'
import { byTarget, withoutKept } from './sale-orders.ts'
import { saleChanged } from './seen-price.ts'
import { isOffering, liveOrders, orderOfLot, type StepBuilder } from './step-builder.ts'
import type { CommandResult } from './step-types.ts'
import type { HeldLot, Order, Stock } from './types.ts'
import type { PendingSale } from './view.ts'

/** A person sells lots of one stock. Null: the result comes later, when older orders are out of the way. */
export function handleSaleCommand(
  builder: StepBuilder,
  ticket: number,
  stock: Stock,
  command: CommandOf<'sellTrade' | 'sellStock' | 'sellAtPrice' | 'sellAtMarket'>,
): CommandResult | null {
  const { code } = stock.issue
  switch (command.kind) {
    case 'sellTrade':
      return sellTrade(builder, ticket, stock, command)
    case 'sellStock':
      return sellAtTargets(builder, ticket, stock)
    case 'sellAtPrice': {
      if (!(Number.isInteger(command.price) && command.price > 0))
        return refused('INVALID', '매도가를 1원 이상으로 입력해 주세요.')
      if (!(Number.isInteger(command.slices) && command.slices > 0 && command.slices <= MAX_SLICES)) {
        return refused('INVALID', `나눌 횟수는 1번부터 ${MAX_SLICES}번까지입니다.`)
      }
      const price = ceilToTick(command.price, stock.issue.kind)
      const { slices, count } = command
      return requestSale(builder, ticket, stock, notByPerson(builder, code), { how: 'price', price, slices, count })
    }
    case 'sellAtMarket': {
      const changed = saleChanged(command.seen, builder.ctx.quote(code)?.price)
      if (changed !== null) return refused('CONFLICT', changed)
      const sale = { how: 'market', price: 0, slices: 1, count: command.count } as const
      return requestSale(builder, ticket, stock, notByPerson(builder, code), sale)
    }
  }
}

/**
 * What the automatic sale would do, now. Of shares that a correction took over some may go at once, far below the market, and
 * only the question before their release says so.
 */
function sellAtTargets(builder: StepBuilder, ticket: number, stock: Stock): CommandResult | null {
  const taken = new Set(stock.lots.flatMap((lot) => (lot.takenOver ? lot.id : [])))
  if (taken.size > 0 && taken.size === stock.lots.length) return onlyTakenOver
  const offering = offeringOrders(builder, stock.issue.code)
  const wants = (id: number): boolean => !taken.has(id) && orderOfLot(offering, id) === undefined
  return requestSale(builder, ticket, stock, wants, { how: 'target', price: 0, slices: 1 })
}

const onlyTakenOver = refused(
  'CONFLICT',
  '잔고를 맞추며 장부에 들어온 주식뿐입니다. 거래 화면에서 자동 매도에 넣거나, 매매마다 또는 값을 정해 팔아 주세요.',
)

const offeringOrders = (builder: StepBuilder, code: string): Order[] =>
  liveOrders(builder.book, code).filter(isOffering)

/** The available holding: everything but what an older order of a person already offers. What is being cancelled is waited for. */
function notByPerson(builder: StepBuilder, code: string): (lotId: number) => boolean {
  const offering = offeringOrders(builder, code)
  return (lotId) => orderOfLot(offering, lotId)?.origin !== 'person'
}

/** What a sale at a price or at the market may take of a stock. */
export const sellableByHand = (builder: StepBuilder, { issue, lots }: Stock): HeldLot[] => {
  const isFree = notByPerson(builder, issue.code)
  return lots.filter((lot) => lot.buyOrderId === null && isFree(lot.id))
}

function requestSale(
  builder: StepBuilder,
  ticket: number,
  stock: Stock,
  wants: (lotId: number) => boolean,
  { count, ...sale }: AskedOf,
): CommandResult | null {
  const mine = stock.lots.filter((lot) => lot.buyOrderId === null && wants(lot.id)).sort(byTarget(stock))
  if (mine.some((lot) => hasPendingSale(builder, lot.id))) return alreadyAsked
  if (mine.length === 0) {
    const bought = stock.lots.filter((lot) => lot.buyOrderId === null)
    if (bought.length === 0 && stock.lots.length > 0) return stillBuying
    // Resting at target is already so when every lot has its order; those without a verdict are waited for.
    if (sale.how === 'target' && bought.length > 0)
      return { ok: true, orderIds: orderIdsOf(builder, stock), differences: [] }
    return refused('CONFLICT', '팔 수 있는 주식이 없습니다. 보유 수량과 미체결 주문을 확인해 주세요.')
  }
  const free = remainCount(mine)
  if (count !== undefined && !(Number.isInteger(count) && count > 0 && count <= free))
    return refused('INVALID', `팔 수 있는 주식은 ${free}주입니다. 수량을 1주부터 ${free}주까지로 넣어 주세요.`)
  const lots = withoutKept(mine, free - (count ?? free))
  const lotIds = lots.map((lot) => lot.id)
  const kept = remainCount(mine.slice(0, lots.length)) - remainCount(lots)
  return addPendingSale(builder, stock, { ticket, code: stock.issue.code, lotIds, kept, ...sale })
}

interface AskedOf {
  readonly how: PendingSale['how']
  readonly price: number
  readonly slices: number
  readonly count?: number | undefined
}

const orderIdsOf = (builder: StepBuilder, { issue }: Stock): number[] =>
  offeringOrders(builder, issue.code).flatMap(({ id, side }) => (side === 'sell' ? id : []))

const stillBuying = refused('CONFLICT', '아직 매수가 끝나지 않은 매매입니다. 잠시 뒤 다시 해 주세요.')

const alreadyAsked = refused('BUSY', '같은 매매의 매도 요청을 처리하고 있습니다. 잠시 뒤 다시 해 주세요.')

function sellTrade(
  builder: StepBuilder,
  ticket: number,
  stock: Stock,
  command: CommandOf<'sellTrade'>,
): CommandResult | null {
  const lot = stock.lots.find((one) => one.id === command.tradeId)
  if (lot === undefined) return refused('NOT_FOUND', '이미 팔렸거나 없는 매매입니다. 목록을 새로 고쳐 주세요.')
  if (lot.buyOrderId !== null) return stillBuying
  const last = builder.ctx.quote(command.code)?.price
  const target = lotTarget(lot.buyPrice, stock.settings, stock.issue.kind)
  if (command.how === 'current' && last === undefined)
    return refused('CONFLICT', '현재가를 아직 받지 못했습니다. 잠시 뒤 다시 해 주세요.')
  const changed = command.how === 'target' ? null : saleChanged(command.seen, last)
  if (changed !== null) return refused('CONFLICT', changed)
  if (hasPendingSale(builder, lot.id)) return alreadyAsked
  const resting = orderOfLot(offeringOrders(builder, command.code), lot.id)
  const isThere = resting !== undefined && resting.status !== 'unknown'
  if (command.how === 'target' && isThere && resting.price === target && resting.lots.length === 1)
    return { ok: true, orderIds: [resting.id], differences: [] }
  const price = command.how === 'current' ? ceilToTick(last ?? 0, stock.issue.kind) : target
  const how = command.how === 'current' ? 'price' : command.how
  return addPendingSale(builder, stock, {
    ticket,
    code: command.code,
    lotIds: [lot.id],
    how,
    price,
    slices: 1,
    kept: 0,
  })
}
