import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_TOKEN as ADMIN } from '../../support/api.ts'
import { timeAfterChanges } from '../../support/requests.ts'
import { type Files, startFiles, userWith } from './files.ts'

let files: Files
let site: number
let secret: number
beforeAll(async () => {
  files = await startFiles({ MAX_BODY_SIZE: '20000', MAX_UPLOAD_SIZE: '3000000' })
  site = await files.api.make('dcim/sites', { name: 'Hamburg', slug: 'hamburg' })
  secret = await files.api.make('dcim/sites', { name: 'Secret', slug: 'secret' })
})
afterAll(() => files.api.close())

const get = (path: string, token?: string) => files.api.ask('GET', path, token === undefined ? {} : { token })
const undo = (request: string | null) => files.api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {} })

it('objects with a tab for files do not offer assignments of files besides', async () => {
  const region = await files.api.make('dcim/regions', { name: 'North', slug: 'north' })
  const { text } = await files.api.ask('GET', `/dcim/regions/${region}/`, { headers: { accept: 'text/html' } })
  expect(text).toContain(`/dcim/regions/${region}/files/`)
  expect(text).toContain(`/dcim/sites/add/?region=${region}`)
  expect(text).not.toContain('/netbox-attachment-assignments/add/?')
})

describe('a file', () => {
  it('is uploaded with its fields, assigned to objects of several types, and found by them', async () => {
    const { json } = await files.upload('%PDF-1.7 manual', 'manual.pdf', { description: 'Of the UPS', comments: 'x' })
    expect(json).toMatchObject({
      name: 'manual.pdf',
      description: 'Of the UPS',
      comments: 'x',
      size: 15,
      assignments: [],
    })
    const tenant = await files.api.make('tenancy/tenants', { name: 'T', slug: 't' })
    const first = await files.assign(json.id, 'dcim.site', site)
    expect([first.status, first.json.display, first.json.attachment, first.json.parent?.name]).toEqual([
      ...[201, 'manual.pdf → Hamburg', json.id, 'Hamburg'],
    ])
    expect((await files.assign(json.id, 'tenancy.tenant', tenant)).status).toBe(201)
    expect((await files.assign(json.id, 'dcim.site', site)).status).toBe(400)
    const types = (await get('/api/core/object-types/?app_label=dcim&model=site')).json.results
    for (const [query, count] of [
      ['name=ANUAL&name=nothing', 1],
      ['name=nothing', 0],
      ['name=%25', 0],
      ['description=ups', 1],
      ['has_assignments=true', 1],
      ['has_assignments=false', 0],
      ['has_broken_assignments=true', 0],
      [`object_id=${site}&object_type_id=${types?.[0]?.id}`, 1],
      ['object_id=999', 0],
    ] as const) {
      expect([query, (await files.attachments('GET', `?${query}`)).json.count]).toEqual([query, count])
    }
    const seen = await files.attachments('GET', `${json.id}/`)
    expect(seen.json.assignments?.map(({ parent }) => parent?.name)).toEqual(['Hamburg', 'T'])
    const found = async (text: string) =>
      (await get(`/api/plugins/netbox-attachments/netbox-attachment-assignments/?q=${text}`)).json.count
    expect([await found('ANUAL'), await found('nothing')]).toEqual([2, 0])
    // The assignment goes with its object, the file stays.
    await files.api.ask('DELETE', `/api/tenancy/tenants/${tenant}/`)
    expect((await files.attachments('GET', `${json.id}/`)).json.assignments).toHaveLength(1)
  })

  it.each([
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['C:\\Users\\Bärbel\\Übersicht.html', 'Übersicht.html', '%C3%9Cbersicht.html'],
    ['constructor', 'constructor', 'constructor'],
    ['.htaccess', '.htaccess', 'htaccess'],
    ['a"b\n<c>.svg', 'a%22b\n<c>.svg', 'a_22b_0A_c_.svg'],
  ])('named %j is safe, and is never shown by the browser', async (sent, name, path) => {
    const made = await files.upload('<script>alert(1)</script>', sent)
    // The client replaces line ends and quotation marks.
    expect(String(made.json.name).replaceAll('%0A', '\n')).toBe(name)
    expect(files.path(made)).toBe(`/media/pack_netbox_attachments__netboxattachment/${path}`)
    const { headers, text } = await get(files.path(made))
    expect(text).toBe('<script>alert(1)</script>')
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('content-length')).toBe('25')
  })

  it.each([
    ['', 'file'],
    ['.', 'file'],
    ['..', 'file'],
    ['directory/', 'file'],
    [`${'🦊'.repeat(300)}.txt`, '🦊'.repeat(254)],
    [`x${'🦊'.repeat(300)}.txt`, `x${'🦊'.repeat(253)}`],
    [`${'𠀀'.repeat(300)}.${'𠀀'.repeat(30)}`, '𠀀'.repeat(254)],
    [`x${'𠀀'.repeat(300)}.x${'𠀀'.repeat(30)}`, `x${'𠀀'.repeat(253)}`],
  ])('has a name and a path of whole characters (%#)', async (sent, name) => {
    const made = await files.upload('content', sent)
    expect(made.json.name).toBe(name)
    expect(decodeURIComponent(files.path(made))).not.toContain('\uFFFD')
    expect((await get(files.path(made))).text).toBe('content')
    const again = await files.upload('other', sent)
    expect((await get(files.path(again))).text).toBe('other')
  })

  it.each([
    ['no file', { name: 'x' }, { file: ['This field is required.'] }],
    ['a text', { file: 'aGVsbG8=' }, { file: ['The submitted data was not a file.'] }],
    ['an object', { file: { constructor: 1 } }, { file: ['The submitted data was not a file.'] }],
    ['NUL in its name', 'a\0b.txt', { detail: 'Texts may not contain the character NUL.' }],
    ['null', { file: null }, { file: ['This field may not be null.'] }],
  ])('is refused as %s', async (_what, body, refusal) => {
    const form = typeof body === 'string' ? files.form('x', body) : body
    const { status, json } = await files.attachments('POST', '', { body: form })
    expect([status, json]).toEqual([400, refusal])
  })

  it('over 1 MB is kept byte for byte, and is refused over the limit', async () => {
    const content = Buffer.alloc(2_500_000, 'Cadastre ')
    const made = await files.upload(content, 'large.bin')
    expect(made.json.size).toBe(content.length)
    const response = await fetch(files.api.url + files.path(made), { headers: { authorization: `Token ${ADMIN}` } })
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
    const body = files.form(Buffer.alloc(3_000_001), 'larger.bin')
    expect((await files.attachments('POST', '', { body })).status).toBe(413)
    const text = files.form('x', 'x.bin', { comments: 'x'.repeat(30_000) })
    expect((await files.attachments('POST', '', { body: text })).status).toBe(413)
  })

  it('replaces another one, which is kept for the history; undos bring the bytes back', async () => {
    const made = await files.upload('first', 'plan.txt')
    const before = await timeAfterChanges()
    const changed = await files.attachments('PATCH', `${made.json.id}/`, { body: files.form('second!', 'plan.txt') })
    expect([changed.status, changed.json.size]).toEqual([200, 7])
    expect((await get(files.path(changed))).text).toBe('second!')
    expect((await get(files.path(made))).status).toBe(404)
    expect((await get(`${files.path(made)}?as_of=${encodeURIComponent(before)}`)).text).toBe('first')
    expect((await undo(changed.headers.get('x-request-id'))).status).toBe(200)
    const again = await files.attachments('GET', `${made.json.id}/`)
    expect([again.json.size, (await get(files.path(again))).text]).toEqual([5, 'first'])
    const deleted = await files.attachments('DELETE', `${made.json.id}/`)
    expect((await get(files.path(made))).status).toBe(404)
    expect((await undo(deleted.headers.get('x-request-id'))).status).toBe(200)
    expect((await get(files.path(made))).text).toBe('first')
  })
})

