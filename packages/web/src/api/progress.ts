declare global {
  interface WindowEventMap {
    setGlobalProgress: CustomEvent<1 | -1>
  }
}

/** The page-wide sign of work: every start is +1, every finish −1; shown while the sum is above zero. */
export const PROGRESS_EVENT = 'setGlobalProgress'

export function setGlobalProgress(change: 1 | -1): void {
  window.dispatchEvent(new CustomEvent(PROGRESS_EVENT, { detail: change }))
}

export async function withProgress<T>(task: () => Promise<T>): Promise<T> {
  setGlobalProgress(1)
  try {
    return await task()
  } finally {
    setGlobalProgress(-1)
  }
}
