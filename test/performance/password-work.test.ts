import { verify } from '@node-rs/argon2'
import { beforeEach, expect, it, vi } from 'vitest'
import { hashPassword, isPassword } from '../../src/identity/password.ts'
import { apiOfTest } from '../support/api.ts'

// Each check of a password is counted, with the cost in its hash; none is replaced. Processor times would depend on
// what else the machine does.
vi.mock('@node-rs/argon2', async (original) => {
  const argon = await original<typeof import('@node-rs/argon2')>()
  return { ...argon, verify: vi.fn(argon.verify) }
})

const PASSWORD = 'Corr3ct-Horse-Battery'

/** Costs of the hashes with which passwords were compared since the last call: `$argon2id$v=19$m=19456,t=2,p=1`. */
async function costs(): Promise<string[]> {
  const { calls, results } = vi.mocked(verify).mock
  // A text that is not a hash is refused at once, without any cost.
  const ended = await Promise.allSettled(results.map((result) => result.value))
  const hashes = calls.map(([hash]) => String(hash)).filter((_, at) => ended[at]?.status === 'fulfilled')
  vi.mocked(verify).mockClear()
  return hashes.map((hash) => hash.slice(0, hash.indexOf('$', '$argon2id$v=19$'.length)))
}

beforeEach(() => void vi.mocked(verify).mockClear())

it.each([
  ['a user who does not exist', undefined],
  ['a user without a known password', '!'],
])('a password of %s costs as much as a wrong one', async (_name, hash) => {
  await isPassword('wrong', await hashPassword(PASSWORD))
  const wrong = await costs()
  expect(wrong).toHaveLength(1)
  await isPassword('wrong', hash)
  expect(await costs()).toEqual(wrong)
})

it('a login with an unknown name costs as much as one with a wrong password', async () => {
  const api = await apiOfTest({
    loginFailureLimit: 1_000,
    loginFailureAddressLimit: 1_000,
  })
  const costsOfLogin = async (username: string) => {
    await api.ask('POST', '/api/users/tokens/provision/', {
      token: null,
      body: { username, password: 'wrong' },
    })
    return await costs()
  }
  const wrong = await costsOfLogin('admin')
  expect(wrong).toHaveLength(1)
  expect(await costsOfLogin('nobody')).toEqual(wrong)
})
