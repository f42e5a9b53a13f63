import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'
import { formData, readForm } from './read-form.ts'

/** Reviewers are in `reviewers.test.ts`. */
const CASES: readonly {
  readonly choice: string
  readonly path: string
  readonly field?: string
  readonly body: (user: number) => Promise<object> | object
  /** Without the name of the user. */
  readonly missing?: string
  readonly inactive: string
}[] = [
  {
    ...{ choice: 'the owner of a branch', path: 'core/branches', field: 'owner' },
    body: (owner) => ({ name: `b${owner}`, owner }),
    missing: 'cannot use the branch: needs view on branches.',
    inactive: 'cannot use the branch: the user is not active.',
  },
  {
    ...{ choice: 'the users of a notification group', path: 'extras/notification-groups', field: 'users' },
    body: (user) => ({ name: `g${user}`, users: [user] }),
    inactive: 'will not be notified: the user is not active.',
  },
  {
    ...{ choice: 'the users whom a rule notifies', path: 'extras/event-rules' },
    body: async (user) => ({
      ...{ name: `r${user}`, event_types: ['object_created'], object_types: ['core.branch'] },
      ...{ action_type: 'notification', action_object_type: 'extras.notificationgroup' },
      action_object_id: await createdId(api, 'extras/notification-groups', { name: `of rule ${user}`, users: [user] }),
    }),
    missing: 'will not be notified: needs view on branches.',
    inactive: 'will not be notified: the user is not active.',
  },
]

let api: Api
const users: Record<string, number> = {}
beforeAll(async () => {
  api = await startApi()
  for (const username of ['able', 'nobody', 'gone']) {
    const is_active = username !== 'gone'
    users[username] = await createdId(api, 'users/users', { username, password: 'Long-enough-1', is_active })
  }
  const permission = { name: 'branches', actions: ['view'], object_types: ['core.branch'] }
  await createdId(api, 'users/permissions', { ...permission, users: [users.able, users.gone] })
})
afterAll(() => api.close())

describe.each(CASES)('$choice', ({ path, field, body, missing, inactive }) => {
  const reasons = [
    ['able', undefined],
    ['nobody', missing],
    ['gone', inactive],
  ] as const

  it.each(reasons)('is explained on the page if it has no effect: %s', async (name, reason) => {
    const page = await readPage(api, `/${path}/${await createdId(api, path, await body(users[name] ?? 0))}/`)
    const warnings = [...page.matchAll(/<p class="notice warn">([^<]*)</g)].map(([, text]) => text)
    expect(warnings).toEqual(reason === undefined ? [] : [`${name} ${reason}`])
  })

  it.each(field === undefined ? [] : reasons)(
    'is refused at the field if it has no effect: %s',
    async (name, reason) => {
      const form = `/${path}/add/`
      const { values } = readForm(await readPage(api, form))
      const entered: ReadonlyMap<string, readonly string[]> = new Map([
        ...(values as ReadonlyMap<string, readonly string[]>),
        ['name', [`form ${name}`]],
        [field ?? '', [String(users[name])]],
      ])
      const { status, text } = await api.ask('POST', form, {
        body: formData(entered),
        headers: { accept: 'text/html' },
      })
      const expected = reason === undefined ? [303, undefined] : [400, `${name} ${reason}`]
      expect([status, readForm(text).errors.get(field ?? '')]).toEqual(expected)
    },
  )
})
