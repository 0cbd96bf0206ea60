/** The messages between the server's thread and the database's. Sockets are numbered: a late reply of an old one is dropped. */
export interface WorkerInput {
  readonly folder: string
  /** Number of fsync calls so far, shared so that the self-test can see a commit reach the disk. */
  readonly fsyncs: SharedArrayBuffer
}

export type ToWorker =
  | { kind: 'open'; socket: number }
  | { kind: 'bytes'; socket: number; bytes: Uint8Array }
  | { kind: 'stop' }

export type FromWorker =
  | { kind: 'ready'; fresh: boolean }
  | { kind: 'opened'; socket: number }
  | { kind: 'bytes'; socket: number; bytes: Uint8Array }
  | { kind: 'stopped' }
