import { describe, expect, it } from 'vitest'
import { hashPassword, isPassword } from './password.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

/** Median of a few measurements, in milliseconds. */
async function typicalTime(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let attempt = 0; attempt < 7; attempt++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times.sort((one, other) => one - other)[3] ?? 0
}

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

  it.each([
    ['a user who does not exist', undefined],
    ['a user without a known password', '!'],
  ])('of %s takes as long as a wrong one', async (_name, hash) => {
    const wrong = await typicalTime(() => isPassword('wrong', hashed))
    // Without a hash the check would be a thousand times faster.
    expect(await typicalTime(() => isPassword('wrong', hash))).toBeGreaterThan(wrong / 5)
  })
})
