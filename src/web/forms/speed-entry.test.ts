import { expect, it } from 'vitest'
import { kbpsIn, speedEntry } from './speed-entry.ts'

it.each([
  ['', ''],
  ['512', '512 Kbps'],
  ['1544', '1.544 Mbps'],
  ['65000', '65 Mbps'],
  ['2500000', '2.5 Gbps'],
  ['10000123', '10000.123 Mbps'],
  ['400000000', '400 Gbps'],
  ['0', '0'],
])('%s Kbps are shown as %s, and read again', (kbps, text) => {
  expect(speedEntry(kbps)).toBe(text)
  expect(kbpsIn(text)).toBe(kbps)
})

it.each([
  ['10G', '10000000'],
  ['100 mbit/s', '100000'],
  ['1.5 Gbps', '1500000'],
  ['1000', '1000'],
  ['fast', 'fast'],
  ['1.2.3 G', '1.2.3 G'],
])('%s is read as %s', (text, kbps) => {
  expect(kbpsIn(text)).toBe(kbps)
})
