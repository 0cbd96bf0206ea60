import { basename } from 'node:path/posix'
import { code, perFile, type Rule } from './architecture.ts'

interface BannedWord {
  readonly word: RegExp
  /** What the field says. */
  readonly say: string
}

/** Words that only this project used, in identifiers. Texts and comments may use them. */
const BANNED: readonly BannedWord[] = [
  { word: /\b\w*(?:[a-z]World|\bWorld)\b/, say: '…Deps, or …Fixture in tests' },
  { word: /\b(?:MOST|LONGEST|LARGEST)_\w+/, say: 'MAX_…' },
  { word: /\b(?:WORTH|LEAST|FEWEST|SHORTEST)_\w+/, say: 'MIN_…' },
  { word: /\b\w*PATIENCE\w*/, say: '…_TIMEOUT_MS' },
  { word: /\b\w*AT_ONCE\w*/, say: '…_CONCURRENCY' },
  { word: /\b\w*(?:_|\b)APART(?:_\w+)?\b/, say: '…_INTERVAL_MS' },
  { word: /\b(?:hear|heard\w*)\b/, say: 'receive, received' },
  { word: /\b(?:tell|told)\b/, say: 'publish, report' },
  { word: /\b(?:said|wordsOf)\b/, say: 'message, output' },
  {
    word: /\b(?:hasty|shrunk|obey\w*|insists|foreseen)\b/,
    say: 'pendingStops, compressed, handleCommand, requires, precheck',
  },
  { word: /\b(?:lies|stays|know|knows)\b/, say: 'a predicate with its subject, as matchesQuery' },
  { word: /\bknow[A-Z]\w*/, say: 'set…, patch…' },
  { word: /\b\w+(?:Dear|Cheap)\b/, say: '…AboveMaxPrice, …BelowTarget' },
  { word: /\b(?:Wish|wishes)\b/, say: 'PendingSale' },
  { word: /\bLIKELY_\w+/, say: 'DEFAULT_…' },
  { word: /\b(?:hands|Hands|\w+Hands)\b/, say: '…Control' },
]

/** The same for names of files, without their endings. */
const BANNED_FILES = /^(?:world|hands|wishes|front|entrance|early|later|marks|words|doubts)$/i

const REGEX = /(?<=[(:=,[]\s*)\/(?![/*])(?:[^/\\\n]|\\.)+\/[a-z]*/g
const QUOTED = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g
const TEMPLATE = /`(?:[^`\\]|\\.)*`/g

/** Only identifiers: neither comments nor texts; of a template what it puts in. */
const identifiers = (text: string): string =>
  code(text)
    .replaceAll(REGEX, '0')
    .replaceAll(QUOTED, "''")
    .replaceAll(TEMPLATE, (template) => [...template.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1]).join(' '))

export const fieldsLanguage = (exempt: readonly string[] = []): Rule =>
  perFile(({ path, text }) => {
    if (exempt.some((folder) => path.startsWith(`${folder}/`))) return []
    const names = identifiers(text)
    const [stem = ''] = basename(path).split('.')
    return [
      ...(BANNED_FILES.test(stem) ? [`"${stem}" is a word of this house only: name the file as the field would`] : []),
      ...BANNED.flatMap(({ word, say }) => {
        const found = word.exec(names)
        return found ? [`"${found[0]}" is a word of this house only: say ${say}`] : []
      }),
    ]
  })

/** Folders that are still being renamed: none, and none may be added. */
export const NOT_YET_RENAMED: readonly string[] = []
