/** Where a belief about the broker comes from, as kis-protocol labels it: its own documents, its samples, other public clients, … */
export interface Source {
  readonly label: 'D' | 'S' | 'K' | 'M' | 'R' | 'X' | '?'
  /** Section of kis-protocol. */
  readonly section: string
}

export const source = (label: Source['label'], section: string): Source => ({ label, section })

const LABELS: Readonly<Record<Source['label'], string>> = {
  D: '증권사 문서',
  S: '증권사 공식 예제',
  K: '다른 공개 프로그램',
  M: '공개된 실측',
  R: '공개된 제보',
  X: '실험',
  '?': '확실한 자료 없음',
}

export const sourceText = ({ label, section }: Source): string => `${LABELS[label]} (kis-protocol ${section})`

/**
 * `ok`: as believed. `note`: another answer than believed, and Digger trades right under either. `wrong`: something Digger decides by
 * is missing or other than believed. `notOffered`: this environment has no such call. `notTried`: left out, and why.
 */
export type Level = 'ok' | 'note' | 'wrong' | 'notOffered' | 'notTried'

export interface Finding {
  readonly level: Level
  /** What was believed, what came, and what it means for trading: for people. */
  readonly text: string
  /** The broker's names of what it is about. */
  readonly fields?: readonly string[]
  readonly believed?: string
  readonly came?: string
  readonly source?: Source
}

type More = Omit<Finding, 'level' | 'text'>

export const ok = (text: string, more: More = {}): Finding => ({ level: 'ok', text, ...more })
export const note = (text: string, more: More = {}): Finding => ({ level: 'note', text, ...more })
export const wrong = (text: string, more: More = {}): Finding => ({ level: 'wrong', text, ...more })
export const notOffered = (text: string): Finding => ({ level: 'notOffered', text })
export const notTried = (text: string): Finding => ({ level: 'notTried', text })

/** The same sentence once. */
export const eachOnce = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((one) => [one.text, one])).values(),
]

/** Findings of one check, and what the check is. */
export interface Checked {
  readonly key: string
  readonly name: string
  readonly findings: readonly Finding[]
}

export interface Report {
  /** Epoch ms. */
  readonly at: number
  readonly env: 'real' | 'paper'
  readonly checks: readonly Checked[]
}
