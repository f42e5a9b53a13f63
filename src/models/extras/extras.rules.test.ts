import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { sql } from '../../sql/fragment.ts'
import { deleteFrom, insertInto, table } from '../../sql/table.ts'

let inventory: Inventory
let site: number
let user: number
let profile: number
let webhook: number

beforeAll(async () => {
  inventory = await openInventory()
  const { create } = inventory
  site = await create('dcim.site', { name: 'site', slug: 'site' })
  // The users model needs behaviours for secrets; here a bare row is enough.
  const [row] = await inventory.query<{ id: number }>(sql`
    ${insertInto('users.user')} (username, password, is_active, date_joined, is_superuser, email,
      first_name, last_name)
    values ('reader', '', true, now(), false, '', '', '') returning id`)
  user = row?.id ?? 0
  profile = await create('extras.configcontextprofile', {
    name: 'numbers',
    schema: { type: 'object', properties: { a: { type: 'integer' } } },
  })
  webhook = await create('extras.webhook', { name: 'hook', payload_url: 'http://127.0.0.1:9/' })
})
afterAll(() => inventory.close())

// body → field of the error
type Case = readonly [string, string, () => object, string[]]

describe('validation', () => {
  const rule = (more: object) => ({
    object_types: ['dcim.site'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook,
    ...more,
  })
  const cases: readonly Case[] = [
    ['a context without data', 'configcontext', () => ({ data: {} }), ['data']],
    ['a context that is a list', 'configcontext', () => ({ data: [1] }), ['data']],
    ['a context that violates its profile', 'configcontext', () => ({ data: { a: 'x' }, profile }), ['__all__']],
    ['a context that satisfies its profile', 'configcontext', () => ({ data: { a: 1 }, profile }), []],
    ['an invalid schema', 'configcontextprofile', () => ({ schema: { type: 5 } }), ['schema']],
    ['a rule without conditions', 'eventrule', () => rule({}), []],
    ['nested conditions', 'eventrule', () => rule({ conditions: { and: [{ or: [{ attr: 'a', value: 1 }] }] } }), []],
    ['conditions that are text', 'eventrule', () => rule({ conditions: 'x' }), ['conditions']],
    [
      'an unknown operation',
      'eventrule',
      () => rule({ conditions: { attr: 'a', op: 'no', value: 1 } }),
      ['conditions'],
    ],
    [
      'an operation that does not suit the value',
      'eventrule',
      () => rule({ conditions: { attr: 'a', op: 'gt', value: 'x' } }),
      ['conditions'],
    ],
    ['an unknown event', 'eventrule', () => rule({ event_types: ['no'] }), ['event_types']],
    ['a URL that is not HTTP', 'webhook', () => ({ payload_url: 'ftp://a/' }), ['payload_url']],
    ['a template of a URL', 'webhook', () => ({ payload_url: '{{ data.url }}' }), []],
    ['a template with another scheme', 'webhook', () => ({ payload_url: 'file:///{{ data.name }}' }), ['payload_url']],
    [
      'a CA file without certificate verification',
      'webhook',
      () => ({ payload_url: 'https://a/', ssl_verification: false, ca_file_path: '/ca' }),
      ['ca_file_path'],
    ],
    [
      'a reserved name',
      'exporttemplate',
      () => ({ name: 'Table', object_types: ['dcim.site'], template_code: 'x' }),
      ['name'],
    ],
    [
      'a parameter that loads code',
      'configtemplate',
      () => ({ template_code: 'x', environment_params: { extensions: ['os'] } }),
      ['environment_params'],
    ],
    [
      'a filter without parameters',
      'savedfilter',
      () => ({ slug: 's', object_types: ['dcim.site'], parameters: {} }),
      ['parameters'],
    ],
    [
      'a column that is not a name',
      'tableconfig',
      () => ({ object_type: 'dcim.site', table: 'SiteTable', columns: ['1'] }),
      ['columns'],
    ],
    [
      'a journal entry without an object',
      'journalentry',
      () => ({ assigned_object_type: 'dcim.site', assigned_object_id: 4711, comments: 'x' }),
      ['non_field_errors'],
    ],
  ]
  test.each(cases)('%s', async (name, model, body, places) => {
    expect(await refusedAt(inventory.create(`extras.${model}`, { name, ...body() }))).toEqual(places)
  })
})

describe('notifications', () => {
  // Only of objects that the recipient may view.
  beforeAll(async () => {
    const object_types = ['dcim.site', 'dcim.region']
    const permission = { name: 'seen', actions: ['view'], object_types, users: [user] }
    await inventory.create('users.objectpermission', permission)
  })

  const heard = () =>
    inventory.query(sql`
      select object_type, object_id, event_type, object_repr, read is null as unread
      from ${table('extras.notification')} where user_id = ${user} order by object_type`)

  test('subscribers are notified once of each change and of the deletion', async () => {
    const { create, change, remove } = inventory
    const watched = await create('dcim.site', { name: 'watched', slug: 'watched' })
    await create('extras.subscription', { object_type: 'dcim.site', object_id: watched, user })
    await change('dcim.site', site, { description: 'another one' })
    expect(await heard()).toEqual([])
    await change('dcim.site', watched, { description: 'one' })
    await change('dcim.site', watched, { description: 'two' })
    const about = { object_type: 'dcim.site', object_id: watched, object_repr: 'watched' }
    expect(await heard()).toEqual([{ ...about, event_type: 'object_updated', unread: true }])
    await remove('dcim.site', watched)
    expect(await heard()).toEqual([{ ...about, event_type: 'object_deleted', unread: true }])
    await inventory.query(sql`${deleteFrom('extras.notification')}`)
  })

  test('members of a group are notified by event rules', async () => {
    const { create, change } = inventory
    const group = await create('extras.notificationgroup', { name: 'group', users: [user] })
    await create('extras.eventrule', {
      name: 'regions',
      object_types: ['dcim.region'],
      event_types: ['object_updated'],
      conditions: { attr: 'description', op: 'contains', value: 'loud' },
      action_type: 'notification',
      action_object_type: 'extras.notificationgroup',
      action_object_id: group,
    })
    const region = await create('dcim.region', { name: 'r', slug: 'r', description: 'loud' })
    await change('dcim.region', region, { description: 'quiet' })
    expect(await heard()).toEqual([])
    await change('dcim.region', region, { description: 'loud again' })
    expect(await heard()).toMatchObject([
      { object_type: 'dcim.region', object_id: region, event_type: 'object_updated' },
    ])
  })
})
