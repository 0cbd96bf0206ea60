import { barringStatus, STATUS_NAMES, type IssueStatus } from '@digger/core'

/**
 * What each does to trading: KRX's rules of its two boards as of 2026 (유가증권시장·코스닥시장 업무규정, 시장감시규정: market alerts,
 * administration, trading before a delisting, short-term overheating, volatility interruptions).
 */
const MEANINGS: Readonly<Record<IssueStatus, string>> = {
  liquidation: '상장폐지를 앞두고 며칠 동안만 거래됩니다. 30분마다 한 값으로 체결되고 상한가와 하한가가 없습니다.',
  administrative: '상장폐지될 수 있어 거래소가 따로 관리하는 종목입니다. 넥스트레이드에서는 거래되지 않습니다.',
  risk: '값이 비정상으로 올라 거래소가 가장 높게 경고한 종목입니다. 거래가 멈출 수 있습니다.',
  warning: '값이 비정상으로 올라 거래소가 경고한 종목입니다. 더 오르면 거래가 하루 멈출 수 있습니다.',
  halted: '거래가 멈춰 주문할 수 없습니다. 풀리면 이어서 매매합니다.',
  interrupted:
    '값이 갑자기 움직였거나 멈췄던 거래를 다시 시작하려고, 2분쯤 호가만 모아 한 값으로 체결합니다. 그동안은 체결되지 않습니다.',
  overheated: '며칠 동안 30분마다 한 값으로만 체결됩니다. 주문이 체결되기까지 오래 걸릴 수 있습니다.',
  caution: '오늘 하루 조심하라고 거래소가 알린 종목입니다. 거래는 보통과 같습니다.',
  unknown:
    '증권사가 Digger가 모르는 표시를 붙였습니다. 증권사 앱에서 종목 상태를 확인해 주세요. 매매는 설정대로 합니다.',
}

const BARRED = 'Digger는 이 종목을 스스로 사지 않습니다. 가진 주식은 설정대로 팔고, 직접 사는 것은 됩니다.'

/** What is said of a stock's statuses, a paragraph each; `readAt`: when they were last read, in words. */
export function meaningsOf(statuses: readonly IssueStatus[], readAt: string | null): string[] {
  return [
    ...statuses.map((status) => `${STATUS_NAMES[status]}: ${MEANINGS[status]}`),
    ...(barringStatus(statuses) === null ? [] : [BARRED]),
    ...(readAt === null ? [] : [`증권사 시세로 ${readAt}에 확인했습니다.`]),
  ]
}
