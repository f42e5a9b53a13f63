import { expect, it } from 'vitest'
import { parseHardwareAddress } from './parse-hardware-address.ts'

const cases: readonly (readonly [string, 6 | 8, string | undefined])[] = [
  ['00:11:22:33:44:55', 6, '00:11:22:33:44:55'],
  ['00-11-22-AA-BB-CC', 6, '00:11:22:aa:bb:cc'],
  ['0:1:2:3:4:5', 6, '00:01:02:03:04:05'],
  ['0011.2233.4455', 6, '00:11:22:33:44:55'],
  ['001122-334455', 6, '00:11:22:33:44:55'],
  ['001122334455', 6, '00:11:22:33:44:55'],
  [' 001122334455 ', 6, '00:11:22:33:44:55'],
  ['00:11:22', 6, '00:00:00:11:00:22'],
  ['00:11', 6, undefined],
  ['00:11:22-33:44:55', 6, undefined],
  ['zz', 6, undefined],
  ['', 6, undefined],
  ['00:11:22:33:44:55:66:77', 8, '00:11:22:33:44:55:66:77'],
  ['0011223344556677', 8, '00:11:22:33:44:55:66:77'],
  ['00:11:22:33:44:55', 8, undefined],
]

it.each(cases)('%s of %i bytes is %s', (text, bytes, address) => {
  expect(parseHardwareAddress(text, bytes)).toBe(address)
})
