/**
 * A client that openapi-typescript generates from the document, used as its author would use it: the compiler checks
 * what is sent and read, and the server checks what the compiler accepts. `run` generates the types and starts the
 * server.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

const { CADASTRE_URL: baseUrl = '', CADASTRE_TOKEN: token = '' } = process.env
const api = createClient<paths>({ baseUrl, headers: { authorization: `Token ${token}` } })

type Site = components['schemas']['Site']

type DryRun = components['schemas']['DryRun']

/** The one object that was returned for the one that was sent. */
function single<T extends object>(answer: T | undefined): Exclude<T, readonly unknown[] | DryRun> {
  assert.ok(answer !== undefined && !Array.isArray(answer) && !('dry_run' in answer))
  return answer as Exclude<T, readonly unknown[] | DryRun> // as just asserted
}

async function makeSite(slug: string): Promise<Site> {
  const { data, response } = await api.POST('/api/dcim/sites/', { body: { name: slug, slug } })
  assert.equal(response.status, 201)
  return single(data)
}

async function removeSite(id: number): Promise<void> {
  const { response } = await api.DELETE('/api/dcim/sites/{id}/', { params: { path: { id } } })
  assert.equal(response.status, 204)
}

test('a list is a page of typed objects', async () => {
  const { data } = await api.GET('/api/dcim/devices/', {
    params: { query: { limit: 5, status: ['active'], ordering: 'name' } },
  })
  assert.ok(data)
  const names: (string | null | undefined)[] = data.results.map(({ name }) => name)
  assert.ok(names.length <= 5 && (data.count ?? 0) >= names.length)
  for (const { id, device_type, status } of data.results) {
    assert.equal(typeof id, 'number')
    assert.equal(typeof device_type.manufacturer.name, 'string')
    assert.equal(status?.value, 'active')
  }
})

test('an object is created, changed, replaced and deleted', async () => {
  const { id } = await makeSite('ts-life')
  const path = { id }
  const changed = await api.PATCH('/api/dcim/sites/{id}/', {
    params: { path },
    body: { status: 'planned', latitude: 52.5 },
  })
  assert.equal(changed.data?.status?.value, 'planned')
  assert.equal(changed.data?.latitude, 52.5)
  const replaced = await api.PUT('/api/dcim/sites/{id}/', {
    params: { path },
    body: { name: 'ts-other', slug: 'ts-other' },
  })
  assert.equal(replaced.data?.name, 'ts-other')
  await removeSite(id)
  const gone = await api.GET('/api/dcim/sites/{id}/', { params: { path } })
  assert.equal(gone.response.status, 404)
  assert.ok(gone.error && 'detail' in gone.error)
})

test('several objects are created and deleted at once', async () => {
  const body = ['ts-a', 'ts-b'].map((slug) => ({ name: slug, slug }))
  const { data } = await api.POST('/api/dcim/sites/', { body })
  assert.ok(Array.isArray(data))
  const { response } = await api.DELETE('/api/dcim/sites/', {
    body: data.map(({ id }) => ({ id })),
  })
  assert.equal(response.status, 204)
})

test('related objects are given by id or by identifying fields', async () => {
  const site = await makeSite('ts-related')
  const { data: tenant } = await api.POST('/api/tenancy/tenants/', {
    body: { name: 'ts', slug: 'ts' },
  })
  const { id: owner } = single(tenant)
  const { data, error } = await api.POST('/api/ipam/prefixes/', {
    body: {
      prefix: '198.53.7.0/24',
      tenant: { name: 'ts', slug: 'ts' },
      scope_type: 'dcim.site',
      scope_id: site.id,
    },
  })
  assert.equal(error, undefined)
  const prefix = single(data)
  assert.equal(prefix.tenant?.id, owner)
  const path = { id: prefix.id }
  const taken = await api.POST('/api/ipam/prefixes/{id}/available-ips/', {
    params: { path },
    body: {},
  })
  assert.equal(taken.response.status, 201)
  await api.DELETE('/api/ipam/prefixes/{id}/', { params: { path } })
  await api.DELETE('/api/tenancy/tenants/{id}/', { params: { path: { id: owner } } })
  await removeSite(site.id)
})

test('an error names the field', async () => {
  const { error, response } = await api.POST('/api/dcim/sites/', {
    body: { name: '', slug: 'ts-none' },
  })
  assert.equal(response.status, 400)
  assert.ok(error !== undefined && 'name' in error)
})

test('code that the OpenAPI document forbids does not compile', () => {
  const wrong = () => [
    // @ts-expect-error: a site needs a slug
    api.POST('/api/dcim/sites/', { body: { name: 'x' } }),
    // @ts-expect-error: no such status
    api.POST('/api/dcim/sites/', { body: { name: 'x', slug: 'x', status: 'nope' } }),
    // @ts-expect-error: no such path
    api.GET('/api/dcim/places/'),
    // @ts-expect-error: a page has at most so many objects as a number
    api.GET('/api/dcim/sites/', { params: { query: { limit: 'many' } } }),
  ]
  assert.equal(typeof wrong, 'function')
})
