import type { Input, ProofWays, Reply } from '@digger/contract'
import { call } from '../../api/call.ts'
import { asProblem } from '../../api/problem.ts'
import { ask } from '../../ask/ask.ts'
import { askProof } from '../../prove/ProveDialog.tsx'
import { passkeyTrouble, showPasskey } from '../../prove/passkey.ts'

type Body = Input<'login'>['body']

/** What comes after a right password, where it is not enough. Null: given up. */
export async function secondStep(body: Body, ways: ProofWays): Promise<Reply<'login'> | null> {
  let entered: Reply<'login'> | null = null
  await askProof({
    title: '두 번째 인증',
    note: '비밀번호가 맞습니다. 한 번 더 확인합니다.',
    ways,
    attempt: async (proof) => {
      if ('password' in proof) return { message: '두 번째 인증이 필요합니다.' }
      try {
        entered = await call('login', { body: { ...body, proof } })
        return null
      } catch (error) {
        const { message, ways: next } = asProblem(error)
        return { message, ways: next }
      }
    },
  })
  return entered
}

/** Null: the browser's dialog was closed, or there is no passkey to be had. */
export async function passkeyStep(forceKisLogin: boolean): Promise<Reply<'login'> | null> {
  const options = await call('passkeyOptions', {})
  try {
    const proof = await showPasskey(options)
    return await call('passkeyLogin', { body: { ...proof, forceKisLogin } })
  } catch (error) {
    const problem = asProblem(error)
    if (error === problem) throw error
    const trouble = passkeyTrouble(error)
    if (trouble !== null) await ask.alert(trouble)
    return null
  }
}
