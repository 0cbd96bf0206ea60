import type { Fact } from './facts.ts'
import type { OtherServer } from './types.ts'

export const NO_OTHER_SERVER: OtherServer = { suspected: null, known: [] }

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
