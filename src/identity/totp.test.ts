import { expect, it } from 'vitest'
import { base32, matchingStep, newTotpSecret, totpAddress, totpCode } from './totp.ts'

const SECRET = base32(Buffer.from('12345678901234567890'))

// RFC 6238, appendix B: seconds → the last six of the eight digits.
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at second %i equals the one in the standard', (seconds, code) => {
  expect(totpCode(SECRET, Math.floor(seconds / 30))).toBe(code)
})

// Difference of the clocks in seconds → whether the code is accepted.
it.each([
  [0, true],
  [-30, true],
  [30, true],
  [-60, false],
  [60, false],
])('a clock that differs by %i seconds is accepted: %s', (seconds, isAccepted) => {
  const now = 1_234_567_890_000
  const code = totpCode(SECRET, Math.floor((now / 1000 + seconds) / 30))
  expect(matchingStep(SECRET, code, now) !== undefined).toBe(isAccepted)
})

it('secrets have 160 bits, and authenticator apps can read their URI', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(new Set([newTotpSecret(), newTotpSecret()]).size).toBe(2)
  expect(totpAddress(SECRET, 'a b', 'Net & Co')).toBe(
    `otpauth://totp/Net%20%26%20Co:a%20b?secret=${SECRET}&issuer=Net+%26+Co&digits=6&period=30`,
  )
})
