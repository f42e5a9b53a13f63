import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const TOKENS = { ann: 'a'.repeat(40), bob: 'b'.repeat(40), cid: 'c'.repeat(40) }
type Person = keyof typeof TOKENS

/** Ann proposes changes, Bob approves them as a member of the group, and Cid may merge anything. */
describe('change requests', () => {
  let api: Api
  let site: number
  let approvers: number
  /** The permission to view branches. */
  let branchView: number
  const ids = new Map<Person, number>()
  beforeAll(async () => {
    api = await startApi()
    site = await api.make('dcim/sites', { name: 'Amsterdam', slug: 'ams' })
    await api.make('dcim/sites', { name: 'Berlin', slug: 'ber' })
    approvers = await api.make('users/groups', { name: 'Approvers' })
    for (const [person, key] of Object.entries(TOKENS)) {
      const user = await api.make('users/users', {
        username: person,
        password: 'Long-enough-1',
        groups: person === 'bob' ? [approvers] : [],
      })
      await api.make('users/tokens', { user, key, version: 1, token: key })
      ids.set(person as Person, user)
    }
    const permission = (
      name: string,
      people: readonly Person[],
      object_types: readonly string[],
      actions: readonly string[],
      constraints: object | null = null,
    ) =>
      api.make('users/permissions', {
        name,
        users: people.map((each) => ids.get(each)),
        object_types,
        actions,
        constraints,
      })
    const all: readonly Person[] = ['ann', 'bob', 'cid']
    branchView = await permission('branches', all, ['core.branch'], ['view'])
    await permission(
      'view',
      all,
      ['dcim.site', 'core.changerequest', 'core.changereview', 'core.objectchange'],
      ['view'],
    )
    await permission('prepare', all, ['core.branch', 'core.changerequest', 'core.changereview'], ['add', 'change'])
    await permission('propose', ['ann'], ['dcim.site'], ['propose'], { name__startswith: 'A' })
    await permission('merge', ['bob', 'cid'], ['core.branch'], ['merge', 'sync'])
    await permission('write', ['bob', 'cid'], ['dcim.site'], ['add', 'change', 'delete'])
  })
  afterAll(() => api.close())

  const as = (person: Person, method: string, path: string, body?: unknown, headers = {}) =>
    api.ask(method, `/api/${path}`, { token: TOKENS[person], body, headers })
  let count = 0
  /** A branch of Ann's that changes the facility of the site. */
  const proposed = async () => {
    const { json, text, status } = await as('ann', 'POST', 'core/branches/', { name: `Plan ${++count}` })
    expect(status, text).toBe(201)
    const headers = { 'X-NetBox-Branch': String(json.schema_id) }
    const answer = await as('ann', 'PATCH', `dcim/sites/${site}/`, { facility: `F${count}` }, headers)
    expect(answer.status, answer.text).toBe(200)
    return { id: Number(json.id), headers }
  }
  const request = async (branch: number): Promise<number> => {
    const { json, text, status } = await as('ann', 'POST', 'core/change-requests/', { title: `Plan ${branch}`, branch })
    expect(status, text).toBe(201)
    return Number(json.id)
  }
  const review = (person: Person, change_request: number, verdict: string) =>
    as(person, 'POST', 'core/change-reviews/', { change_request, verdict, text: 'Seen' })
  const merge = (person: Person, id: number) => as(person, 'POST', `core/branches/${id}/merge/`, {})
  const withPolicy = async (values: object, work: () => Promise<void>): Promise<void> => {
    const policy = await api.make('core/change-policies', {
      ...{ name: `Policy ${++count}`, object_types: ['dcim.site'], approver_groups: [approvers], ...values },
    })
    try {
      await work()
    } finally {
      await api.ask('DELETE', `/api/core/change-policies/${policy}/`)
    }
  }

  describe('a user who may only propose changes', () => {
    it('writes in branches, within the constraints', async () => {
      const { headers } = await proposed()
      const other = await as('ann', 'POST', 'dcim/sites/', { name: 'Brussels', slug: 'bru' }, headers)
      expect(other.status).toBe(403)
      expect((await as('ann', 'POST', 'dcim/sites/', { name: 'Antwerp', slug: 'ant' }, headers)).status).toBe(201)
    })

    it.each([
      ['PATCH', () => `dcim/sites/${site}/`, { facility: 'x' }],
      ['POST', () => 'dcim/sites/', { name: 'Arnhem', slug: 'arn' }],
      ['DELETE', () => `dcim/sites/${site}/`, undefined],
    ])('is told how to propose a change when writing to main: %s', async (method, path, body) => {
      const { status, text } = await as('ann', method, path(), body)
      expect([status, text]).toEqual([403, expect.stringContaining('You may propose changes of sites, not make them.')])
    })

    it('cannot merge, neither from main nor within the branch', async () => {
      const { id, headers } = await proposed()
      expect((await merge('ann', id)).status).toBe(403)
      const within = await as('ann', 'POST', `core/branches/${id}/merge/`, {}, headers)
      expect(within.status).toBeGreaterThanOrEqual(400)
      expect((await as('ann', 'GET', `dcim/sites/${site}/`)).json.facility).not.toBe(`F${count}`)
    })
  })

  it('a branch that a user may not view does not exist for them', async () => {
    await api.make('core/branches', { name: 'Hidden plan' })
    await api.ask('PATCH', `/api/users/permissions/${branchView}/`, {
      body: { constraints: { name__startswith: 'Plan' } },
    })
    const hidden = await as('ann', 'GET', 'dcim/sites/?branch=Hidden+plan')
    const missing = await as('ann', 'GET', 'dcim/sites/?branch=No+plan')
    expect([hidden.status, hidden.text.replace('Hidden', 'No')]).toEqual([400, missing.text])
  })

  describe('a token that is restricted to a branch', () => {
    const KEY = 'd'.repeat(40)
    it('works only in the branch', async () => {
      const branch = await proposed()
      const other = await proposed()
      await api.make('users/tokens', { user: ids.get('cid'), key: KEY, version: 1, token: KEY, branch: branch.id })
      const ask = (method: string, path: string, body?: unknown, headers = {}) =>
        api.ask(method, `/api/${path}`, { token: KEY, body, headers })
      expect((await ask('PATCH', `dcim/sites/${site}/`, { comments: 'bound' })).status).toBe(200)
      expect((await as('cid', 'GET', `dcim/sites/${site}/`)).json.comments).toBe('')
      expect((await ask('GET', `dcim/sites/${site}/`)).json.comments).toBe('bound')
      expect((await ask('GET', 'dcim/sites/', undefined, other.headers)).status).toBe(403)
      expect((await ask('POST', `core/branches/${branch.id}/merge/`, {})).status).toBe(400)
      expect((await merge('cid', branch.id)).status).toBe(200)
      const closed = await ask('PATCH', `dcim/sites/${site}/`, { comments: 'late' })
      expect([closed.status, closed.text]).toEqual([403, expect.stringContaining('which is merged')])
    })
  })

  describe('a policy', () => {
    it('refuses changes of its objects on main, and allows others', async () => {
      await withPolicy({ constraints: { name: 'Amsterdam' } }, async () => {
        const berlin = (await as('cid', 'GET', 'dcim/sites/?name=Berlin')).json.results?.[0]?.id
        expect((await as('cid', 'PATCH', `dcim/sites/${berlin}/`, { facility: 'B1' })).status).toBe(200)
        for (const body of [{ facility: 'direct' }, { name: 'Adam' }]) {
          const { status, text } = await as('cid', 'PATCH', `dcim/sites/${site}/`, body)
          expect([status, text]).toEqual([403, expect.stringContaining('requires approval of this change')])
        }
        expect((await as('cid', 'DELETE', `dcim/sites/${site}/`)).status).toBe(403)
        expect((await as('cid', 'PATCH', `dcim/sites/${berlin}/`, { name: 'Amsterdam 2' })).status).toBe(200)
        await as('cid', 'PATCH', `dcim/sites/${berlin}/`, { name: 'Berlin' })
      })
    })

    it.each<
      [
        string,
        object,
        (change: number, branch: { id: number; headers: object }) => Promise<unknown>,
        string | undefined,
      ]
    >([
      ['without a review', {}, async () => undefined, '0 of 1 approvals'],
      ['with an approval', {}, (change) => review('bob', change, 'approve'), undefined],
      ['with the approval of an outsider', {}, (change) => review('cid', change, 'approve'), '0 of 1 approvals'],
      [
        'with one approval of two',
        { minimum_approvals: 2 },
        (change) => review('bob', change, 'approve'),
        '1 of 2 approvals',
      ],
      [
        'after the author approved it',
        { approver_groups: [] },
        (change) => review('ann', change, 'approve'),
        '0 of 1 approvals',
      ],
      [
        'after the author approved it, who may',
        { approver_groups: [], author_may_approve: true },
        (change) => review('ann', change, 'approve'),
        undefined,
      ],
      [
        'after a reviewer took the approval back',
        {},
        async (change) => {
          await review('bob', change, 'approve')
          await review('bob', change, 'request_changes')
        },
        'a reviewer has requested changes',
      ],
      [
        'after a write that voids the approval',
        {},
        async (change, branch) => {
          await review('bob', change, 'approve')
          await as('ann', 'PATCH', `dcim/sites/${site}/`, { description: `later ${change}` }, branch.headers)
        },
        '0 of 1 approvals',
      ],
      [
        'outside of its days',
        { weekdays: [((new Date().getUTCDay() + 1) % 7) + 1] },
        (change) => review('bob', change, 'approve'),
        'not be merged today',
      ],
    ])('decides about a merge %s', async (_, values, prepare, refusal) => {
      await withPolicy(values, async () => {
        const branch = await proposed()
        const change = await request(branch.id)
        await prepare(change, branch)
        const { status, text } = await merge('cid', branch.id)
        expect([status, text]).toEqual([
          refusal === undefined ? 200 : 403,
          expect.stringContaining(refusal ?? 'completed'),
        ])
        const { json } = await api.ask('GET', `/api/core/change-requests/${change}/`)
        expect(json.status?.value).toBe(refusal === undefined ? 'merged' : 'open')
      })
    })

    it('can be overridden by a superuser who gives a reason', async () => {
      await withPolicy({}, async () => {
        const branch = await proposed()
        const change = await request(branch.id)
        const path = `/api/core/branches/${branch.id}/merge/`
        expect((await api.ask('POST', path, { body: {} })).status).toBe(403)
        expect((await api.ask('POST', path, { body: { override: 'The data centre is on fire.' } })).status).toBe(200)
        expect((await api.ask('GET', `/api/core/change-requests/${change}/`)).json).toMatchObject({
          override: 'The data centre is on fire.',
          status: { value: 'merged' },
        })
      })
    })
  })

  it.each([
    ['core/change-requests', { status: 'merged' }, 'Merge the branch'],
    ['core/change-policies', { name: 'P', object_types: ['dcim.site'], not_before: '25:00' }, 'Enter a time of day'],
  ])('an invalid body for %s is refused', async (path, body, message) => {
    const branch = await proposed()
    const { status, text } = await api.ask('POST', `/api/${path}/`, {
      body: { title: 'T', branch: branch.id, ...body },
    })
    expect([status, text]).toEqual([400, expect.stringContaining(message)])
  })

  it('tells reviewers and authors what happens, but not whoever acts', async () => {
    const messages = async (person: Person) => {
      const { json } = await as(person, 'GET', 'extras/notifications/?object_type=core.changerequest')
      const texts = [...(json.results ?? [])].map(({ display, read }) => [String(display), read])
      await api.ask('DELETE', '/api/extras/notifications/', {
        body: [...(json.results ?? [])].map(({ id }) => ({ id })),
      })
      return texts
    }
    const unread = (text: string) => [[text, null]]
    for (const person of ['ann', 'bob', 'cid'] as const) await messages(person)
    const branch = await proposed()
    const made = await as('ann', 'POST', 'core/change-requests/', {
      ...{ title: 'New uplinks', branch: branch.id, status: 'draft', reviewers: [ids.get('bob'), ids.get('ann')] },
    })
    const id = Number(made.json.id)
    expect(await messages('bob')).toEqual([])
    await as('ann', 'PATCH', `core/change-requests/${id}/`, { status: 'open' })
    expect([await messages('bob'), await messages('ann')]).toEqual([unread('Review requested: New uplinks'), []])
    await as('ann', 'PATCH', `core/change-requests/${id}/`, { reviewers: [ids.get('bob'), ids.get('cid')] })
    expect([await messages('bob'), await messages('cid')]).toEqual([[], unread('Review requested: New uplinks')])
    for (const [verdict, text] of [
      ['comment', 'Commented'],
      ['request_changes', 'Changes requested'],
      ['approve', 'Approved'],
    ] as const) {
      await review('bob', id, verdict)
      expect([await messages('ann'), await messages('bob')]).toEqual([unread(`${text}: New uplinks`), []])
    }
    expect((await merge('cid', branch.id)).status).toBe(200)
    expect([await messages('ann'), await messages('bob')]).toEqual(Array(2).fill(unread('Merged: New uplinks')))
  })

  describe('an approval', () => {
    const approved = async (change?: (branch: Awaited<ReturnType<typeof proposed>>) => Promise<unknown>) => {
      const branch = await proposed()
      const id = await request(branch.id)
      await change?.(branch)
      expect((await review('bob', id, 'approve')).status).toBe(201)
      return { branch, id }
    }
    const active = (isActive: boolean) =>
      api.ask('PATCH', `/api/users/users/${ids.get('bob')}/`, { body: { is_active: isActive } })

    it.each<[string, (id: number, branch: number) => readonly [method: string, path: string, body: unknown]]>([
      ['a change', (id, branch) => ['PATCH', `${id}/`, { branch }]],
      ['a list of changes', (id, branch) => ['PATCH', '', [{ id, branch }]]],
      ['a whole object', (id, branch) => ['PUT', `${id}/`, { title: 'Moved', branch }]],
      ['an object to be matched', (id, branch) => ['PUT', '?match=id', { id, title: 'Moved', branch }]],
    ])('is for one branch: a request cannot be moved to another by %s', async (_, request) => {
      await withPolicy({}, async () => {
        const { id, branch } = await approved()
        const evil = await proposed()
        const [method, path, body] = request(id, evil.id)
        expect((await as('ann', method, `core/change-requests/${path}`, body)).status).toBe(400)
        expect((await as('ann', 'GET', `core/change-requests/${id}/`)).json.branch?.id).toBe(branch.id)
        expect((await merge('cid', evil.id)).status).toBe(403)
      })
    })

    it.each<[string, (branch: Awaited<ReturnType<typeof proposed>>) => Promise<unknown>, () => Promise<unknown>]>([
      ['of somebody who has been deactivated since', () => active(false), () => active(true)],
      [
        'before a decision about a conflict',
        async ({ id }) => {
          await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { facility: `main ${id}` } })
          const decision = { object_type: 'dcim.site', object_id: site, field: 'facility', keep: 'theirs' }
          const decided = await api.ask('POST', `/api/core/branches/${id}/conflicts/`, { body: decision })
          expect(decided.status, decided.text).toBe(200)
        },
        async () => undefined,
      ],
    ])('does not count: %s', async (_, change, restore) => {
      await withPolicy({}, async () => {
        const { branch } = await approved(({ headers }) =>
          as('ann', 'PATCH', `dcim/sites/${site}/`, { description: 'Ann' }, headers),
        )
        await change(branch)
        const { status, text } = await merge('cid', branch.id)
        await restore()
        expect([status, text]).toEqual([403, expect.stringContaining('0 of 1 approvals that count')])
      })
    })

    interface Approved {
      readonly branch: Awaited<ReturnType<typeof proposed>>
      readonly id: number
      readonly policy: number
    }
    const admin = async (method: string, path: string, body?: unknown, headers = {}) => {
      const answer = await api.ask(method, `/api/${path}`, { body, headers })
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
      return answer
    }
    const requestId = (answer: { readonly headers: Headers }) => String(answer.headers.get('x-request-id'))
    const conflicting = ({ branch }: Approved) =>
      admin('PATCH', `dcim/sites/${site}/`, { facility: `main ${branch.id}` })
    const bobInGroup = (groups: readonly number[]) => admin('PATCH', `users/users/${ids.get('bob')}/`, { groups })

    /** What happens between the approval and the merge, and what the merge says; undefined if it succeeds. */
    const AFTER: readonly (readonly [string, (made: Approved) => Promise<unknown>, string | undefined])[] = [
      ['nothing', async () => undefined, undefined],
      [
        'an undo in the branch',
        async ({ branch }) => {
          const written = await admin('PATCH', `dcim/sites/${site}/`, { comments: 'x' }, branch.headers)
          await admin('POST', `core/requests/${requestId(written)}/undo/`, {}, branch.headers)
        },
        '0 of 1 approvals that count',
      ],
      [
        'an attempt to remove the request with its reviews',
        async ({ id }) => expect((await api.ask('DELETE', `/api/core/change-requests/${id}/`)).status).toBe(409),
        undefined,
      ],
      [
        'a request for changes by the same person',
        ({ id }) => review('bob', id, 'request_changes'),
        'a reviewer has requested changes',
      ],
      [
        'closing and opening the request',
        async ({ id }) => {
          await admin('PATCH', `core/change-requests/${id}/`, { status: 'closed' })
          expect((await merge('cid', id)).status).not.toBe(200)
          await admin('PATCH', `core/change-requests/${id}/`, { status: 'open' })
        },
        undefined,
      ],
      [
        'closing the request',
        ({ id }) => admin('PATCH', `core/change-requests/${id}/`, { status: 'closed' }),
        'no open change request',
      ],
      ['another request for the branch', ({ branch }) => request(branch.id), '0 of 1 approvals that count'],
      [
        'a policy that asks for more',
        ({ policy }) => admin('PATCH', `core/change-policies/${policy}/`, { minimum_approvals: 2 }),
        '1 of 2 approvals that count',
      ],
      [
        'a policy for another group',
        async ({ policy }) =>
          admin('PATCH', `core/change-policies/${policy}/`, {
            approver_groups: [await api.make('users/groups', { name: `Others ${++count}` })],
          }),
        '0 of 1 approvals that count',
      ],
      [
        'a policy for other objects',
        ({ policy }) => admin('PATCH', `core/change-policies/${policy}/`, { object_types: ['dcim.rack'] }),
        undefined,
      ],
      ['the end of a membership', () => bobInGroup([]), '0 of 1 approvals that count'],
      [
        'a new name of the branch',
        ({ branch }) => admin('PATCH', `core/branches/${branch.id}/`, { name: `Renamed ${branch.id}` }),
        undefined,
      ],
      ['a synchronisation', ({ branch }) => admin('POST', `core/branches/${branch.id}/sync/`, {}), undefined],
      [
        'a synchronisation that overrides main',
        async (made) => {
          await conflicting(made)
          await admin('POST', `core/branches/${made.branch.id}/sync/`, { acknowledge_conflicts: true })
        },
        '0 of 1 approvals that count',
      ],
    ]
    it.each(AFTER)('and then %s', async (_, change, problem) => {
      const policy = await api.make('core/change-policies', {
        ...{ name: `After ${++count}`, object_types: ['dcim.site'], approver_groups: [approvers] },
      })
      const made = { ...(await approved()), policy }
      await change(made)
      const merged = await merge('cid', made.branch.id)
      await bobInGroup([approvers])
      await admin('DELETE', `core/change-policies/${policy}/`)
      expect([merged.status, merged.text]).toEqual(
        problem === undefined ? [200, expect.any(String)] : [403, expect.stringContaining(problem)],
      )
    })

    it('does not cover a merge that overrides what main has changed since', async () => {
      await withPolicy({}, async () => {
        const { branch, id } = await approved()
        await conflicting({ branch, id, policy: 0 })
        const overriding = () => as('cid', 'POST', `core/branches/${branch.id}/merge/`, { acknowledge_conflicts: true })
        const { status, text } = await overriding()
        expect([status, text]).toEqual([403, expect.stringContaining('0 of 1 approvals that count')])
        const decision = { object_type: 'dcim.site', object_id: site, field: 'facility', keep: 'mine' }
        await admin('POST', `core/branches/${branch.id}/conflicts/`, decision)
        expect((await overriding()).status).toBe(403)
        await review('bob', id, 'approve')
        expect((await overriding()).status).toBe(200)
      })
    })

    it('cannot be taken back by an undo of somebody else', async () => {
      const id = await request((await proposed()).id)
      const made = await review('bob', id, 'request_changes')
      const { status } = await api.ask('POST', `/api/core/requests/${requestId(made)}/undo/`, { body: {} })
      expect(status).toBe(409)
      expect((await api.ask('GET', `/api/core/change-reviews/${made.json.id}/`)).status).toBe(200)
    })

    it.each<[string, (headers: Record<string, string>) => Promise<{ readonly status: number }>]>([
      ['written', (headers) => as('bob', 'PATCH', `dcim/sites/${site}/`, { comments: `Bob ${count}` }, headers)],
      [
        'written in the background',
        async (headers) => {
          const body = [{ id: site, comments: `Bob ${count} later` }]
          const answer = await as('bob', 'PATCH', 'dcim/sites/?background=true', body, headers)
          await api.background.runUntilIdle()
          return { status: answer.status === 202 ? 200 : answer.status }
        },
      ],
      [
        'undone a change',
        async (headers) => {
          const written = await as('ann', 'PATCH', `dcim/sites/${site}/`, { comments: 'Ann' }, headers)
          return await as('bob', 'POST', `core/requests/${requestId(written)}/undo/`, {}, headers)
        },
      ],
    ])('of somebody who has %s in the branch does not count, unless authors may approve', async (_, write) => {
      const wrote = async ({ headers }: Awaited<ReturnType<typeof proposed>>) =>
        expect((await write(headers)).status).toBe(200)
      await withPolicy({}, async () => expect((await merge('cid', (await approved(wrote)).branch.id)).status).toBe(403))
      await withPolicy({ author_may_approve: true }, async () =>
        expect((await merge('cid', (await approved(wrote)).branch.id)).status).toBe(200),
      )
    })

    it.each(['approve', 'request_changes'])('cannot be deleted, whatever its verdict: %s', async (verdict) => {
      const id = await request((await proposed()).id)
      const made = await review('bob', id, verdict)
      const { status, text } = await api.ask('DELETE', `/api/core/change-reviews/${made.json.id}/`)
      expect([status, text]).toEqual([409, expect.stringContaining('cannot be deleted')])
    })

    it.each([
      ['comment', 'bob (Comment)'],
      ['approve', 'bob (Approve)'],
      ['request_changes', 'bob (Request changes)'],
    ])('is named by its author and its verdict in words: %s', async (verdict, name) => {
      const made = await review('bob', await request((await proposed()).id), verdict)
      expect(made.json.display).toBe(name)
    })

    it('can still be read when the merged branch has been deleted', async () => {
      const { branch, id } = await approved()
      expect((await merge('cid', branch.id)).status).toBe(200)
      expect((await api.ask('DELETE', `/api/core/branches/${branch.id}/`)).status).toBe(204)
      const kept = await api.ask('GET', `/api/core/change-requests/${id}/`)
      expect([kept.status, kept.json.branch, kept.json.status?.value]).toEqual([200, null, 'merged'])
      const reviews = await api.ask('GET', `/api/core/change-reviews/?change_request_id=${id}`)
      expect(reviews.json.results?.[0]?.verdict?.value).toBe('approve')
    })
  })
})
