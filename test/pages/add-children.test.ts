import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { genericPart, namesInBody } from '../../src/schema/generic-keys.ts'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model, Referrer } from '../../src/schema/registry.ts'
import { isWritable } from '../../src/schema/writable.ts'
import { collections, ExampleObjects, offers } from '../registry/example-objects.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { readPage } from '../support/requests.ts'
import { readForm } from './read-form.ts'

const api = await startApiWithOwnModels()
afterAll(() => api.close())
const { registry } = api.service
const models = collections(registry)

let viewer: string
beforeAll(async () => {
  await new ExampleObjects(api).createAll()
  viewer = await viewerToken()
})

const page = (path: string, token?: string) => readPage(api, path, token)

/** Token of a user who may view everything and change nothing. */
async function viewerToken(): Promise<string> {
  const post = async (path: string, body: object) => {
    const { status, json } = await api.ask('POST', `/api/users/${path}/`, { body })
    expect(status, JSON.stringify(json)).toBe(201)
    return json
  }
  const { id } = await post('users', { username: 'viewer', password: 'A-long-Passw0rd' })
  const everything = models.filter(({ definition }) => !definition.private).map(({ name }) => name)
  const permission = { name: 'view', actions: ['view'], object_types: everything, users: [id] }
  await post('permissions', permission)
  const { key, token } = await post('tokens', { user: id, version: 1 })
  return String(token ?? key)
}

/**
 * Relations of the children that the page of a parent lists, and whose form refers to it. What may belong to any object
 * is offered in a tab of its own.
 */
const relationsTo = (parent: Model): readonly Referrer[] =>
  parent.referrers.filter(({ model: child, name, field }) => {
    const isOnlyOne = 'unique' in field && field.unique === true
    const isOfAny = field.kind === 'genericForeignKey' && field.targets.includes('independent')
    const fields = (registry.view(child).form ?? []).flatMap((group) => group.fields)
    return isWritable(field) && !isOnlyOne && !isOfAny && offers(child, 'POST') && fields.includes(name)
  })

/** Addresses of forms on a page that lead back to it. */
const addressesIn = (text: string): readonly URL[] =>
  [...text.matchAll(/href="([^"]*\/add\/\?[^"]*)"/g)]
    .map(([, address = '']) => new URL(address.replaceAll('&amp;', '&'), 'http://localhost'))
    .filter(({ searchParams }) => searchParams.has('return_url'))

/** Names of the first object of the model, and its page. */
async function example(model: Model): Promise<{ id: string; path: string } | undefined> {
  const { json } = await api.ask('GET', `/api/${model.path}/?limit=1`)
  const id = json.results?.[0]?.id
  return id === undefined ? undefined : { id: String(id), path: `${pagePathOf(model)}${id}/` }
}

describe.each(models.map((model) => [model.name, model] as const))('the page of %s', (_, model) => {
  it('has a form, with the object filled in, for each kind of object that belongs to it', async () => {
    const found = await example(model)
    if (!found) return
    const text = await page(found.path)
    const addresses = addressesIn(text)
    const tabs = (registry.view(model).tabs ?? []).map((tab) => tab.model)
    for (const { model: child, name } of relationsTo(model)) {
      const list = pagePathOf(child) ?? ''
      // A list of the related objects, or a tab.
      const isListed = text.includes(`href="${list}?`) || tabs.includes(child.name)
      if (!isListed || name === 'owner' || OWN_PAGES.has(child.name)) continue
      const field = child.fields.get(name)
      // What may belong to any object has a tab or a page of its own.
      if (field?.kind === 'genericForeignKey' && field.targets.includes('independent')) continue
      const presets = namesInBody(child, name)
      const isPreset = addresses.some(
        ({ pathname, searchParams }) =>
          pathname === `${list}add/` && searchParams.get(presets.at(-1) ?? '') === found.id,
      )
      expect(isPreset || AMBIGUOUS.has(`${child.name}.${name}`), `${child.name}.${name}`).toBe(true)
    }
  })

  it('leads to forms filled in with the values in the URL, and back', async () => {
    const found = await example(model)
    if (!found) return
    for (const { pathname, search, searchParams } of addressesIn(await page(found.path))) {
      const { values } = readForm(await page(`${pathname}${search}`))
      expect(values.get('return_url'), pathname).toEqual([found.path])
      const presets = [...searchParams].filter(([name]) => name !== 'return_url')
      const child = models.find((each) => pathname === `${pagePathOf(each)}add/`)
      for (const [name, value] of presets) {
        const part = child && genericPart(child, name)
        // The type and the id of an object are one value of a form.
        const [type, id] = part ? (values.get(part.relation)?.[0] ?? '').split(':') : []
        const shown = part ? (part.part === 'type' ? type : id) : values.get(name)?.[0]
        expect([`${pathname} ${name}`, shown]).toEqual([`${pathname} ${name}`, value])
      }
    }
  })

  it('offers nothing to users who may not add it', async () => {
    const found = await example(model)
    if (!found || OWN.has(model.name)) return
    expect(addressesIn(await page(found.path, viewer)).map(String)).toEqual([])
  })
})

/** Models whose objects have a tab, or a link of their own that adds them. */
const OWN_PAGES: ReadonlySet<string> = new Set([
  ...['extras.journalentry', 'extras.imageattachment', 'extras.bookmark', 'extras.subscription'],
  ...['extras.notification', 'tenancy.contactassignment'],
])
/** Relations whose tab lists objects that may be related in several ways: an interface carries a VLAN tagged or untagged. */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  ...['untagged_vlan', 'tagged_vlans', 'qinq_svlan'].flatMap((name) => [
    `dcim.interface.${name}`,
    `virtualization.vminterface.${name}`,
  ]),
  'ipam.ipaddress.nat_inside',
])
/**
 * Objects that only their owner or superusers can see, and pages of users and branches, for which every user can create
 * tokens of their own.
 */
const OWN: ReadonlySet<string> = new Set([
  ...['extras.bookmark', 'extras.notification', 'extras.subscription', 'users.token', 'users.user'],
  ...['users.groupmapping', 'core.branch', 'extras.savedview'],
])
