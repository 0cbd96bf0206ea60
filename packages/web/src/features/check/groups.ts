import type { FindingLevel, Reply } from '@digger/contract'

type Check = Reply<'connectionCheck'>

export interface Group {
  readonly level: FindingLevel
  readonly title: string
  readonly findings: readonly {
    readonly check: string
    readonly text: string
    readonly details: readonly (readonly [name: string, value: string])[]
  }[]
}

/** The worst first. */
const TITLES: readonly (readonly [FindingLevel, string])[] = [
  ['wrong', '다릅니다'],
  ['note', '알아 둘 것'],
  ['notOffered', '없는 것'],
  ['notTried', '하지 않은 것'],
  ['ok', '맞습니다'],
]

/** Findings of all checks by how much they matter; levels that none has are left out. */
export const groupsOf = ({ checks }: Pick<Check, 'checks'>): Group[] =>
  TITLES.flatMap(([level, title]) => {
    const findings = checks.flatMap(({ name, findings: all }) =>
      all.filter((one) => one.level === level).map((one) => ({ check: name, text: one.text, details: detailsOf(one) })),
    )
    return findings.length === 0 ? [] : [{ level, title, findings }]
  })

type Finding = Check['checks'][number]['findings'][number]

function detailsOf({ level, fields, believed, came, source }: Finding): [string, string][] {
  if (level === 'ok') return []
  const details: [string, string | undefined][] = [
    ['항목', fields?.join(', ')],
    ['믿은 것', believed],
    ['온 것', came],
    ['근거', source],
  ]
  return details.flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, value]],
  )
}

/** To be sent to whoever helps. */
export const reportText = (check: Pick<Check, 'checks' | 'checkedAt'>): string =>
  [
    `연결 점검 ${check.checkedAt ?? ''}`,
    ...groupsOf(check).flatMap(({ title, findings }) => [
      `[${title}] ${findings.length}`,
      ...findings.flatMap(({ check: name, text, details }) => [
        `- ${name}: ${text}`,
        ...details.map(([what, value]) => `    ${what}: ${value}`),
      ]),
    ]),
  ].join('\n')
