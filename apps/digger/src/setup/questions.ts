import { isAbsolute, join, relative } from 'node:path'
import type { Variables } from './env-file.ts'

/** One thing that the server has to be told. */
export interface Question {
  readonly name: string
  readonly text: string
  /** The answer of whoever just presses Enter; empty: the variable stays away. */
  readonly otherwise: string
  readonly asked?: (given: Variables) => boolean
  /** What the server itself would not refuse, in one sentence. */
  readonly problem?: (value: string, given: Variables) => string | null
}

const NONE = '없으면 Enter'

/** In the order they are asked. `place`: the folder of the file that is written. */
export const questionsFor = (place: string, home: string): readonly Question[] => [
  {
    name: 'KIS_ENV',
    text: '환경: sim(모의 거래소), paper(모의투자), real(실전 — 진짜 돈)',
    otherwise: 'sim',
  },
  {
    name: 'PUBLIC_URL',
    text: `사람들이 여는 주소(https://digger.example.com). 이 컴퓨터에서만 열 것이면 Enter`,
    otherwise: '',
  },
  {
    name: 'DATABASE_URL',
    text: `PostgreSQL 주소(postgres:///digger?host=/run/postgresql). ${NONE}(내장 데이터베이스, 실전은 안 됨)`,
    otherwise: '',
  },
  { name: 'DATA_DIR', text: '데이터 폴더', otherwise: join(home, 'data'), problem: folderProblem('DATA_DIR') },
  {
    name: 'MASTER_KEY_FILE',
    text: '마스터 키 파일(없으면 만든다). 다시 켤 때 비밀번호 없이 키를 연다',
    otherwise: join(place, 'master.key'),
    problem: (value, given) =>
      folderProblem('MASTER_KEY_FILE')(value) ?? apart('MASTER_KEY_FILE', value, given, ['DATA_DIR', 'BACKUP_DIR']),
  },
  {
    name: 'BACKUP_DIR',
    text: `매일 백업할 폴더, 되도록 다른 디스크. ${NONE}(백업하지 않음)`,
    otherwise: '',
    problem: (value, given) =>
      value === ''
        ? null
        : (folderProblem('BACKUP_DIR')(value) ??
          apart('BACKUP_DIR', value, given, ['DATA_DIR']) ??
          apart('MASTER_KEY_FILE', given['MASTER_KEY_FILE'] ?? '', { BACKUP_DIR: value }, ['BACKUP_DIR'])),
  },
  { name: 'MAIL_FROM', text: `알림을 보내는 이메일 주소. ${NONE}(메일을 쓰지 않음)`, otherwise: '' },
  {
    name: 'SMTP_URL',
    text: '메일 서버(smtps://사용자:비밀번호@주소)',
    otherwise: '',
    asked: (given) => (given['MAIL_FROM'] ?? '') !== '',
    problem: (value) => (value === '' ? 'MAIL_FROM을 적었으니 SMTP_URL도 적어 주세요.' : null),
  },
  { name: 'TELEGRAM_TOKEN', text: `텔레그램 봇의 토큰. ${NONE}`, otherwise: '' },
]

function folderProblem(name: string): (value: string) => string | null {
  return (value) => (isAbsolute(value) ? null : `${name}=${value}: /로 시작하는 경로를 적어 주세요.`)
}

/** Whoever takes the one must not have the other with it. */
function apart(name: string, value: string, given: Variables, others: readonly string[]): string | null {
  for (const other of others) {
    const folder = given[other] ?? ''
    if (folder !== '' && value !== '' && isInside(value, folder))
      return `${name}=${value}: ${other}(${folder})와 다른 곳에 두세요. 하나를 잃거나 빼앗길 때 함께 가지 않게 합니다.`
  }
  return null
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!way.startsWith('..') && !isAbsolute(way))
}
