import type { FastifyRequest } from 'fastify'
import { hostOf, isLoopback } from '@digger/config'
import type { Services } from '../services.ts'
import { callerOf } from '@digger/http'

/** A proxy on this machine forwards strangers: what it adds marks them. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Who may look at the server's inside (metrics, details of its health, the API's document): this machine and administrators. */
export async function mayInspect({ sessions }: Services, request: FastifyRequest): Promise<boolean> {
  if (fromThisMachine(request)) return true
  return (await callerOf(sessions, request))?.diggerAdmin ?? false
}

function fromThisMachine({ ip, headers }: FastifyRequest): boolean {
  if (!isLoopback(ip) || FORWARDED.some((name) => headers[name] !== undefined)) return false
  // A public name leads here through something that forwards, whatever it left out.
  return headers.host === undefined || isLoopback(hostOf(headers.host) ?? '')
}
