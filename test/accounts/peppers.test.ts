import { expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { type Api, startApiOver } from '../support/api.ts'
import { databaseUrlOfTest } from '../support/database.ts'

const pepper = (letter: string) => letter.repeat(50)

it('tokens are valid as long as their pepper is configured', async () => {
  const url = await databaseUrlOfTest('migrated')
  const withPeppers = async <T>(
    peppers: Readonly<Record<number, string>>,
    work: (api: Api) => Promise<T>,
  ): Promise<T> => {
    const api = await startApiOver(openPostgres({ url, poolSize: 4, statementTimeout: 0 }), {
      API_TOKEN_PEPPERS: JSON.stringify(peppers),
    })
    return await work(api).finally(() => api.close())
  }
  const make = async (api: Api, version: 1 | 2) => {
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user: 1, version } })
    return {
      pepper: json.pepper_id as unknown, // null for version 1
      key: version === 1 ? String(json.key) : `nbt_${json.key}.${json.token}`,
    }
  }
  const opens = async (api: Api, key: string) =>
    (await api.ask('GET', '/api/authentication-check/', { token: key })).status === 200

  const old = await withPeppers({ 1: pepper('a') }, async (api) => ({
    v1: await make(api, 1),
    v2: await make(api, 2),
  }))
  expect([old.v1.pepper, old.v2.pepper]).toEqual([null, 1])

  const young = await withPeppers({ 1: pepper('a'), 2: pepper('b') }, async (api) => {
    expect([await opens(api, old.v1.key), await opens(api, old.v2.key)]).toEqual([true, true])
    return await make(api, 2)
  })
  expect(young.pepper).toBe(2)

  await withPeppers({ 2: pepper('b') }, async (api) => {
    expect([await opens(api, old.v1.key), await opens(api, old.v2.key)]).toEqual([false, false])
    expect(await opens(api, young.key)).toBe(true)
  })
})
