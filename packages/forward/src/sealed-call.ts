import { newKey, seal, sealFor, unseal, unsealWith } from '@digger/identity'

/** Of the key that the answer is sealed with. */
const KEY_BYTES = 32

const labelFor = (worker: string, what: 'call' | 'answer'): string => `digger ${what}:${worker}`

/**
 * Seals a call that carries a password or cookies for one worker alone, and its answer for whoever asked: the secret of the bus,
 * which every process has for years, opens neither of a recording.
 */
export async function sealCall(worker: string, publicKey: Buffer, call: Buffer) {
  const answerKey = newKey()
  return {
    sealed: await sealFor(publicKey, Buffer.concat([answerKey, call]), labelFor(worker, 'call')),
    /** Throws SealError. */
    openAnswer: (answer: Uint8Array): Buffer => unseal(answerKey, Buffer.from(answer), labelFor(worker, 'answer')),
  }
}

/** Throws SealError for what was not sealed for this worker. */
export async function openCall(worker: string, privateKey: Buffer, sealed: Uint8Array) {
  const opened = await unsealWith(privateKey, Buffer.from(sealed), labelFor(worker, 'call'))
  const answerKey = opened.subarray(0, KEY_BYTES)
  return {
    call: opened.subarray(KEY_BYTES),
    sealAnswer: (answer: Buffer): Buffer => seal(answerKey, answer, labelFor(worker, 'answer')),
  }
}
