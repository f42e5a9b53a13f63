import { expect, test } from 'vitest'
import { parseInterface } from './ip.ts'
import { isReachable } from './reachable-address.ts'

const networks = (...texts: readonly string[]) => texts.flatMap((text) => parseInterface(text) ?? [])

test.each([
  ['192.0.77.1', true],
  ['2a00:1450:4001:80b::200e', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', true],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b::10.1.2.3', false],
  ['64:ff9b::a9fe:a9fe', false],
  ['64:ff9b::8.8.8.8', true],
  ['64:ff9b:1::8.8.8.8', false],
  ['fe80::1%eth0', false],
  ['fd00::1', false],
  ['::ffff:7f00:1', false],
  ['::127.0.0.1', false],
  ['2002:7f00:1::', false],
  ['ff02::1', false],
  ['', false],
  ['localhost', false],
])('%s is reachable without configuration: %s', (address, expected) => {
  expect(isReachable(address, [])).toBe(expected)
})

test.each([
  ['10.1.2.3', ['10.1.0.0/16'], true],
  ['10.2.2.3', ['10.1.0.0/16'], false],
  ['::ffff:10.1.2.3', ['10.1.0.0/16'], true],
  ['64:ff9b::10.1.2.3', ['10.1.0.0/16'], true],
  ['fd00::1', ['fd00::/8'], true],
  ['127.0.0.1', ['::/0'], false],
  ['127.0.0.1', ['0.0.0.0/0'], true],
])('%s is reachable if %j are allowed: %s', (address, allowed, expected) => {
  expect(isReachable(address, networks(...allowed))).toBe(expected)
})
