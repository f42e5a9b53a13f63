import { expect, it } from 'vitest'
import { signatureOf } from './webhook-request.ts'

it('the signature is that of NetBox 4.6.8 for the same secret and body', () => {
  expect(signatureOf('tøp', Buffer.from('Ŝ WH Site'))).toBe(
    '012458772d5b98f7bc16b2819e9a012954d3547daa514a5af68ff5a500ccc4751a74984519eb8cf50ddf71e872db3adb7f18d9ec5e943de95f59ec2abf6333f0',
  )
})
