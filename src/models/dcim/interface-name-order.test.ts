import { describe, expect, it } from 'vitest'
import { interfaceNameOrder } from './interface-name-order.ts'

describe('sort keys of interface names', () => {
  it.each([
    ['GigabitEthernet0/0/0', '0000000099999999GigabitEthernet000000............'],
    ['Ethernet1', '9999999999999999Ethernet000001............'],
    ['xe-1/2/3:4.100', '0001000299999999xe-000003000004000100'],
    ['1/2/3/4/5', '0001000200030004000005............'],
    ['lo', '9999999999999999lo..................'],
    ['Vlan10 backup 2', '9999999999999999Vlan000010............ backup 00000002'],
    ['', '9999999999999999..................'],
  ])('%s has the key %s', (name, key) => {
    expect(interfaceNameOrder(name)).toBe(key)
  })

  it('order ports by number, those in slots first', () => {
    const names = ['Ethernet10', 'Ethernet2', 'Ethernet1/10', 'Ethernet1/2', 'Management1']
    const sorted = [...names].sort((a, b) => {
      const [left, right] = [interfaceNameOrder(a), interfaceNameOrder(b)]
      return left < right ? -1 : 1
    })
    expect(sorted).toEqual(['Ethernet1/2', 'Ethernet1/10', 'Ethernet2', 'Ethernet10', 'Management1'])
  })

  it('are never longer than their column allows', () => {
    expect(interfaceNameOrder('x'.repeat(300))).toHaveLength(100)
  })
})
