import { afterAll, beforeAll, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, type Document, startApi } from '../support/api.ts'
import { openMemory } from '../support/database.ts'
import { statementsOf } from './statements-of.ts'
import { undeclaredColumns } from './undeclared-columns.ts'

// As models.test.ts does for lists and filters: no cached result may depend on a column that its statement does not declare.
// Here those of sessions, permissions, row-level security, saved filters and config contexts.

const PASSWORD = 'Corr3ct-Horse-Battery'
const LIST = '/api/dcim/devices/'

let api: Api
beforeAll(async () => {
  api = await startApi(openMemory)
})
afterAll(() => api.close())

async function create(path: string, body: object): Promise<Document> {
  const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
  expect(status, text).toBe(201)
  return json
}

/** Id of a new object that is named `x`. */
const createNamed = async (path: string, body: object = {}): Promise<Document | undefined> =>
  (await create(path, { name: 'x', slug: 'x', ...body })).id

async function expectDeclared(request: () => Promise<unknown>, model: string): Promise<void> {
  const { registry } = api.service
  const statements = await statementsOf(api.service, request)
  const read = statements.flatMap(({ reads }) => reads)
  expect(read).toContain(model)
  expect(statements.flatMap((each) => undeclaredColumns(registry, each))).toEqual([])
}

it('config contexts with every condition', async () => {
  const region = await createNamed('dcim/regions')
  const group = await createNamed('dcim/site-groups')
  const site = await createNamed('dcim/sites', { region, group })
  const location = await createNamed('dcim/locations', { site })
  const manufacturer = await createNamed('dcim/manufacturers')
  const type = await create('dcim/device-types', { manufacturer, model: 'x', slug: 'x' })
  const role = await createNamed('dcim/device-roles')
  const platform = await createNamed('dcim/platforms')
  const clusterType = await createNamed('virtualization/cluster-types')
  const clusterGroup = await createNamed('virtualization/cluster-groups')
  const cluster = await createNamed('virtualization/clusters', {
    type: clusterType,
    group: clusterGroup,
  })
  const tenantGroup = await createNamed('tenancy/tenant-groups')
  const tenant = await createNamed('tenancy/tenants', { group: tenantGroup })
  await createNamed('extras/tags')
  await create('extras/config-contexts', {
    ...{ name: 'x', data: { a: 1 }, regions: [region], site_groups: [group], sites: [site] },
    ...{ locations: [location], device_types: [type.id], roles: [role], platforms: [platform] },
    ...{ cluster_types: [clusterType], cluster_groups: [clusterGroup], clusters: [cluster] },
    ...{ tenant_groups: [tenantGroup], tenants: [tenant], tags: ['x'] },
  })
  const place = { site, role, platform, tenant, tags: [{ slug: 'x' }] }
  const device = { name: 'x', device_type: type.id, location, ...place }
  const { config_context } = await create('dcim/devices', device)
  expect(config_context).toEqual({})
  await create('virtualization/virtual-machines', { name: 'x', cluster, ...place, site: null })
  await expectDeclared(() => api.ask('GET', LIST), 'extras.configcontext')
  await expectDeclared(
    () => api.ask('GET', '/api/virtualization/virtual-machines/'),
    'extras.configcontext',
  )
})

it('the permissions of a user, and the rows that they show', async () => {
  const { id } = await create('users/users', { username: 'alice', password: PASSWORD })
  const { id: group } = await create('users/groups', { name: 'readers' })
  await api.ask('PATCH', `/api/users/users/${id}/`, { body: { groups: [group] } })
  const permission = { actions: ['view'], users: [id], groups: [group] }
  await create('users/permissions', {
    ...{ ...permission, name: 'some devices', object_types: ['dcim.device'] },
    constraints: [{ site__region__name: 'x' }, { tags__slug: 'x', name__startswith: 'x' }],
  })
  await create('users/permissions', {
    ...{ ...permission, name: 'places', object_types: ['dcim.site', 'dcim.region', 'extras.tag'] },
    constraints: { name: 'x' },
  })
  const account = { username: 'alice', password: PASSWORD }
  const { key } = await create('users/tokens/provision', account)
  const ask = (path: string) => async () => {
    const { status, json } = await api.ask('GET', path, { token: String(key) })
    expect([status, json.count]).toEqual([200, 1])
  }
  await expectDeclared(ask(LIST), 'users.objectpermission')
  await expectDeclared(ask(`${LIST}?ordering=site,role&site=x&tag=x`), 'users.token')

  const browser = new Browser(api.url)
  expect((await browser.logIn('alice', PASSWORD)).status).toBe(303)
  const visit = () => browser.visit(LIST, { headers: { accept: 'application/json' } })
  await expectDeclared(visit, 'users.session')
})

it('saved filters', async () => {
  await create('extras/saved-filters', {
    ...{ name: 'x', slug: 'x', object_types: ['dcim.device'], parameters: { name: ['x'] } },
  })
  await expectDeclared(() => api.ask('GET', `${LIST}?filter=x`), 'extras.savedfilter')
})
