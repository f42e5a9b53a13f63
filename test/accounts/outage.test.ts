import { expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { type Api, startApiOver } from '../support/api.ts'
import { databaseUrlOfTest } from '../support/database.ts'
import { startProxy } from '../support/tcp-proxy.ts'

const status = async (api: Api, method: string, path: string, body?: unknown) => {
  const answer = await api.ask(method, path, body === undefined ? {} : { body })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: answer.text }
}

it('without the database the response is 503, and the service reconnects by itself', async () => {
  const proxy = await startProxy(await databaseUrlOfTest('migrated'))
  const api = await startApiOver(openPostgres({ url: proxy.url, poolSize: 4, statementTimeout: 0 }), {
    LOG_LEVEL: 'silent',
  })
  onTestFinished(() => api.close())
  const site = (name: string) => ({ name, slug: name })
  expect(await status(api, 'POST', '/api/dcim/sites/', site('before'))).toMatchObject({
    status: 201,
  })

  await proxy.cut()
  for (const [method, path, body] of [
    ['GET', '/api/dcim/sites/?name=before'],
    ['POST', '/api/dcim/sites/', site('during')],
    ['GET', '/api/users/tokens/'],
    ['POST', '/api/users/tokens/provision/', { username: 'admin', password: 'admin' }],
  ] as const) {
    const answer = await status(api, method, path, body)
    expect([method, path, answer.status, answer.retryAfter]).toEqual([method, path, 503, '5'])
    expect(JSON.parse(answer.text)).toEqual({
      detail: 'The database cannot be reached at the moment. Please try again.',
    })
  }

  await proxy.restore()
  expect(await status(api, 'GET', '/api/dcim/sites/?name=before')).toMatchObject({ status: 200 })
  expect(await status(api, 'POST', '/api/dcim/sites/', site('after'))).toMatchObject({
    status: 201,
  })
  const { text } = await status(api, 'GET', '/api/dcim/sites/?brief=1')
  expect(JSON.parse(text).results.map(({ name }: { name: string }) => name)).toEqual(['after', 'before'])
})

it('a connection that breaks fails the requests in progress, but not later ones', async () => {
  const proxy = await startProxy(await databaseUrlOfTest('migrated'))
  const api = await startApiOver(openPostgres({ url: proxy.url, poolSize: 4, statementTimeout: 0 }), {
    LOG_LEVEL: 'silent',
  })
  onTestFinished(() => api.close())
  const writes = Array.from({ length: 12 }, (_, n) =>
    status(api, 'POST', '/api/extras/tags/', { name: `t${n}`, slug: `t${n}` }),
  )
  // One write is complete, the others are in progress.
  await Promise.race(writes)
  await proxy.cut()
  await proxy.restore()
  const statuses = (await Promise.all(writes)).map((answer) => answer.status)
  expect(statuses.every((each) => each === 201 || each === 503)).toBe(true)
  const { text } = await status(api, 'GET', '/api/extras/tags/?limit=100')
  // Acknowledged writes are stored; of the others at most those in progress when the connection broke.
  const made = statuses.filter((each) => each === 201).length
  expect(JSON.parse(text).count).toBeGreaterThanOrEqual(made)
})
