import { call } from '../api/call.ts'
import { asProblem } from '../api/problem.ts'
import { ask } from '../ask/ask.ts'
import { ME } from '../url/user.ts'
import { askProof } from './ProveDialog.tsx'

const OWN = { params: { userId: ME } }

/** Asks its person who they are, for what the server wants to be sure of. True: they have proved it. */
export async function stepUp(): Promise<boolean> {
  try {
    return await askProof({
      title: '본인 확인',
      note: '중요한 일이라 한 번 더 확인합니다. 10분 동안 다시 묻지 않습니다.',
      ways: await call('proofWays', OWN),
      attempt: async (body) => {
        try {
          await call('stepUp', { ...OWN, body })
          return null
        } catch (error) {
          // A passkey's question is answered once: the next try needs another.
          return { message: asProblem(error).message, ways: await call('proofWays', OWN).catch(() => undefined) }
        }
      },
    })
  } catch (error) {
    await ask.alert(asProblem(error).message)
    return false
  }
}
