import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
  await api.ask('POST', '/api/dcim/regions/', { body: { name: 'North', slug: 'north' } })
})
afterAll(() => api.close())

const PAGE = '/dcim/sites/import/'

type Fields = Readonly<Record<string, string | Blob>>
const sendTo = (path: string, fields: Fields, token?: string) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return api.ask('POST', path, { body: form, ...(token !== undefined && { token }) })
}
const send = (fields: Fields, token?: string) => sendTo(PAGE, fields, token)
const names = async (): Promise<unknown> => {
  const { json } = await api.ask('GET', '/api/dcim/sites/?ordering=name')
  return json.results?.map(({ name }) => name)
}

describe('the pages of an import', () => {
  test('describe the columns that a text may have', async () => {
    const { text } = await api.ask('GET', PAGE)
    expect(text).toContain('region by its name')
    expect(text).toContain('planned, staging, active, decommissioning, retired')
  })

  test('ask for the meaning of unknown headers, and keep the text', async () => {
    const { text, status } = await send({ step: 'preview', data: 'Name,slug,what\nA,a,x' })
    expect(status).toBe(200)
    expect(text).toMatch(/<select[^>]* name="map\.what"/)
    expect(text).toContain('<option value="name" selected>name</option>')
    expect(text).toContain('Name,slug,what\nA,a,x')
  })

  test('list the keys of YAML that are ignored, without asking for their meaning', async () => {
    const data = 'name: A\nslug: a\nstatus: active\nis_powered: false'
    const { text, status } = await send({ step: 'preview', format: 'yaml', data })
    expect(status).toBe(200)
    expect(text).toContain('Ignored keys: is_powered')
    expect(text).toContain('1 to create')
  })

  test('show errors at their cells, and store nothing', async () => {
    const data = 'name,slug,status\nA,a,active\n<b>B</b>,b,nope'
    const { text } = await send({ step: 'preview', data })
    expect(text).toContain('1 to create, 0 to change, 0 without a change, 1 refused')
    expect(text).toMatch(
      /aria-label="status: row 2"[^>]*><option value="nope" selected>nope<[\s\S]*?<option value="retired">Retired<\/option><\/select><span [^>]*><strong class="cell-error">[^<]*not a valid choice/,
    )
    expect(text).toContain('&lt;b&gt;B&lt;/b&gt;')
    expect(text).not.toContain('Import 2 rows')
    expect((await send({ step: 'import', data })).status).toBe(400)
    expect(await names()).toEqual([])
  })

  test('say at the start of a row what was probably meant, and offer the names', async () => {
    await api.ask('POST', '/api/dcim/regions/', { body: { name: 'Southern coast', slug: 'south' } })
    const data = 'name,slug,status,region\nA,a,active,South\nB,b,active,Sothern coast\nC,c,active,Elsewhere'
    const { text } = await send({ step: 'preview', data })
    const reasons = [...text.matchAll(/Refused<strong class="cell-error">([^<]*)/g)].map(([, reason]) => reason)
    expect(reasons).toEqual([
      'region: There is no region with the name South. Did you mean Southern coast?',
      'region: There is no region with the name Sothern coast. Did you mean Southern coast?',
      'region: There is no region with the name Elsewhere.',
    ])
    expect(text).toContain('3 rows need a correction.')
    expect(text).not.toContain('Nothing was imported.')
    expect(text).toMatch(/<datalist id="names-region">.*<option value="Southern coast">/)
    expect(text.indexOf('<th scope="col">region')).toBeLessThan(text.indexOf('<th scope="col">slug'))
    expect((await send({ step: 'import', data })).text).toContain('Nothing was imported.')
  })

  test('list only the refused rows, which can be corrected, above the text', async () => {
    const lines = Array.from({ length: 220 }, (_, index) => `S${index},s${index},active`)
    const data = ['name,slug,status', ...lines, 'Bad,bad,nope', ',worse,active'].join('\n')
    const { text } = await send({ step: 'preview', data })
    const rows = [...text.matchAll(/<tr class="(\w*)"><th scope="row">(\d+)</g)]
    expect(rows.map(([, state, row]) => [state, row])).toEqual([
      ['refused', '221'],
      ['refused', '222'],
    ])
    expect(text).toContain('220 rows without a problem are not shown.')
    expect(text).toMatch(/<details><summary>Text and options/)
    expect(text.indexOf('class="refused"')).toBeLessThan(text.indexOf('<textarea'))
  })

  /** The names and values of the inputs for cells, as a browser sends them. */
  const cellsIn = (page: string): Record<string, string> =>
    Object.fromEntries(
      [
        ...page.matchAll(
          /<(?:input (?:type="hidden" )?name="(_cells|cell\.[\d.]+|fill\.\w+)" value="|select name="(cell\.[\d.]+|fill\.\w+)"[^>]*>(?:<option value="[^"]*">[^<]*<\/option>)*<option value=")([^"]*)"/g,
        ),
      ].map(([, input, list = '', value = '']) => [
        input ?? list,
        value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
      ]),
    )
  const textIn = (page: string): string => /<textarea[^>]*>\n([^<]*)</.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? ''

  test.each([
    [
      'a value with a comma',
      'name;slug;status\nA;"a;1";nope\nB;b;active',
      { 'cell.1.1': 'a-1', 'cell.1.2': 'planned' },
      'name;slug;status\nA;a-1;planned\nB;b;active',
    ],
    [
      'a text in quotation marks',
      'name,slug,status\n"A, B",a b,active',
      { 'cell.1.1': 'ab' },
      'name,slug,status\n"A, B",ab,active',
    ],
    [
      'spaces around a value',
      'name,slug,status\nA,a, nope ',
      { 'cell.1.2': ' active ' },
      'name,slug,status\nA,a,active',
    ],
  ])('apply corrected cells to the text: %s', async (_what, data, corrections, corrected) => {
    const { text } = await send({ step: 'preview', data })
    const cells = cellsIn(text)
    for (const name of Object.keys(corrections)) expect(cells).toHaveProperty([name])
    const { text: again } = await send({ step: 'preview', data, ...cells, ...corrections })
    expect(textIn(again)).toBe(corrected)
    expect(again).toMatch(/ 0 refused/)
    expect(again).not.toContain('name="_cells"')
  })

  test('keep the text if it was corrected instead of the cells', async () => {
    const cells = cellsIn((await send({ step: 'preview', data: 'name,slug,status\nA,a,nope' })).text)
    const data = 'name,slug,status\nA,a,retired'
    const { text } = await send({ step: 'preview', ...cells, data })
    expect(textIn(text)).toBe(data)
    expect(text).toContain('1 to create')
  })

  test('offer all cells of a row whose error belongs to no cell, except texts of several lines', async () => {
    const data = 'name,slug,parent,comments\nA,a b,,x\nB,b,A,"one\ntwo"'
    const { text } = await sendTo('/dcim/regions/import/', { step: 'preview', data })
    expect(Object.keys(cellsIn(text))).toEqual(['_cells', 'cell.1.1', 'cell.2.0', 'cell.2.1', 'cell.2.2'])
  })

  test('offer a column that is missing, for each row and for all', async () => {
    const data = 'name;facility\nA;f1\nB;f2\nC;f3'
    const { text } = await send({ step: 'preview', data })
    const cells = cellsIn(text)
    expect(Object.keys(cells)).toEqual(['_cells', 'fill.status', 'cell.1.2', 'cell.2.2', 'cell.3.2'])
    // As in the form of a site.
    expect(cells).toMatchObject({ 'fill.status': 'active', 'cell.1.2': '' })
    const { text: again } = await send({ step: 'preview', data, ...cells, 'cell.2.2': 'planned' })
    expect(textIn(again)).toBe('name;facility;status\nA;f1;active\nB;f2;planned\nC;f3;active')
    expect(again).toContain('3 to create')
    expect(textIn((await send({ step: 'preview', data, ...cells, 'fill.status': '' })).text)).toBe(data)
  })

  test.each([
    ['/dcim/sites/import/', 'name,status\nZürich  Nord 1,active', 'dcim/sites/?slug=zurich-nord-1'],
    ['/dcim/device-roles/import/', 'name,slug,color\nTop of rack,,ff0000', 'dcim/device-roles/?slug=top-of-rack'],
    ['/circuits/providers/import/', '- name: In use\n', 'circuits/providers/?slug=in-use'],
  ])('derive an empty slug, as forms do: %s', async (path, data, list) => {
    const sent = await sendTo(path, { step: 'import', data })
    expect(sent.status, sent.text).toBe(303)
    const { results, count } = (await api.ask('GET', `/api/${list}`)).json
    expect(count).toBe(1)
    await api.ask('DELETE', `/api/${list.replace(/\?.*/, '')}${results?.[0]?.id}/`)
  })

  test('show components and objects in words, and folds with distinct titles', async () => {
    const interfaces = Array.from({ length: 48 }, (_, index) => ({ name: `xe-${index}`, type: 'virtual' }))
    const data = JSON.stringify({ manufacturer: { slug: 'm' }, model: 'Box', slug: 'box', interfaces })
    const { text } = await sendTo('/dcim/device-types/import/', { step: 'preview', data })
    expect(text).toContain('<bdi>slug: m</bdi>')
    expect(text).toContain('<bdi>xe-0, xe-1, xe-2 … (48 in total)</bdi>')
    const [, main = ''] = text.split('<main')
    const titles = [...main.matchAll(/<summary>([^<]*)/g)].map(([, title]) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })

  test('import corrected cells at once', async () => {
    const data = 'name,slug,status\nCorrected,corrected,nope'
    const refused = await send({ step: 'import', data })
    expect(refused.status).toBe(400)
    const sent = { step: 'import', data, ...cellsIn(refused.text), 'cell.1.2': 'active' }
    expect((await send(sent)).status).toBe(303)
    expect(await names()).toEqual(['Corrected'])
    const { json } = await api.ask('GET', '/api/dcim/sites/?name=Corrected')
    expect((await api.ask('DELETE', `/api/dcim/sites/${json.results?.[0]?.id}/`)).status).toBe(204)
  })

  test('import the data in the preview, and lead to the imported objects', async () => {
    const data = 'Name,slug,status,region\nA,a,active,North\nB,b,planned,'
    const fields = { data, 'map.Name': 'name', 'map.slug': 'slug' }
    expect((await send({ ...fields, step: 'preview' })).text).toContain('Import 2 rows')
    expect(await names()).toEqual([])
    const { status, headers } = await send({ ...fields, step: 'import' })
    expect(status).toBe(303)
    expect(await names()).toEqual(['A', 'B'])
    const { text } = await api.ask('GET', headers.get('location') ?? '')
    expect(text).toContain('>B</bdi>')
    expect(text).toContain('2 sites imported.')
  })

  test('report if nothing differs from the stored data', async () => {
    const data = 'name,slug\nA,a'
    const { headers } = await send({ step: 'import', match_keys: 'true', data })
    const { text } = await api.ask('GET', headers.get('location') ?? '')
    expect(text).toContain('0 sites imported.')
  })

  test('a preview of changes shows old and new values', async () => {
    const { text } = await send({
      step: 'preview',
      match_keys: 'true',
      data: 'name,slug,description\nA,a,new\nB,b,',
    })
    expect(text).toContain('0 to create, 1 to change, 1 without a change, 0 refused')
    expect(text).toContain('description: <ins><bdi>new</bdi></ins>')
  })

  test('a file is read instead of the text', async () => {
    const upload_file = new Blob(['- name: C\n  slug: c\n  status: active\n'])
    expect((await send({ step: 'import', upload_file })).status).toBe(303)
    expect(await names()).toEqual(['A', 'B', 'C'])
  })

  test.each([
    ['a file that is not a text', { upload_file: new Blob([new Uint8Array([0xff, 0xfe, 0x00])]) }],
    ['a data file that is not there', { data_file: '12345' }],
    ['no data file at all', { data_file: 'x' }],
    ['nothing', { data: '' }],
    ['null characters', { data: 'name,slug,status\nA\0,a0,active' }],
  ])('%s is refused', async (_what, fields) => {
    expect((await send({ step: 'import', ...fields })).status).toBe(400)
  })

  test('are for users who may add or change objects', async () => {
    const user = (
      await api.ask('POST', '/api/users/users/', {
        body: { username: 'ann', password: 'A-long-password-1' },
      })
    ).json.id
    const { key } = (await api.ask('POST', '/api/users/tokens/', { body: { user } })).json
    const data = 'name,slug,status\nD,d,active'
    expect((await send({ step: 'import', data }, String(key))).status).toBe(403)
    await api.ask('POST', '/api/users/permissions/', {
      body: {
        name: 'active sites',
        object_types: ['dcim.site'],
        actions: ['add', 'view'],
        users: [user],
        constraints: { status: 'active' },
      },
    })
    expect((await send({ step: 'import', data }, String(key))).status).toBe(303)
    const planned = 'name,slug,status\nE,e,planned'
    const refused = await send({ step: 'import', data: planned }, String(key))
    expect(refused.status).toBe(403)
    expect(refused.text).toContain(planned)
    const change = 'id,description\n1,x'
    expect((await send({ step: 'import', data: change }, String(key))).status).toBe(403)
    expect(await names()).toEqual(['A', 'B', 'C', 'D'])
  })

  test('an anonymous visitor is redirected to the login page', async () => {
    const { status, headers } = await api.ask('GET', PAGE, { token: null })
    expect([status, headers.get('location')]).toEqual([303, `/login/?next=${encodeURIComponent(PAGE)}`])
  })
})

test.each([
  ['dcim/sites', ['name', 'status'], 'Z,active'],
  ['dcim/device-types', ['manufacturer', 'model', 'u_height'], 'Maker,Z,1'],
])('an empty file of %s has the required columns first, and can be filled in', async (path, required, row) => {
  await api.ask('POST', '/api/dcim/manufacturers/', { body: { name: 'Maker', slug: 'maker' } })
  const page = await api.ask('GET', `/${path}/import/`)
  expect(page.text).toContain(`href="/${path}/import/?empty"`)
  const file = await api.ask('GET', `/${path}/import/?empty`)
  expect(file.headers.get('content-type')).toContain('text/csv')
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename=".*\.csv"$/)
  const columns = file.text.trimEnd().split(',')
  expect(columns.slice(0, required.length)).toEqual(required)
  expect(columns).not.toContain('id')
  expect(columns).not.toContain('interfaces')
  const data = `${file.text}${row}${','.repeat(columns.length - required.length)}`
  const form = new FormData()
  form.append('data', data)
  form.append('step', 'import')
  const { status, text } = await api.ask('POST', `/${path}/import/`, { body: form })
  expect([status, text]).toEqual([303, ''])
})
