import { expect, it } from 'vitest'
import { hashPassword, isPassword } from '../../src/auth/password.ts'
import { apiOfTest } from '../support/api.ts'
import { openMemory } from '../support/database.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'
const ATTEMPTS = 9

/** Least processor time of several attempts, in microseconds, of this process and all its threads. */
async function leastWork(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const start = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(start)
    times.push(user + system)
  }
  return Math.min(...times)
}

it.each([
  ['a user who does not exist', undefined],
  ['a user without a known password', '!'],
])('a password of %s costs as much as a wrong one', async (_name, hash) => {
  const hashed = await hashPassword(PASSWORD)
  const wrong = await leastWork(() => isPassword('wrong', hashed))
  // An answer without looking at the password would cost a thousandth.
  expect(await leastWork(() => isPassword('wrong', hash))).toBeGreaterThan(wrong / 5)
})

it('a login with an unknown name costs as much as one with a wrong password', async () => {
  const api = await apiOfTest(openMemory, {
    LOGIN_FAILURE_LIMIT: '0',
    LOGIN_FAILURE_ADDRESS_LIMIT: '0',
  })
  const login = (username: string) => () =>
    api.ask('POST', '/api/users/tokens/provision/', {
      token: null,
      body: { username, password: 'wrong' },
    })
  // To look for the user alone costs a small part of checking a password.
  const wrong = await leastWork(login('admin'))
  expect(await leastWork(login('nobody'))).toBeGreaterThan(wrong / 3)
})
