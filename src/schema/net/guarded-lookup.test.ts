import { isIPv6 } from 'node:net'
import { expect, test } from 'vitest'
import { ClosedAddress, guardedLookup, refuseClosedHost } from './guarded-lookup.ts'
import { parseInterface } from './ip.ts'

const networks = (...texts: readonly string[]) => texts.flatMap((text) => parseInterface(text) ?? [])

/** The addresses that a connection to a name with these addresses may use. */
const usable = (addresses: readonly string[], allowed: readonly string[], all = true) =>
  new Promise<unknown>((resolve, reject) => {
    const guarded = guardedLookup(networks(...allowed), (_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
      ),
    )
    guarded('host.example', { all }, (error, found) => {
      if (error) return reject(error)
      resolve(Array.isArray(found) ? found.map(({ address }) => address) : found)
    })
  })

test.each([
  ['public addresses are used', ['8.8.8.8', '2a00::1'], [], ['8.8.8.8', '2a00::1']],
  ['others are left out', ['10.0.0.1', '8.8.8.8'], [], ['8.8.8.8']],
  ['allowed ones are used', ['10.0.0.1', '192.168.0.1'], ['10.0.0.0/8'], ['10.0.0.1']],
  ['IPv4-mapped ones count as IPv4', ['::ffff:127.0.0.1', '::ffff:8.8.8.8'], [], ['::ffff:8.8.8.8']],
  ['so do those of NAT64', ['64:ff9b::7f00:1', '64:ff9b::808:808'], [], ['64:ff9b::808:808']],
  ['NAT64 addresses of allowed networks are used', ['64:ff9b::a00:1'], ['10.0.0.0/8'], ['64:ff9b::a00:1']],
])('among the addresses of a name, %s', async (_, addresses, allowed, expected) => {
  expect(await usable(addresses, allowed)).toEqual(expected)
})

test('a connection to a single address gets the first allowed one', async () => {
  expect(await usable(['127.0.0.1', '8.8.8.8'], [], false)).toBe('8.8.8.8')
})

test.each([
  [['127.0.0.1', '::1']],
  [['169.254.169.254']],
  [['::ffff:169.254.169.254']],
  [['64:ff9b::a9fe:a9fe']],
  [[]],
])('a name that resolves to %j is refused', async (addresses) => {
  await expect(usable(addresses, [])).rejects.toThrow(ClosedAddress)
})

test.each([
  ['http://[::ffff:127.0.0.1]/', false],
  ['http://[64:ff9b::127.0.0.1]/', false],
  ['http://127.1/', false],
  ['http://0x7f000001/', false],
  ['http://8.8.8.8/', true],
  ['http://localhost/', true], // checked when it has been resolved
])('%s may be tried without a lookup: %s', (url, expected) => {
  const attempt = () => refuseClosedHost(new URL(url), [])
  if (expected) expect(attempt).not.toThrow()
  else expect(attempt).toThrow(ClosedAddress)
})
