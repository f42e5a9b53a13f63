import { describe, expect, it } from 'vitest'
import { parseInterface } from '../net/ip.ts'
import { isAllowedAddress } from './allowed-address.ts'

describe('the address of a receiver', () => {
  it.each([
    '8.8.8.8',
    '192.0.1.1',
    '172.32.0.1',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is allowed, being public', (address) => {
    expect(isAllowedAddress(address, [])).toBe(true)
  })

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    'fe80::1%eth0',
    'localhost',
    '',
  ])('%s is refused', (address) => {
    expect(isAllowedAddress(address, [])).toBe(false)
  })

  it.each([
    ['127.0.0.1', ['127.0.0.0/8'], true],
    ['::ffff:127.0.0.1', ['127.0.0.0/8'], true],
    ['10.1.2.3', ['10.1.0.0/16'], true],
    ['10.2.2.3', ['10.1.0.0/16'], false],
    ['fd00::5', ['fd00::/64'], true],
    ['::1', ['127.0.0.1', '::1'], true],
  ] as const)('%s with the allowed networks %s: %s', (address, networks, expected) => {
    const allowed = networks.flatMap((network) => parseInterface(network) ?? [])
    expect(isAllowedAddress(address, allowed)).toBe(expected)
  })
})
