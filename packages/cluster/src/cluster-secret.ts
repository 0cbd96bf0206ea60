import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { OperatorError, readSecretFile } from '@digger/database'
import { WorkerSigner } from './worker-signature.ts'

const KEY_BYTES = 32
export const PROOF_BYTES = 32

/** A secret that several processes have, and neither the database nor the bus. */
abstract class SharedSecret {
  readonly #secret: Buffer
  readonly #whose: string
  readonly #proofKey: Buffer
  /** Tells this secret from another one, and nothing else of it. */
  readonly mark: string

  /** 32 random bytes. `whose`: no two kinds of secret derive the same. */
  protected constructor(secret: Buffer, whose: string) {
    this.#secret = secret
    this.#whose = whose
    this.#proofKey = this.derived('worker key')
    this.mark = createHmac('sha256', this.derived('mark')).update('mark').digest('hex')
  }

  /** That somebody who has the secret made this public key, and is this worker. */
  prove(worker: string, publicKey: Buffer): Buffer {
    return createHmac('sha256', this.#proofKey).update(`${worker}\n`).update(publicKey).digest()
  }

  isProven(worker: string, publicKey: Buffer, proof: Buffer): boolean {
    const right = this.prove(worker, publicKey)
    return proof.length === right.length && timingSafeEqual(proof, right)
  }

  protected derived(what: string, salt: Buffer = Buffer.alloc(0)): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, salt, `digger ${this.#whose} ${what}`, KEY_BYTES))
  }
}

/**
 * What all workers and gateways of one cluster have: CLUSTER_SECRET_FILE. It shows that a message or a public key comes from one of
 * them. A password is sealed for one worker beside it.
 */
export class ClusterSecret extends SharedSecret {
  /** 32 random bytes. */
  constructor(secret: Buffer) {
    super(secret, 'cluster')
  }

  /** Throws OperatorError, as the file of a master key does. */
  static read(path: string): ClusterSecret {
    return new ClusterSecret(readSecretFile('CLUSTER_SECRET_FILE', path))
  }

  /** The key of one sender's messages: each counts its own, so that no nonce comes twice. */
  busKey(sender: Buffer): Buffer {
    return this.derived('bus', sender)
  }
}

/**
 * What workers have and gateways have not: WORKER_SECRET_FILE. Users' keys are sealed only for workers that show that they have it: a
 * gateway that poses as one is given none.
 */
export class WorkerSecret extends SharedSecret {
  /** Seals the shares of users' keys beside the key pairs of the workers. */
  readonly memberKey: Buffer
  /** Seals the addresses that people are told at. */
  readonly addressKey: Buffer
  /** Proves public keys to gateways, too. */
  readonly signer: WorkerSigner

  /** 32 random bytes. */
  constructor(secret: Buffer) {
    super(secret, 'workers')
    this.memberKey = this.derived('key share')
    this.addressKey = this.derived('notification addresses')
    this.signer = new WorkerSigner(this.derived('signature'))
  }

  /** Throws OperatorError, as the file of a master key does. */
  static read(path: string): WorkerSecret {
    return new WorkerSecret(readSecretFile('WORKER_SECRET_FILE', path))
  }
}

/** What a worker has. */
export interface WorkerSecrets {
  readonly cluster: ClusterSecret
  readonly workers: WorkerSecret
}

/** Throws OperatorError where a file is not a secret, or both are the same one: then gateways have it, too. */
export function readWorkerSecrets(clusterFile: string, workerFile: string): WorkerSecrets {
  const cluster = ClusterSecret.read(clusterFile)
  if (new ClusterSecret(readSecretFile('WORKER_SECRET_FILE', workerFile)).mark === cluster.mark)
    throw new OperatorError(SAME)
  return { cluster, workers: WorkerSecret.read(workerFile) }
}

const SAME =
  'WORKER_SECRET_FILE이 CLUSTER_SECRET_FILE과 같은 값입니다. 게이트웨이에는 없는 값이어야 하니 openssl rand -base64 32로 따로 만들어 주세요.'
