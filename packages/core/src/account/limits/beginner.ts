import { grouped, won } from '../../ladder/text.ts'
import type { ServerLimits } from '../types.ts'
import { ceilingOf, inForce, isLooser } from './change.ts'
import type { LimitName, LimitState } from './types.ts'

/** A cautious value of one limit, and why this one. */
export interface BeginnerLimit {
  readonly name: LimitName
  readonly value: number
  readonly why: string
}

interface Beginner {
  /** Won: cash that may be spent, and what the shares cost. */
  readonly worth: number
  /** Won that one share of the dearest stock may cost at worst; 0: there is none. */
  readonly dearest: number
  readonly limits: Pick<LimitState, 'own'>
  readonly server: ServerLimits
}

/** A percentage of an amount in whole thousands, so that people can read it. */
const share = (amount: number, percent: number): number =>
  Math.max(1_000, Math.floor((amount * percent) / 100 / 1_000) * 1_000)

/** Limits for who has not traded by machine before, each with its reason. One that is in force and stricter already is left out. */
export function beginnerLimits({ worth, dearest, limits, server }: Beginner): BeginnerLimit[] {
  if (!(worth > 0)) return []
  const oneShare = dearest > 0 ? ` 가장 비싼 종목의 1주(${won(dearest)}까지)는 살 수 있게 했습니다.` : ''
  const atLeastOne = (amount: number): number => Math.max(amount, dearest)
  const of = `가진 돈 ${won(worth)}`
  const proposed: BeginnerLimit[] = [
    {
      name: 'positionAmount',
      value: share(worth, 50),
      why: `${of}의 절반까지만 주식에 넣습니다. 값이 내려도 더 살 돈과 쓸 돈이 남습니다.`,
    },
    { name: 'lossAmount', value: share(worth, 3), why: `${of}의 3%를 잃으면 사기를 멈추고 묻습니다.` },
    {
      name: 'dailyBuyAmount',
      value: atLeastOne(share(worth, 10)),
      why: `절반을 다 쓰는 데 닷새쯤 걸려, 그사이 설정을 고칠 수 있습니다.${oneShare}`,
    },
    {
      name: 'orderAmount',
      value: atLeastOne(share(worth, 2)),
      why: `잘못 넣은 설정 하나로 크게 사지 않습니다.${oneShare}`,
    },
    {
      name: 'personOrderAmount',
      value: atLeastOne(share(worth, 10)),
      why: '손으로 친 숫자에 0이 하나 더 붙어도 나가지 않습니다.',
    },
    { name: 'repeatCount', value: 3, why: '10분에 세 번 넘게 사고팔면 설정이 너무 촘촘한 것이라 멈추고 묻습니다.' },
    { name: 'unknownPerHour', value: 3, why: '결과를 모르는 주문이 이어지면 연결부터 살피는 것이 안전합니다.' },
    { name: 'ordersPerMinute', value: 10, why: `1분에 ${grouped(10)}건이면 몇 종목을 돌리기에 넉넉합니다.` },
    { name: 'sellCollarPercent', value: 5, why: '현재가보다 5% 넘게 낮은 매도가는 잘못 친 것일 때가 많습니다.' },
  ]
  return proposed
    .map((one) => ({ ...one, value: Math.min(one.value, ceilingOf(server, one.name) ?? one.value) }))
    .filter(({ name, value }) => {
      const now = inForce(limits, server, name)
      return now !== value && !isLooser(value, now)
    })
}
