import { lastKnownCash, mayAskFor } from '../account/buying-power.ts'
import { won } from '../ladder/text.ts'
import { is } from './connection.ts'
import { automaticOf } from './stocks.ts'
import type { MorningInput, MorningItem } from './types.ts'

export function bookItem(input: MorningInput): MorningItem {
  const book = is('book')
  const { account, facts } = input
  const { connection, readSchedule, stocks } = account.view
  if (!facts.opened) return book('waiting', '키가 열리면 장부를 증권사와 맞춰 봅니다.')
  if (!connection.armed)
    return readSchedule.failure === null
      ? book('waiting', '장부를 증권사와 맞춰 보고 있습니다.', { since: connection.linkedAt })
      : book('red', `장부를 증권사와 맞춰 보지 못했습니다. 계속 다시 읽습니다: ${readSchedule.failure}`, {
          since: connection.linkedAt,
        })
  const blocked = [...account.book.stocks.values()].filter((stock) => stock.blocked?.code === 'mismatch')
  const codes = blocked.map(({ issue }) => issue.code)
  if (codes.length > 0)
    return book('red', '장부와 증권사의 주식 수가 다른 종목이 있습니다. 종목 화면에서 잔고를 맞춰 주세요.', { codes })
  const doubted = [...stocks.suspectedMismatches.keys()]
  const since = readSchedule.lastComparedAt
  return doubted.length > 0
    ? book('waiting', '주식 수가 다르게 보인 종목을 다시 확인하고 있습니다.', { codes: doubted, since })
    : book('ok', '장부와 증권사의 주식 수가 같습니다.', { since })
}

export function cashItem(input: MorningInput): MorningItem {
  const cash = is('cash')
  const { account, facts } = input
  const { failure, answer } = account.view.cash
  if (!automaticOf(input).some((stock) => mayAskFor(stock, input.ctx)))
    return cash('notApplicable', '자동으로 살 종목이 없습니다.')
  if (failure !== null)
    return cash('red', `살 수 있는 금액을 알지 못해 사지 않고 다시 묻습니다: ${failure}`, { since: answer?.at ?? null })
  const known = lastKnownCash(account)
  if (known !== null)
    return cash('ok', `${won(Math.max(0, Math.floor(known.amount)))}까지 살 수 있습니다.`, { since: known.at })
  return cash('waiting', facts.opened ? '살 수 있는 금액을 묻습니다.' : '키가 열리면 살 수 있는 금액을 묻습니다.')
}
