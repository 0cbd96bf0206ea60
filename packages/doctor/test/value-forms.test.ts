import { expect, test } from 'vitest'
import { otherForm } from '../src/archive/value-forms.ts'

test.each<[string, string, unknown[], unknown[]]>([
  ['numbers of any size and sign', 'evlu_pfls_amt', ['-12'], ['0', '1500']],
  ['decimals, as many', 'prdy_ctrt', ['-1.50'], ['0.25']],
  ['a number that looks like a time', 'stck_prpr', ['114600'], ['158600']],
  ['a number that looks like a day', 'tot_amt', ['20261116'], ['7']],
  ['zeros in front, of one width', 'odno', ['0000000012'], ['0000004711']],
  ['codes with letters', 'pdno', ['0126Z0'], ['005930']],
  ['names', 'prdt_name', ['3S'], ['삼성전자']],
  ['names filled up to one width', 'prdt_name', ['카카오   '], ['삼성전자  ']],
  ['a width that is filled exactly', 'fix_rate', ['100.00'], ['  5.00']],
  ['blanks among values', 'loan_dt', ['', '20261116'], ['20261117']],
  ['one of several ways of the pretended broker', 'x', ['1.50'], ['', '삼성', '2.25']],
  ['cursors of one width', 'ctx_area_nk100', ['0000^   '], ['        ']],
])('alike: %s', (_name, field, archived, pretended) => expect(otherForm(field, archived, pretended)).toBeNull())

test.each<[string, unknown[], unknown[], string, string]>([
  ['stck_prpr', [70000], ['70000'], '따옴표 없는 number', '정수'],
  ['stck_prpr', [null], ['70000'], 'null', '정수'],
  ['stck_prpr', ['70,000'], ['70000'], '다른 꼴의 수', '정수'],
  ['prdy_ctrt', ['1.5'], ['1.50'], '소수 1자리 수', '소수 2자리 수'],
  ['prdy_ctrt', ['0001.50'], ['1.50'], '0을 채운 7자리 소수', '소수 2자리 수'],
  ['prdy_vrss', ['+500'], ['500'], '앞에 +가 붙은 수', '정수'],
  ['prdy_vrss', ['500-'], ['-500'], '뒤에 -가 붙은 수', '정수'],
  ['odno', ['12'], ['0000004711'], '정수', '0을 채운 10자리 숫자'],
  ['odno', ['00012'], ['0000004711'], '0을 채운 5자리 숫자', '0을 채운 10자리 숫자'],
  ['ord_dt', ['2026/11/16'], ['20261116'], 'YYYY/MM/DD 날짜', 'YYYYMMDD 날짜'],
  ['ord_dt', ['2026-11-16'], ['20261116'], 'YYYY-MM-DD 날짜', 'YYYYMMDD 날짜'],
  ['ord_dt', ['00000000'], ['20261116'], '0을 채운 8자리 숫자', 'YYYYMMDD 날짜'],
  ['ord_tmd', ['1030'], ['103000'], '정수', 'HHMMSS 시각'],
  ['ord_tmd', ['10:30:00'], ['103000'], 'HH:MM:SS 시각', 'HHMMSS 시각'],
  ['opnd_yn', ['1'], ['Y'], '정수', 'Y 또는 N'],
  ['loan_dt', ['', ''], ['20261116'], '빈 값', 'YYYYMMDD 날짜'],
  ['loan_dt', ['20261116'], [''], 'YYYYMMDD 날짜', '빈 값'],
  ['msg1', ['정상'], ['정상        '], '글자', '글자(뒤를 빈칸으로 채워 10자)'],
  ['ctx_area_nk100', [''], ['     '], '빈 값', '빈칸 5개'],
  // One row among others that are alike.
  ['ord_qty', ['10', '10주'], ['7', '12'], '글자', '정수'],
])('%s: %j is not %j', (field, archived, pretended, ours, theirs) =>
  expect(otherForm(field, archived, pretended)).toEqual({ archived: ours, pretended: theirs }),
)