describe('a document', () => {
  const body = (more: object) => ({ document_type: 'manual', content_type: 'dcim.site', object_id: site, ...more })

  it('is a file, in a form or in base64, or a link', async () => {
    const link = await files.documents('POST', body({ external_url: 'https://docs.example.net/0' }))
    expect(link.json).toMatchObject({
      ...{ display: 'https://docs.example.net/0', filename: 'https://docs.example.net/0', document: null },
      ...{ document_type: 'manual', assigned_object: { name: 'Hamburg' }, size: null },
    })
    const encoded = await files.documents('POST', body({ name: 'Plan', document: 'aGVsbG8=', filename: 'plan.pdf' }))
    expect(encoded.json).toMatchObject({ display: 'Plan', filename: 'Plan', external_url: '', size: 5 })
    expect((await get(files.path(encoded, 'document'))).text).toBe('hello')
    const fields = { document_type: 'contract', content_type: 'dcim.site', object_id: String(site) }
    const form = files.form('%PDF', 'contract.pdf', fields, 'document')
    const sent = await files.api.ask('POST', '/api/plugins/documents/documents/', { body: form })
    expect(sent.json).toMatchObject({ display: 'contract.pdf', filename: 'contract.pdf', size: 4 })
    const both = await files.documents('POST', [body({ document: 'aGk=' }), body({ document: 'aGk=' })])
    expect([both.status, both.json.length]).toEqual([201, 2])
  })

  it.each([
    ['created', 'created'],
    ['changed', 'updated'],
  ])('is %s by a document of the inventory', async (content, outcome) => {
    const document = Buffer.from(content).toString('base64')
    const objects = { 'netbox_documents.document': [body({ name: 'Applied', document })] }
    const { status, json, text } = await files.api.ask('POST', '/api/apply/', { body: { objects } })
    expect([status, json.objects?.[0]?.outcome], text).toEqual([200, outcome])
    const stored = await files.documents('GET', undefined, `${json.objects?.[0]?.id}/`)
    expect((await get(files.path(stored, 'document'))).text).toBe(content)
  })

  it.each([
    ['nothing', {}, { document: ['A document needs a file or a link.'] }],
    [
      'a file and a link',
      { document: 'aGVsbG8=', external_url: 'https://x.example' },
      { external_url: ['A document has a file or a link, not both.'] },
    ],
    ['a wrong kind', { external_url: 'https://x.example', document_type: 'constructor' }, expect.any(Object)],
    ['text that is not base64', { document: '<html>' }, { document: ['Send a file, or its content in base64.'] }],
    ['a number', { document: 5 }, { document: ['The submitted data was not a file.'] }],
    ['a script', { external_url: 'javascript:alert(1)' }, expect.any(Object)],
    ['a missing object', { external_url: 'https://x.example', object_id: 999 }, expect.any(Object)],
    ['a type that does not exist', { external_url: 'https://x.example', content_type: 'a.b' }, expect.any(Object)],
  ])('with %s is refused', async (_what, more, refusal) => {
    const { status, json } = await files.documents('POST', body(more))
    expect([status, json]).toEqual([400, refusal])
  })
})

