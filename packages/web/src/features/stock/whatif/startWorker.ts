import type { Request, WorkerReply } from './protocol.ts'

interface Given {
  onReply: (reply: WorkerReply) => void
  /** It cannot be loaded, or ended with an error. */
  onBroken: () => void
}

export interface RunningWorker {
  post: (request: Request) => void
  close: () => void
}

/** Trades the past again beside the page, so that none of it holds a picture up. */
export function startWorker({ onReply, onBroken }: Given): RunningWorker {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => onReply(data))
  worker.addEventListener('error', onBroken)
  return { post: (request) => worker.postMessage(request, []), close: () => worker.terminate() }
}

export const BROKEN = '계산을 시작하지 못했습니다. 화면을 새로 고쳐 다시 해 주세요.'
