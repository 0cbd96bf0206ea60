import { createElement, lazy, useState, type ComponentType } from 'react'
import { Problem } from '../api/problem.ts'

export interface LazyPage {
  (): ReturnType<typeof createElement>
  /** Fetches the code; never fails: whoever shows the page reports the failure. */
  fetch: () => Promise<void>
}

/**
 * A page whose code is fetched when it is wanted. Once the code is there it is shown at once: React would first show the
 * fallback of a lazy page all the same, and then keep it for 300 ms.
 */
export function lazyPage<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K): LazyPage {
  let loaded: ComponentType | null = null
  const fetch = async () => {
    const module = await load()
    loaded = module[name]
    return { default: loaded }
  }
  const Lazy = lazy(() =>
    fetch().catch((cause: unknown) => {
      throw new Problem('OFFLINE', '화면을 가져오지 못했습니다. 서버 연결을 확인하고 다시 시도해 주세요.', { cause })
    }),
  )
  function Page() {
    // What it began with it stays, or what the page remembers would be lost.
    const [Shown] = useState<ComponentType>(() => loaded ?? Lazy)
    return createElement(Shown)
  }
  Page.fetch = () =>
    fetch().then(
      () => undefined,
      () => undefined,
    )
  return Page
}
