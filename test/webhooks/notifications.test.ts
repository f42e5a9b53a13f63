import { describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { sceneOfTest } from './scene.ts'

type Fields = Readonly<Record<string, unknown>>

/** A service with users who may view all sites, those named "Public", or none; `group` has them and a superuser. */
async function scene() {
  const { api, settle } = await sceneOfTest()
  const create = async (path: string, body: Fields): Promise<number> => {
    const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`)
    return Number(json.id)
  }
  const addUser = (username: string, more: Fields = {}) =>
    create('users/users', { username, password: 'Example-Passw0rd', ...more })
  const permit = (users: readonly number[], constraints: Fields | null) =>
    create('users/permissions', {
      ...{ name: `view ${users.join()}`, object_types: ['dcim.site'], actions: ['view'] },
      ...{ users, constraints },
    })
  const all = await addUser('all')
  const some = await addUser('some')
  const none = await addUser('none')
  const inactive = await addUser('inactive', { is_active: false })
  await permit([all, inactive], null)
  await permit([some], { name: 'Public' })
  const members = [1, all, some, none, inactive]
  const group = await create('extras/notification-groups', { name: 'operators', users: members })
  const addRule = () =>
    create('extras/event-rules', {
      name: 'notify',
      object_types: ['dcim.site'],
      event_types: ['object_created', 'object_updated', 'object_deleted'],
      action_type: 'notification',
      action_object_type: 'extras.notificationgroup',
      action_object_id: group,
    })
  /** The notified users and the names that they see. */
  const notified = async () => {
    const { json } = await api.ask('GET', '/api/extras/notifications/?ordering=id')
    return (json.results ?? []).map(({ user, display, event_type: event }) => [
      (user as Fields).username,
      display,
      event,
    ])
  }
  const addSite = (name: string) => create('dcim/sites', { name, slug: name.toLowerCase() })
  return { api, settle, create, addRule, addSite, notified, users: { all, some, none } }
}

describe('notifications of a rule', () => {
  it('reach the active members of its group who may view the object', async () => {
    const { addRule, addSite, notified } = await scene()
    await addRule()
    await addSite('Public')
    await addSite('Secret')
    expect(await notified()).toEqual([
      ['admin', 'Public', 'object_created'],
      ['all', 'Public', 'object_created'],
      ['some', 'Public', 'object_created'],
      ['admin', 'Secret', 'object_created'],
      ['all', 'Secret', 'object_created'],
    ])
  })

  it('do not reveal the name that an object gets when it leaves the permissions of a member', async () => {
    const { api, addRule, addSite, notified } = await scene()
    await addRule()
    const id = await addSite('Public')
    await api.ask('PATCH', `/api/dcim/sites/${id}/`, { body: { name: 'Secret' } })
    expect(await notified()).toEqual([
      ['admin', 'Secret', 'object_updated'],
      ['all', 'Secret', 'object_updated'],
      ['some', 'Public', 'object_created'],
    ])
  })

  it('of a deletion reach those who could view the object until then', async () => {
    const { api, addRule, addSite, notified } = await scene()
    const ids = [await addSite('Public'), await addSite('Secret')]
    await addRule()
    await api.ask('DELETE', '/api/dcim/sites/', { body: ids.map((id) => ({ id })) })
    expect((await notified()).toSorted()).toEqual([
      ['admin', 'Public', 'object_deleted'],
      ['admin', 'Secret', 'object_deleted'],
      ['all', 'Public', 'object_deleted'],
      ['all', 'Secret', 'object_deleted'],
      ['some', 'Public', 'object_deleted'],
    ])
  })

  it('are not created if an imported rule names an object that is not a group', async () => {
    const { api, addRule, addSite, notified } = await scene()
    const rule = await addRule()
    await api.service.database.execute(
      sql`update extras_eventrule set action_object_type = 'dcim.site' where id = ${rule}`,
    )
    await addSite('Public')
    expect(await notified()).toEqual([])
  })
})

describe('notifications of subscribers', () => {
  it('stop if the subscriber may not view the object any more', async () => {
    const { api, create, addSite, notified, users } = await scene()
    const id = await addSite('Public')
    for (const user of [users.all, users.some, users.none]) {
      await create('extras/subscriptions', { object_type: 'dcim.site', object_id: id, user })
    }
    await api.ask('PATCH', `/api/dcim/sites/${id}/`, { body: { facility: 'x' } })
    const name = { body: { name: 'Secret' } }
    await api.ask('PATCH', `/api/dcim/sites/${id}/`, name)
    expect(await notified()).toEqual([
      ['some', 'Public', 'object_updated'],
      ['all', 'Secret', 'object_updated'],
    ])
    await api.ask('DELETE', `/api/dcim/sites/${id}/`)
    expect(await notified()).toEqual([
      ['some', 'Public', 'object_updated'],
      ['all', 'Secret', 'object_deleted'],
    ])
  })
})
