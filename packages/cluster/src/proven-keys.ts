import { sql } from 'kysely'
import type { Db } from '@digger/database'
import { type ClusterSecret, PROOF_BYTES, type WorkerSecret } from './cluster-secret.ts'
import type { WorkerKey } from './worker-rows.ts'
import type { WorkerVerifier } from './worker-signature.ts'

interface KeyRow {
  readonly id: string
  readonly public_key: Buffer | null
  readonly proof: Buffer | null
  readonly signature: Buffer | null
}

export interface ProofSecrets {
  readonly cluster: ClusterSecret
  /** Of whoever seals users' keys; gateways have none, and seal log-ins. */
  readonly workers?: WorkerSecret
}

/** What is asked of a row before anything is sealed for it. */
interface RowChecks extends ProofSecrets {
  /** At a gateway, where its operator has given it the public half of the workers' secret. */
  readonly verifier?: WorkerVerifier | undefined
}

/** The public key of a worker with its proofs: one for gateways, one that only workers can make or check. */
export const provenKey = (
  worker: string,
  publicKey: Buffer,
  { cluster, workers }: Required<ProofSecrets>,
): WorkerKey => ({
  publicKey,
  proof: Buffer.concat([cluster.prove(worker, publicKey), workers.prove(worker, publicKey)]),
  signature: workers.signer.sign(worker, publicKey),
})

/** Public keys of workers, only of those that have shown that they are workers of this cluster: rows may be written by anybody. */
export class ProvenKeys {
  readonly #db: Db
  readonly #checks: RowChecks
  readonly #forged: (worker: string) => void
  readonly #reported = new Set<string>()

  /** `forged` is called once for each row that nobody who has these secrets wrote. */
  constructor(db: Db, checks: RowChecks, forged: (worker: string) => void) {
    this.#db = db
    this.#checks = checks
    this.#forged = forged
  }

  /** Of all workers that are there. */
  async live(): Promise<Buffer[]> {
    const rows = await this.#select()
      .where(sql<boolean>`until > now()`)
      .execute()
    return rows.flatMap((row) => this.#proven(row) ?? [])
  }

  /** Null where the worker is not there, or has no such key. */
  async of(worker: string): Promise<Buffer | null> {
    const row = await this.#select().where('id', '=', worker).executeTakeFirst()
    return row ? this.#proven(row) : null
  }

  #select() {
    return this.#db.selectFrom('worker').select(['id', 'public_key', 'proof', 'signature']).where('buried', '=', false)
  }

  #proven({ id, public_key, proof, signature }: KeyRow): Buffer | null {
    if (public_key === null || proof === null) return null
    const { cluster, workers, verifier } = this.#checks
    const isOurs =
      cluster.isProven(id, public_key, proof.subarray(0, PROOF_BYTES)) &&
      workers?.isProven(id, public_key, proof.subarray(PROOF_BYTES)) !== false &&
      verifier?.isSigned(id, public_key, signature) !== false
    if (isOurs) return public_key
    if (!this.#reported.has(id)) this.#forged(id)
    this.#reported.add(id)
    return null
  }
}
