import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

describe('objects over HTTP', () => {
  let api: Api
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cadastre-test-'))
    api = await startApi({ DATA_DIR: directory })
  })
  afterAll(async () => {
    await api.close()
    await rm(directory, { recursive: true })
  })

  const site = async (name: string) => {
    const { json } = await api.ask('POST', '/api/dcim/sites/', { body: { name, slug: name } })
    return Number(json.id)
  }

  it('an object is created, changed, replaced and deleted', async () => {
    const made = await api.ask('POST', '/api/dcim/sites/', { body: { name: 'A', slug: 'a' } })
    expect(made.status).toBe(201)
    const url = String(made.json.url)
    expect(made.headers.get('location')).toBe(url)
    expect(made.json).toMatchObject({ name: 'A', status: { value: 'active', label: 'Active' } })

    const path = url.replace(api.url, '')
    const changed = await api.ask('PATCH', path, { body: { facility: 'F' } })
    expect([changed.status, changed.json.name, changed.json.facility]).toEqual([200, 'A', 'F'])
    const refused = await api.ask('PUT', path, { body: { name: 'B' } })
    expect([refused.status, Object.keys(refused.json)]).toEqual([400, ['slug']])
    const replaced = await api.ask('PUT', path, { body: { name: 'B', slug: 'b' } })
    expect([replaced.status, replaced.json.facility]).toEqual([200, 'F'])

    expect(await api.ask('DELETE', path)).toMatchObject({ status: 204, text: '' })
    expect((await api.ask('DELETE', path)).status).toBe(404)
  })

  it('fields and omit select the fields that are read and shown', async () => {
    const id = await site('chosen')
    const path = `/api/dcim/sites/${id}/`
    const body = { facility: 'kept', description: 'passed over' }
    const { json } = await api.ask('PATCH', `${path}?fields=id,facility`, { body })
    expect(json).toEqual({ id, facility: 'kept' })
    const after = await api.ask('GET', `${path}?fields=facility,description`)
    expect(after.json).toEqual({ facility: 'kept', description: '' })
    const brief = await api.ask('GET', `${path}?brief=0`)
    expect(Object.keys(brief.json)).toEqual(['id', 'url', 'display', 'name', 'slug', 'description'])
  })

  it('a list is created completely or not at all, with errors in its order', async () => {
    const refused = await api.ask('POST', '/api/dcim/sites/', {
      body: [{ name: 'l1', slug: 'l1' }, { name: 'l2' }],
    })
    expect([refused.status, refused.json.map((each) => Object.keys(each))]).toEqual([400, [[], ['slug']]])
    expect((await api.ask('GET', '/api/dcim/sites/?slug=l1')).json.count).toBe(0)

    const body = ['l1', 'l2'].map((name) => ({ name, slug: name }))
    const made = await api.ask('POST', '/api/dcim/sites/', { body })
    expect([made.status, made.json.map(({ slug }) => slug)]).toEqual([201, ['l1', 'l2']])
  })

  it('a list is changed and deleted completely or not at all', async () => {
    const [one, two] = [await site('m1'), await site('m2')]
    const refused = await api.ask('PATCH', '/api/dcim/sites/', {
      body: [
        { id: one, facility: 'x' },
        { id: two, status: 'nonsense' },
      ],
    })
    expect([refused.status, Object.keys(refused.json)]).toEqual([400, ['status']])
    const unchanged = await api.ask('GET', `/api/dcim/sites/${one}/?fields=facility`)
    expect(unchanged.json).toEqual({ facility: '' })

    const changed = await api.ask('PATCH', '/api/dcim/sites/', {
      body: [{ id: one, facility: 'x' }],
    })
    expect([changed.status, changed.json.map(({ facility }) => facility)]).toEqual([200, ['x']])
    const gone = await api.ask('DELETE', '/api/dcim/sites/', {
      body: [{ id: one, changelog_message: 'closed' }, { id: two }],
    })
    expect(gone.status).toBe(204)
    const records = await api.ask(
      'GET',
      `/api/core/object-changes/?action=delete&changed_object_id=${one}&fields=message`,
    )
    expect(records.json.results).toEqual([{ message: 'closed' }])
  })

  it('an object in use is not deleted', async () => {
    const id = await site('used')
    await api.ask('POST', '/api/dcim/racks/', { body: { name: 'r', site: id } })
    const { status, json } = await api.ask('DELETE', `/api/dcim/sites/${id}/`)
    expect([status, Object.keys(json)]).toEqual([409, ['detail']])
  })

  it('a write with an outdated version is refused', async () => {
    const path = `/api/dcim/sites/${await site('versions')}/`
    const first = (await api.ask('GET', path)).headers.get('etag') ?? ''
    expect(first).toMatch(/^W\/"\d{4}-\d\d-\d\dT.*\+00:00(;4\.6)?"$/)
    const cached = await api.ask('GET', path, { headers: { 'if-none-match': first } })
    expect([cached.status, cached.text]).toEqual([304, ''])

    const headers = { 'if-match': first }
    const changed = await api.ask('PATCH', path, { body: { facility: '1' }, headers })
    expect(changed.status).toBe(200)
    const late = await api.ask('PATCH', path, { body: { facility: '2' }, headers })
    expect([late.status, late.headers.get('etag')]).toEqual([412, changed.headers.get('etag')])
    expect((await api.ask('DELETE', path, { headers })).status).toBe(412)
    expect((await api.ask('DELETE', path, { headers: { 'if-match': '*' } })).status).toBe(204)
  })

  it('the request id finds the change records', async () => {
    const made = await api.ask('POST', '/api/dcim/sites/', {
      body: { name: 'logged', slug: 'logged', changelog_message: 'because' },
    })
    const id = made.headers.get('x-request-id')
    const { json } = await api.ask('GET', `/api/extras/object-changes/?request_id=${id}`)
    expect(json.results).toMatchObject([
      {
        action: { value: 'create' },
        user_name: 'admin',
        message: 'because',
        object_repr: 'logged',
      },
    ])
    const created = await api.ask('GET', `/api/dcim/sites/?created_by_request=${id}&fields=name`)
    expect(created.json.results).toEqual([{ name: 'logged' }])
  })

  it('a form is accepted like a document', async () => {
    const form = new FormData()
    form.set('name', 'form')
    form.set('slug', 'form')
    form.set('latitude', '12.5')
    const { status, json } = await api.ask('POST', '/api/dcim/sites/', { body: form })
    expect([status, json.latitude]).toEqual([201, 12.5])
  })

  it.each([
    ['no parts', 'nonsense'],
    ['a part without an end', '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nhal'],
  ])('a form with %s is refused', async (_name, body) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const { status, json } = await api.ask('POST', '/api/dcim/sites/', { body, headers })
    expect([status, Object.keys(json)]).toEqual([400, ['detail']])
  })

  it.each([
    ['ASCII letters', 'x'.repeat(300)],
    ['letters of four bytes', `a${'𠀀'.repeat(100)}`],
    ['an extension', `xyz.${'𠀀'.repeat(100)}`],
  ])('an image with a long name of %s is stored', async (_what, name) => {
    const bytes = await sharp({
      create: { width: 1, height: 1, channels: 3, background: '#fff' },
    })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('object_type', 'dcim.site')
    form.set('object_id', String(await site(`long-name-${name.length}`)))
    form.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), `${name}.png`)
    const { status, text, json } = await api.ask('POST', '/api/extras/image-attachments/', {
      body: form,
    })
    expect(status, text).toBe(201)
    const path = String(json.image).replace(api.url, '')
    expect((await api.ask('GET', path)).status).toBe(200)
  })
})
