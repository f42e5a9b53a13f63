import { describe, expect, it } from 'vitest'
import { freeNetworks, networksBetween, takeNetwork } from './free-space.ts'
import { formatInterface, type Interface, parseInterface, parseIp } from './ip.ts'

const network = (text: string): Interface => {
  const parsed = parseInterface(text)
  if (!parsed) throw new Error(text)
  return parsed
}
const value = (text: string): bigint => parseIp(text)?.value ?? -1n

describe('networksBetween', () => {
  it.each([
    ['10.0.0.0', '10.0.0.255', ['10.0.0.0/24']],
    ['10.0.0.1', '10.0.0.6', ['10.0.0.1/32', '10.0.0.2/31', '10.0.0.4/31', '10.0.0.6/32']],
    ['0.0.0.0', '255.255.255.255', ['0.0.0.0/0']],
    ['255.255.255.255', '255.255.255.255', ['255.255.255.255/32']],
    ['2001:db8::', '2001:db8:0:2:ffff:ffff:ffff:ffff', ['2001:db8::/63', '2001:db8:0:2::/64']],
    ['10.0.0.2', '10.0.0.1', []],
  ])('%s to %s', (first, last, expected) => {
    const { family } = network(first)
    expect(networksBetween(family, value(first), value(last)).map(formatInterface)).toEqual(expected)
  })
})

describe('freeNetworks', () => {
  it.each([
    ['nothing taken', '10.0.0.0/24', [], ['10.0.0.0/24']],
    ['a quarter taken', '10.0.0.0/24', ['10.0.0.64/26'], ['10.0.0.0/26', '10.0.0.128/25']],
    ['everything taken', '10.0.0.0/24', ['10.0.0.0/25', '10.0.0.128/25'], []],
    [
      'networks within networks',
      '10.0.0.0/24',
      ['10.0.0.0/28', '10.0.0.0/26', '10.0.0.16/28'],
      ['10.0.0.64/26', '10.0.0.128/25'],
    ],
    ['the end of the space', '255.255.255.0/24', ['255.255.255.128/25'], ['255.255.255.0/25']],
    ['a whole address space', '::/0', ['8000::/1'], ['::/1']],
  ])('%s', (_name, whole, taken, expected) => {
    expect(freeNetworks(network(whole), taken.map(network)).map(formatInterface)).toEqual(expected)
  })
})

describe('takeNetwork', () => {
  it('takes from the first network that is large enough, and returns the space that stays free', () => {
    const taken = takeNetwork(['10.0.0.48/28', '10.0.0.128/25'].map(network), 27)
    expect(taken && formatInterface(taken.network)).toBe('10.0.0.128/27')
    expect(taken?.rest.map(formatInterface)).toEqual(['10.0.0.48/28', '10.0.0.160/27', '10.0.0.192/26'])
  })

  it('finds nothing if every network is too small', () => {
    expect(takeNetwork([network('10.0.0.0/28')], 27)).toBeUndefined()
  })
})
