import { describe, expect, it } from 'vitest'
import { generatedPassword, hashPassword, isPassword } from './password.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

describe('a password', async () => {
  const hashed = await hashPassword(PASSWORD)

  it.each([
    ['the right one', PASSWORD, hashed, true],
    ['a wrong one', 'wrong', hashed, false],
    ["nobody's", PASSWORD, undefined, false],
    ['of a user whose hash is none', PASSWORD, '!', false],
    ['of a user without a hash', PASSWORD, '', false],
  ])('%s', async (_name, password, hash, isRight) => {
    expect(await isPassword(password, hash)).toBe(isRight)
  })
})

it('a generated password is one that the default policy accepts', () => {
  const mixture = [/^.{20}$/, /[0-9]/, /[A-Z]/, /[a-z]/]
  const refused = Array.from({ length: 2_000 }, generatedPassword).filter(
    (password) => !mixture.every((form) => form.test(password)),
  )
  expect(refused).toEqual([])
})
