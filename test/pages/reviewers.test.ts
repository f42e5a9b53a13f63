import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'
import { formData, readForm } from './read-form.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const REQUEST = ['core.changerequest', 'core.branch']
const REVIEW = ['core.changereview']

const CASES: readonly {
  readonly name: string
  readonly user?: { readonly is_active: boolean }
  readonly grants: readonly { readonly actions: readonly string[]; readonly object_types: readonly string[] }[]
  /** Why the user cannot review; undefined if the user can. */
  readonly reason?: string
}[] = [
  { name: 'nobody', grants: [], reason: 'nobody may not review: needs view on change requests.' },
  {
    name: 'reader',
    grants: [{ actions: ['view'], object_types: [...REQUEST, ...REVIEW] }],
    reason: 'reader may not review: needs add on reviews.',
  },
  {
    name: 'blind',
    grants: [{ actions: ['add'], object_types: REVIEW }],
    reason: 'blind may not review: needs view on change requests.',
  },
  {
    name: 'gone',
    user: { is_active: false },
    grants: [{ actions: ['view', 'add'], object_types: [...REQUEST, ...REVIEW] }],
    reason: 'gone may not review: the user is not active.',
  },
  { name: 'able', grants: [{ actions: ['view', 'add'], object_types: [...REQUEST, ...REVIEW] }] },
]

describe.each(CASES)('a review asked of $name', ({ name, user, grants, reason }) => {
  let id: number
  let branch: number
  beforeAll(async () => {
    id = await createdId(api, 'users/users', { username: name, password: 'Long-enough-1', ...user })
    for (const grant of grants) await createdId(api, 'users/permissions', { name, users: [id], ...grant })
    branch = await createdId(api, 'core/branches', { name: `Branch ${name}` })
  })

  it('is refused at the field if the user may not review', async () => {
    const path = `/core/change-requests/add/?branch=${branch}`
    const { values } = readForm(await readPage(api, path))
    const entered = new Map([...values, ['title', ['Swap']], ['branch', [String(branch)]], ['reviewers', [String(id)]]])
    const body = formData(entered as ReadonlyMap<string, readonly string[]>)
    const { status, text } = await api.ask('POST', path, { body, headers: { accept: 'text/html' } })
    expect([status, readForm(text).errors.get('reviewers')]).toEqual(reason ? [400, reason] : [303, undefined])
  })

  it('that the API has stored is explained on the page of the request', async () => {
    const body = { title: `Stored ${name}`, branch, reviewers: [id] }
    const page = await readPage(api, `/core/change-requests/${await createdId(api, 'core/change-requests', body)}/`)
    expect(/<p class="notice warn">([^<]*may not review[^<]*)</.exec(page)?.[1]).toBe(reason)
  })
})

it.each([
  ['approve', 'Approved by tester'],
  ['request_changes', 'Changes requested by tester'],
  ['comment', undefined],
])('the head of a change request says what its reviewers decided: %s', async (verdict, expected) => {
  const branch = await createdId(api, 'core/branches', { name: `Branch ${verdict}` })
  const request = await createdId(api, 'core/change-requests', { title: verdict, branch })
  const own = await createdId(api, 'core/change-reviews', { change_request: request, verdict, text: 'Seen' })
  const { json } = await api.ask('GET', `/api/core/change-reviews/${own}/`)
  const line = /<p class="verdict-line">.*?<span class="badge \w+">([^<]*)</s.exec(
    await readPage(api, `/core/change-requests/${request}/`),
  )?.[1]
  expect(line).toBe(expected?.replace('tester', String(json.user?.display)))
})