describe('a user who may not view an object', () => {
  const ALL = [
    'netbox_attachments.netboxattachment',
    'netbox_attachments.netboxattachmentassignment',
    'netbox_documents.document',
  ]

  it('finds neither its files nor its documents, anywhere', async () => {
    const hidden = await files.upload('secret', 'secret.txt')
    await files.assign(hidden.json.id, 'dcim.site', secret)
    const shared = await files.upload('shared', 'shared.txt')
    await files.assign(shared.json.id, 'dcim.site', secret)
    await files.assign(shared.json.id, 'dcim.site', site)
    const loose = await files.upload('loose', 'loose.txt')
    const document = await files.documents('POST', {
      ...{ document_type: 'other', content_type: 'dcim.site', object_id: secret, document: 'c2VjcmV0', name: 'Hidden' },
    })
    const onSite = { object_types: ['dcim.site'], actions: ['view'], constraints: { slug: 'hamburg' } }
    const writes = { object_types: ALL, actions: ['view', 'add', 'change', 'delete'] }
    const reader = await userWith(files.api, 'reader', [onSite, { object_types: ALL, actions: ['view'] }])
    const writer = await userWith(files.api, 'writer', [onSite, writes])
    const status = async (path: string, token: string) => (await get(path, token)).status
    for (const token of [reader, writer]) {
      const id = hidden.json.id
      expect(await status(files.path(hidden), token)).toBe(404)
      expect(await status(files.path(document, 'document'), token)).toBe(404)
      expect(await status(`/api/plugins/netbox-attachments/netbox-attachments/${id}/`, token)).toBe(404)
      expect(await status(`/api/plugins/documents/documents/${document.json.id}/`, token)).toBe(404)
      expect((await get(files.path(shared), token)).text).toBe('shared')
      const list = await get('/api/plugins/netbox-attachments/netbox-attachments/?name=secret&name=shared', token)
      expect(list.json.results?.map(({ name }) => name)).toEqual(['shared.txt'])
      // The other object of a shared file stays hidden.
      expect(list.json.results?.[0]?.assignments).toBeUndefined()
      const assigned = await get('/api/plugins/netbox-attachments/netbox-attachment-assignments/', token)
      expect(assigned.text).toContain('shared.txt → Hamburg')
      expect(assigned.text).not.toMatch(/secret/i)
      const query = '{ netbox_attachments_attachment_list { name file { url } } }'
      const graph = await files.api.ask('POST', '/graphql/', { body: { query }, token })
      const found = graph.json.data?.netbox_attachments_attachment_list?.map(({ name }) => String(name)) ?? []
      expect([found.includes('shared.txt'), found.includes('secret.txt')]).toEqual([true, false])
    }
    // Only the user who uploaded a file sees it until it is assigned to an object.
    expect([await status(files.path(loose), reader), await status(files.path(loose), writer)]).toEqual([404, 404])
    const own = await files.attachments('POST', '', { body: files.form('own', 'own.txt'), token: writer })
    expect([await status(files.path(own), writer), await status(files.path(own), reader)]).toEqual([200, 404])
    expect((await files.assign(own.json.id, 'dcim.site', site, { token: writer })).status).toBe(201)
    expect(await status(files.path(own), reader)).toBe(200)
    const theft = await files.assign(hidden.json.id, 'dcim.site', site, { token: writer })
    expect(theft.status).toBe(400)
    const intrusion = await files.assign(own.json.id, 'dcim.site', secret, { token: writer })
    expect(intrusion.status).toBe(400)
    // The files of a deleted object are not published.
    const place = await files.api.make('dcim/sites', { name: 'Vault', slug: 'vault' })
    const left = await files.upload('left', 'left.txt')
    await files.assign(left.json.id, 'dcim.site', place)
    await files.api.ask('DELETE', `/api/dcim/sites/${place}/`)
    expect([await status(files.path(left), writer), await status(files.path(left), ADMIN)]).toEqual([404, 200])
    const change = await files.attachments('PATCH', `${hidden.json.id}/`, { body: { name: 'x' }, token: writer })
    expect(change.status).toBe(404)
    expect((await files.api.ask('GET', files.path(shared), { token: null })).status).toBe(403)
    expect(await status(files.path(shared), await userWith(files.api, 'nobody', []))).toBe(404)
  })
})

