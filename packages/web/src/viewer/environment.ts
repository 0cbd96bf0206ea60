import type { Reply } from '@digger/contract'
import { useEffect, useState } from 'react'

type Environment = Reply<'me'>['env']

/** Which broker the server talks to, as people call it. */
export const ENVIRONMENTS: Record<Environment, string> = { sim: '시뮬레이터', paper: '모의투자', real: '실전투자' }

/** The environment before the log-in, from the server's health; null while unknown, also where that cannot be read. */
export function useServerEnvironment(): Environment | null {
  const [env, setEnv] = useState<Environment | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    readEnvironment(leaving.signal).then(setEnv, () => undefined)
    return () => leaving.abort()
  }, [])
  return env
}

/** A server in trouble answers 503, and reports its environment all the same. */
async function readEnvironment(signal: AbortSignal): Promise<Environment | null> {
  const response = await fetch('/health', { signal })
  return environmentOf(await response.json())
}

export function environmentOf(health: unknown): Environment | null {
  if (typeof health !== 'object' || health === null || !('env' in health)) return null
  const { env } = health
  return env === 'sim' || env === 'paper' || env === 'real' ? env : null
}
