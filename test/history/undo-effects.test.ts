import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, type ApiAnswer, type Document, startApi } from '../support/api.ts'
import { created, lastChange } from '../support/requests.ts'

describe('undo of effects that have no change records', () => {
  let api: Api
  let site: Document
  let machine: Document
  beforeAll(async () => {
    api = await startApi()
    site = await create('dcim/sites', { name: 'S', slug: 's' })
    const type = await create('virtualization/cluster-types', { name: 'T', slug: 't' })
    const cluster = await create('virtualization/clusters', { name: 'C', type: type.id })
    machine = await create('virtualization/virtual-machines', {
      ...{ name: 'vm', cluster: cluster.id, site: site.id, disk: 50 },
    })
  })
  afterAll(() => api.close())

  const send = (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
    api.ask(method, `/api/${path}`, { body })
  const create = (path: string, body: unknown) => created(api, path, body)
  const write = async (method: string, path: string, body?: unknown): Promise<void> => {
    const { status, text } = await send(method, path, body)
    expect(status, text).toBeLessThan(300)
  }
  const changeOf = (type: string, id: unknown) => lastChange(api, type, id)
  const undo = async ({ id }: Document): Promise<void> => write('POST', `core/object-changes/${id}/undo/`, {})
  const undoRequest = async ({ request_id: id }: Document): Promise<void> =>
    write('POST', `core/requests/${id}/undo/`, {})
  const valuesOf = async (id = site.id): Promise<unknown> => (await send('GET', `dcim/sites/${id}/`)).json.custom_fields
  const field = (name: string, more: object = {}): Promise<Document> =>
    create('extras/custom-fields', { name, type: 'text', object_types: ['dcim.site'], ...more })
  const setValues = (values: object): Promise<void> =>
    write('PATCH', `dcim/sites/${site.id}/`, { custom_fields: values })

  test.each([
    { name: 'its change', takeBack: undo, one: 'one_a' },
    { name: 'its request', takeBack: undoRequest, one: 'one_b' },
  ])('values of a deleted custom field are restored by undoing $name', async (row) => {
    const { id } = await field(row.one, { default: 'd', search_weight: 100 })
    await setValues({ [row.one]: `value of ${row.one}` })
    await write('DELETE', `extras/custom-fields/${id}/`)
    const later = await create('dcim/sites', { name: `L ${row.one}`, slug: `l-${row.one}` })
    await row.takeBack(await changeOf('extras.customfield', id))
    expect(await valuesOf()).toMatchObject({ [row.one]: `value of ${row.one}` })
    expect(await valuesOf(later.id)).toMatchObject({ [row.one]: null })
    const { json } = await send('GET', `search/?q=value of ${row.one}`)
    expect(json.results?.map(({ object }) => object?.id)).toEqual([site.id])
  })

  test('of two custom fields deleted by one request, only the one whose deletion is undone is restored', async () => {
    const fields = [await field('two_a'), await field('two_b')]
    await setValues({ two_a: 'A', two_b: 'B' })
    await write(
      'DELETE',
      'extras/custom-fields/',
      fields.map(({ id }) => ({ id })),
    )
    await undo(await changeOf('extras.customfield', fields[1]?.id))
    expect(await valuesOf()).toMatchObject({ two_b: 'B' })
    expect(await valuesOf()).not.toHaveProperty('two_a')
    await undo(await changeOf('extras.customfield', fields[0]?.id))
    expect(await valuesOf()).toMatchObject({ two_a: 'A', two_b: 'B' })
  })

  test('values that a field has lost with an object type are restored', async () => {
    const { id } = await field('three', { default: 'd' })
    await setValues({ three: 'mine' })
    await write('PATCH', `extras/custom-fields/${id}/`, { object_types: ['dcim.rack'] })
    expect(await valuesOf()).not.toHaveProperty('three')
    await undo(await changeOf('extras.customfield', id))
    expect(await valuesOf()).toMatchObject({ three: 'mine' })
  })

  test('the former name is restored with the current values of the field', async () => {
    const { id } = await field('four')
    await setValues({ four: 'old' })
    await write('PATCH', `extras/custom-fields/${id}/`, { name: 'four_new' })
    const change = await changeOf('extras.customfield', id)
    await setValues({ four_new: 'new' })
    await undo(change)
    expect(await valuesOf()).toMatchObject({ four: 'new' })
  })

  test('a size that was replaced by that of a virtual disk is restored unless it has changed since', async () => {
    const path = `virtualization/virtual-machines/${machine.id}/`
    const disk = async (name: string, size: number): Promise<Document> =>
      await create('virtualization/virtual-disks', { name, size, virtual_machine: machine.id })
    const size = async (): Promise<unknown> => (await send('GET', path)).json.disk
    const first = await disk('first', 10)
    expect(await size()).toBe(10)
    await undo(await changeOf('virtualization.virtualdisk', first.id))
    expect(await size()).toBe(50)
    const second = await disk('second', 20)
    await disk('third', 30)
    await undo(await changeOf('virtualization.virtualdisk', second.id))
    expect(await size()).toBe(30)
  })
})
