import type { Fact } from './facts.ts'
import type { OtherServer } from './types.ts'

export const NO_OTHER_SERVER: OtherServer = { suspected: null, known: [] }

const RESTORED = 'restored '

/** The sign that the book was put back from a backup at that time: whatever happened since the backup is not in it. */
export const restoredSign = (at: number): string => `${RESTORED}${at}`

/** When the book was put back, where its person was not asked about it yet, epoch ms; else null. */
export function restoredAt({ suspected }: OtherServer): number | null {
  const sign = suspected?.signs.find((one) => one.startsWith(RESTORED))
  return sign === undefined ? null : Number(sign.slice(RESTORED.length))
}

/** Whether its person has let a restored book go on in the book's day: of what was at the broker by then it knows nothing but numbers. */
export const wasRestored = ({ known }: OtherServer): boolean => known.some((sign) => sign.startsWith(RESTORED))

export const restoredText = (takenAt: string): string =>
  `${takenAt}의 백업에서 되살린 장부입니다. 그 뒤의 주문과 체결이 없을 수 있어 주문을 모두 멈췄습니다. ` +
  '원래 서버가 꺼져 있는지, 종목마다 수량이 증권사와 같은지 확인하고 다르면 ‘잔고 맞춤’을 한 뒤 ‘계속하기’를 눌러 주세요.'

/** A suspicion outlives the day, until its person has decided; what is known does not: the broker numbers orders anew. */
export function evolveOtherServer(state: OtherServer, fact: Fact): OtherServer {
  switch (fact.kind) {
    case 'otherServerSuspected':
      return { ...state, suspected: { text: fact.text, at: fact.at, signs: fact.signs } }
    case 'otherServerDismissed':
      return { suspected: null, known: fact.known }
    case 'dayOpened':
      return state.known.length === 0 ? state : { ...state, known: [] }
    default:
      return state
  }
}
