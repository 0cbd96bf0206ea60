import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { STATUS_FIELDS, statusesOf } from './issue-status.ts'

type Fields = z.output<ReturnType<typeof z.object<typeof STATUS_FIELDS>>>
const FIELDS = z.object(STATUS_FIELDS)
const USUAL = {
  iscd_stat_cls_code: '55',
  temp_stop_yn: 'N',
  mrkt_warn_cls_code: '00',
  mang_issu_cls_code: 'N',
  sltr_yn: 'N',
  short_over_yn: 'N',
  invt_caful_yn: 'N',
  vi_cls_code: 'N',
}
const read = (raw: object) => statusesOf(FIELDS.parse(raw))

test.each<[Partial<Record<keyof Fields, unknown>>, string[]]>([
  [{}, []],
  [{ iscd_stat_cls_code: '00' }, []],
  [{ iscd_stat_cls_code: '57' }, []],
  [{ iscd_stat_cls_code: '51' }, ['administrative']],
  [{ iscd_stat_cls_code: '51', mang_issu_cls_code: 'Y' }, ['administrative']],
  [{ iscd_stat_cls_code: '52', mrkt_warn_cls_code: '03' }, ['risk']],
  [{ iscd_stat_cls_code: '53', mrkt_warn_cls_code: '02' }, ['warning']],
  [{ iscd_stat_cls_code: '54', invt_caful_yn: 'Y' }, ['caution']],
  // The one code tells one thing; the flags beside it tell the rest.
  [{ iscd_stat_cls_code: '58', mang_issu_cls_code: 'Y' }, ['halted', 'administrative']],
  [{ iscd_stat_cls_code: '58', temp_stop_yn: 'Y', sltr_yn: 'Y' }, ['halted', 'liquidation']],
  [{ iscd_stat_cls_code: '59', short_over_yn: 'Y' }, ['overheated']],
  [{ iscd_stat_cls_code: '55', mrkt_warn_cls_code: '02' }, ['warning']],
  [{ temp_stop_yn: 'Y' }, ['halted']],
  [{ sltr_yn: 'Y' }, ['liquidation']],
  [{ sltr_yn: 'y' }, ['liquidation']],
  [{ vi_cls_code: 'Y' }, ['interrupted']],
  [{ vi_cls_code: '2' }, ['interrupted']],
  // Blank, absent, null and the broker's word for it say nothing.
  [{ iscd_stat_cls_code: '', mrkt_warn_cls_code: ' ', sltr_yn: null, vi_cls_code: undefined }, []],
  [{ iscd_stat_cls_code: '(null)', mang_issu_cls_code: '0', short_over_yn: '' }, []],
  [{ mrkt_warn_cls_code: 0 }, []],
  // What is in no table is neither nothing nor something.
  [{ iscd_stat_cls_code: '60' }, ['unknown']],
  [{ iscd_stat_cls_code: '60', mang_issu_cls_code: 'Y' }, ['unknown', 'administrative']],
  [{ mrkt_warn_cls_code: '04' }, ['unknown']],
  [{ sltr_yn: 'X', vi_cls_code: '9' }, ['unknown']],
  [{ iscd_stat_cls_code: {}, sltr_yn: ['Y'] }, ['unknown']],
])('%j', (change, statuses) => expect(read({ ...USUAL, ...change })).toEqual(statuses))

test('a reply without any of the fields says nothing', () => expect(read({})).toEqual([]))

test('whatever stands in the fields, something is made of it, and nothing twice', () => {
  const anything = fc.dictionary(fc.constantFrom(...Object.keys(USUAL)), fc.anything())
  fc.assert(
    fc.property(anything, (raw) => {
      const statuses = read(raw)
      expect(new Set(statuses).size).toBe(statuses.length)
    }),
  )
})
