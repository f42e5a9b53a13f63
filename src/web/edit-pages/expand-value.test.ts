import { describe, expect, it } from 'vitest'
import { expandValue } from './pattern-bodies.ts'

describe('a pattern that is expanded to values', () => {
  it.each([
    ['network', '192.0.2.[1,3,5-7]/32', '1 3 5 6 7'.split(' ').map((n) => `192.0.2.${n}/32`)],
    ['network', '10.[0-1].[8-9].0/24', ['10.0.8.0/24', '10.0.9.0/24', '10.1.8.0/24', '10.1.9.0/24']],
    ['network', '2001:db8:[e-11]::/64', 'e f 10 11'.split(' ').map((n) => `2001:db8:${n}::/64`)],
    ['network', ' 10.0.0.0/8 ', ['10.0.0.0/8']],
    ['network', '10.0.[3-1].0/24', 'unreadable'],
    ['network', '10.0.[a-c].0/24', 'unreadable'],
    ['network', '10.0.[1-2.0/24', 'unreadable'],
    ['network', '10.[0-255].[0-255].0/24', 'tooMany'],
    ['numbers', '200-202, 100,201', ['100', '200', '201', '202']],
    ['numbers', '1-4094', 'tooMany'],
    ['numbers', '1-999999999', 'tooMany'],
    ['numbers', '1-', 'unreadable'],
    ['numbers', 'x', 'unreadable'],
    ['numbers', '', 'unreadable'],
  ] as const)('%s %s', (pattern, text, values) => {
    expect(expandValue(pattern, text, 1000)).toEqual(values)
  })
})
