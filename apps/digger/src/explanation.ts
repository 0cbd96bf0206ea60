import {
  canonical,
  decideAgain,
  inputOf,
  kstIso,
  type Account,
  type Book,
  type Context,
  type Fact,
  type IncidentStep,
  type Order,
  type Proposal,
  type Step,
  type StepInput,
} from '@digger/core'
import { checkLines, marketLines, stockLines } from './explanation-lines.ts'

export interface Explanation {
  /** The same inputs gave the very facts of the journal. */
  readonly ok: boolean
  readonly lines: readonly string[]
}

/** What came to the gate while the decision was made again. */
interface Look {
  readonly account: Account
  readonly proposal: Proposal
}

/** Makes a decision again and tells why it fell as it did. `book`: before it; `later`: facts of the same order since. */
export function explain(one: IncidentStep, book: Book, orderId: number | null, later: readonly Fact[]): Explanation {
  const order = one.facts.flatMap((fact) => (fact.kind === 'orderIntended' ? fact.order : [])).find(isNumber(orderId))
  const head = order === undefined ? headOfStep(one) : headOf(order, one.seq)
  if (one.input === null) return { ok: false, lines: [...head, ...withoutInput(order), ...laterLines(later)] }
  const input = inputOf(one.input)
  const looks: Look[] = []
  const again = decideAgain(book, input, (account, proposal) => looks.push({ account, proposal }))
  const ok = canonical(again.facts) === canonical(one.facts)
  const look = looks.findLast(({ account }) => account.book.nextOrderId === order?.id)
  const lines = [
    ...head,
    `계기: ${eventText(input)}`,
    ...(look === undefined ? looks.map(refusedLine(input.context)) : lookLines(look, input.context)),
    ...(order === undefined ? [] : [`낸 이유: ${order.why}`]),
    ...(ok ? sameLines(one) : differentLines(one, again)),
    ...laterLines(later),
  ]
  return { ok, lines }
}

const isNumber = (orderId: number | null) => (order: Order) => order.id === orderId

const time = (at: number): string => kstIso(at).replace('T', ' ').replace('+09:00', '')

function headOf(order: Order, seq: number): string[] {
  const side = order.side === 'buy' ? '매수' : '매도'
  const price = order.type === 'limit' ? `${grouped(order.price)}원` : order.type === 'market' ? '시장가' : '최유리'
  const who = order.origin === 'auto' ? '자동' : '사람이 낸 주문'
  return [
    `주문 ${order.id}: ${order.code} ${side} ${grouped(order.count)}주, ${price} (${who}, ${order.venue})`,
    `정한 때: ${time(order.createdAt)} (한국 시각), 기록 ${seq}번부터`,
  ]
}

const headOfStep = ({ seq, facts }: IncidentStep): string[] => [
  `기록 ${seq}번부터 ${facts.length}건: ${facts.map(({ kind }) => kind).join(', ')}`,
  `정한 때: ${time(facts[0]?.at ?? 0)} (한국 시각)`,
]

const grouped = (n: number): string => n.toLocaleString('en-US')

/** By what happened to the account, in words. */
function eventText({ event }: StepInput): string {
  switch (event.kind) {
    case 'price':
      return `${event.code}의 체결가가 왔습니다.`
    case 'timer':
      return '정해진 간격으로 하는 확인이었습니다.'
    case 'cash':
      return `살 수 있는 금액 ${grouped(event.amount)}원을 증권사가 알려 왔습니다(${time(event.askedAt)}에 물음).`
    case 'snapshot':
      return `증권사의 주문 ${event.snapshot.balance === null ? '목록을' : '목록과 잔고를'} 읽었습니다(${event.snapshot.executions.length}건, ${time(event.snapshot.askedAt)}에 물음).`
    case 'command':
      return `사람이 요청했습니다: ${event.command.kind}`
    case 'restarted':
      return '다시 시작했습니다.'
    default:
      return 'orderId' in event ? `주문 ${event.orderId}의 소식이었습니다: ${event.kind}` : event.kind
  }
}

const lookLines = ({ account, proposal }: Look, context: Context): string[] => [
  ...marketLines(proposal.stock.issue.code, context),
  ...stockLines(account, context, proposal),
  ...checkLines(account, context, proposal),
]

const refusedLine =
  (context: Context) =>
  ({ account, proposal }: Look): string => {
    const [first] = checkLines(account, context, proposal)
    const side = proposal.side === 'buy' ? '매수' : '매도'
    return `${proposal.stock.issue.code} ${side} ${proposal.count}주, ${grouped(proposal.price)}원: ${first ?? ''}`
  }

const withoutInput = (order: Order | undefined): string[] => [
  '이 결정의 입력은 적혀 있지 않습니다. 입력을 함께 적기 전의 버전이 정했거나 계좌를 처음 만든 기록이라, 다시 정해 볼 수 없습니다.',
  ...(order === undefined ? [] : [`그때 적은 이유: ${order.why}`]),
]

const sameLines = ({ facts }: IncidentStep): string[] => [
  `다시 정한 결과: 같은 입력에서 기록과 똑같은 사실 ${facts.length}건이 나왔습니다.`,
]

const differentLines = ({ facts }: IncidentStep, again: Step): string[] => [
  '!!! 다시 정한 결과가 기록과 다릅니다. 프로그램이 그때와 다르거나 기록이 잘못되었습니다.',
  ...facts.map((fact) => `!!! 기록: ${canonical(fact)}`),
  ...(again.facts.length === 0 ? ['!!! 지금: 아무 사실도 없음'] : []),
  ...again.facts.map((fact) => `!!! 지금: ${canonical(fact)}`),
]

const laterLines = (later: readonly Fact[]): string[] =>
  later.length === 0
    ? ['그 뒤: 이 주문의 다른 기록은 없습니다.']
    : ['그 뒤:', ...later.map((fact) => `  ${time(fact.at)} ${factText(fact)}`)]

function factText(fact: Fact): string {
  switch (fact.kind) {
    case 'orderAccepted':
      return `증권사가 받았습니다. 주문 번호 ${fact.odno}`
    case 'orderFound':
      return `응답을 잃은 주문을 증권사 목록에서 찾았습니다. 주문 번호 ${fact.odno}`
    case 'orderLost':
      return `결과를 알 수 없게 되었습니다: ${fact.note}`
    case 'cancelWanted':
      return '취소해 달라는 요청이 있었습니다. 보낼 수 있는 대로 취소를 요청합니다.'
    case 'cancelAsked':
      return '취소를 요청했습니다.'
    case 'cancelRefused':
      return `취소되지 않았습니다: ${fact.note}`
    case 'orderFilled':
      return `모두 ${grouped(fact.count)}주, ${grouped(fact.amount)}원 체결되었습니다.`
    case 'orderEnded':
      return `끝났습니다: ${fact.end}${fact.note === null ? '' : ` (${fact.note})`}`
    case 'lotBought':
      return `매매 ${fact.lot.id}: ${grouped(fact.lot.count)}주, ${grouped(fact.lot.buyPrice)}원에 산 것으로 적었습니다.`
    case 'lotSold':
      return `매매 ${fact.lotId}: ${grouped(fact.trade.count)}주를 ${fact.trade.sellPrice === null ? '값을 모른 채' : `${grouped(fact.trade.sellPrice)}원에`} 판 것으로 적었습니다.`
    default:
      return fact.kind
  }
}
