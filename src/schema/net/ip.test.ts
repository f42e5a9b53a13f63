import { describe, expect, test } from 'vitest'
import { contains, formatInterface, formatIp, lastOf, networkOf, parseInterface, parseIp } from './ip.ts'

describe('addresses are read and written as PostgreSQL does', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1/32'],
    ['192.0.2.1/24', '192.0.2.1/24'],
    ['2001:DB8:0:0:0:0:0:1/64', '2001:db8::1/64'],
    ['::', '::/128'],
    ['::1', '::1/128'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1/128'],
    ['::192.0.2.1', '::192.0.2.1/128'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3/128'],
    ['1:2:3:4:5:6:0:8', '1:2:3:4:5:6:0:8/128'],
    ['fe80::', 'fe80::/128'],
  ])('%s is %s', (text, expected) => {
    const parsed = parseInterface(text)
    expect(parsed && formatInterface(parsed)).toBe(expected)
  })

  test.each(['', 'x', '10.0.0.0/33', '10.0.0/8', '::/129', 'fe80::1%eth0', '10.0.0.1/8/8', '1.2.3.4/-1'])(
    '%j is not an address',
    (text) => {
      expect(parseInterface(text)).toBeUndefined()
    },
  )
})

test('a network clears its host bits, ends at its last address and contains itself', () => {
  const parsed = parseInterface('10.1.2.3/16')
  if (!parsed) throw new Error('not parsed')
  const network = networkOf(parsed)
  expect(formatInterface(network)).toBe('10.1.0.0/16')
  expect(formatIp(lastOf(network))).toBe('10.1.255.255')
  const inside = parseIp('10.1.9.9')
  const outside = parseIp('10.2.0.0')
  expect(inside && contains(network, inside)).toBe(true)
  expect(outside && contains(network, outside)).toBe(false)
})