describe('the tab of an object', () => {
  it('lists its files, takes more of them in a form, and says what is refused', async () => {
    const { api, form } = files
    const place = await api.make('tenancy/tenants', { name: 'Files', slug: 'files' })
    const path = `/tenancy/tenants/${place}/files/`
    const page = await get(path)
    expect(page.text).toContain('There are no files.')
    const body = form('# Read me', 'read me.md', { description: 'First' })
    body.append('file', new Blob(['more']), 'more.txt')
    const saved = await api.ask('POST', path, { body })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, expect.stringContaining('saved=file')])
    const { text } = await get(path)
    expect(text).toMatch(/read me\.md<\/bdi><\/a>.*9 B/)
    expect(text).toMatch(/more\.txt<\/bdi><\/a>.*4 B/)
    expect((await api.ask('POST', path, { body: form('parent', '..') })).status).toBe(303)
    expect((await get(path)).text).toMatch(/file<\/bdi><\/a>.*6 B/)
    // As browsers send it if none is chosen.
    const none = await api.ask('POST', path, { body: form('', '..') })
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('No file was submitted.')])
    const empty = await api.ask('POST', path, { body: form('', 'empty.txt') })
    expect([empty.status, empty.text]).toEqual([400, expect.stringContaining('The submitted file is empty.')])
    const documents = `/tenancy/tenants/${place}/documents/`
    const link = new FormData()
    link.set('external_url', 'https://docs.example.net/x')
    link.set('document_type', 'manual')
    expect((await api.ask('POST', documents, { body: link })).status).toBe(303)
    expect((await get(documents)).text).toContain('href="https://docs.example.net/x"')
  })

  it('of a file shows its earlier versions', async () => {
    const made = await files.upload('one', 'versions.txt')
    await files.attachments('PATCH', `${made.json.id}/`, { body: files.form('three', 'versions.txt') })
    const { text } = await get(`/plugins/netbox-attachments/netbox-attachments/${made.json.id}/`)
    const [, earlier = ''] = /Earlier versions<\/h2><ul[^>]*><li><a href="([^"]*)"/.exec(text) ?? []
    expect((await get(earlier.replaceAll('&amp;', '&'))).text).toBe('one')
  })
})
