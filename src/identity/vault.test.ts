import { describe, expect, it } from 'vitest'
import { isPassword } from './password.ts'
import { createVault, generateSecret } from './vault.ts'

const secrets = {
  secretKey: 'x'.repeat(50),
  encryptionKey: new Uint8Array(32).fill(1),
  peppers: new Map([
    [1, 'old'],
    [2, 'new'],
  ]),
}
const vault = createVault(secrets, false)
const secret = generateSecret(1)

describe('a sealed token', () => {
  it('of version 1 is found by a digest under any pepper, and keeps its ending', () => {
    const sealed = vault.sealToken(1, secret)
    expect(sealed).toMatchObject({ key: null, pepper_id: null, encrypted: null })
    expect(sealed._ending).toBe(secret.slice(-6))
    expect(vault.digests(secret)).toContain(sealed.digest)
    const older = createVault({ ...secrets, peppers: new Map([[1, 'old']]) }, false)
    expect(vault.digests(secret)).toContain(older.sealToken(1, secret).digest)
  })

  it('of version 2 is found by its key and matched under its pepper', () => {
    const { key, pepper_id, digest } = vault.sealToken(2, secret)
    expect(key).toMatch(/^[0-9a-zA-Z]{12}$/)
    expect(pepper_id).toBe(2)
    expect(vault.matches(secret, 2, digest)).toBe(true)
    expect(vault.matches(secret, 1, digest)).toBe(false)
    expect(vault.matches(secret, 3, digest)).toBe(false)
    expect(vault.matches(`${secret}x`, 2, digest)).toBe(false)
  })

  it('can be revealed if that is allowed, under the same key only', () => {
    const { encrypted } = createVault(secrets, true).sealToken(1, secret)
    expect(encrypted).not.toContain(secret)
    expect(vault.reveal(encrypted ?? '')).toBe(secret)
    const other = { ...secrets, encryptionKey: new Uint8Array(32).fill(2) }
    expect(createVault(other, true).reveal(encrypted ?? '')).toBeUndefined()
    expect(vault.reveal('damaged')).toBeUndefined()
  })
})

it('secrets of version 1 have 160 bits in hexadecimal', () => {
  expect(generateSecret(1)).toMatch(/^[0-9a-f]{40}$/)
  expect(generateSecret(1)).not.toBe(generateSecret(1))
})

it('of a password only the hash is stored', async () => {
  const hashed = await vault.hashPassword('secret')
  expect(hashed).toMatch(/^\$argon2id\$/)
  expect(await isPassword('secret', hashed)).toBe(true)
  expect(await isPassword('Secret', hashed)).toBe(false)
  expect(await isPassword('secret', '')).toBe(false)
  expect(await isPassword('nobody has this password', undefined)).toBe(false)
})
