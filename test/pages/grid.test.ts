import { afterAll, beforeEach, expect, it } from 'vitest'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { createdId } from '../support/requests.ts'

let api: Api | undefined
const server = async (): Promise<Api> => {
  api ??= await startApi()
  return api
}
afterAll(() => api?.close())

const PATH = '/dcim/sites/grid/?ordering=name'
const ids: number[] = []
beforeEach(async () => {
  const { ask } = await server()
  await ask('DELETE', '/api/dcim/sites/', { body: ids.splice(0).map((id) => ({ id })) })
  for (const name of ['East', 'West']) {
    await ask('POST', '/api/dcim/regions/', { body: { name, slug: name.toLowerCase() } })
  }
  for (const name of ['Akron', 'Boston <b>']) {
    const body = { name, slug: name.slice(0, 5).toLowerCase(), region: { name: 'East' } }
    ids.push(await createdId(await server(), 'dcim/sites', body))
  }
})

const page = async (): Promise<string> =>
  (await (await server()).ask('GET', PATH, { headers: { accept: 'text/html' } })).text

/** The fields of the form, as a browser without scripts sends them. */
async function fields(): Promise<URLSearchParams> {
  const text = await page()
  const form = text.slice(text.indexOf('class="grid-form"'))
  const decoded = (value: string) =>
    value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return new URLSearchParams(
    [...form.matchAll(/<input[^>]*? name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, decoded(value)],
    ),
  )
}

/** Sends the form with changes; a cell is identified by the place of its row and its column. */
async function send(form: URLSearchParams, changes: Readonly<Record<string, string>>): Promise<ApiAnswer> {
  for (const [cell, text] of Object.entries(changes)) {
    const [row, column] = cell.split('.')
    form.set(column === undefined ? cell : `${ids[Number(row)]}.${column}`, text)
  }
  return (await server()).ask('POST', PATH, {
    body: form.toString(),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
  })
}

const stored = async (): Promise<readonly string[]> => {
  const { json } = await (await server()).ask('GET', '/api/dcim/sites/?ordering=name')
  return [...(json.results ?? [])].map(
    ({ name, status, facility, region }) => `${name} ${status?.value} ${facility} ${region?.name ?? '-'}`,
  )
}

const UNCHANGED = ['Akron active  East', 'Boston <b> active  East']

it.each([
  ['nothing', {}, UNCHANGED],
  [
    'texts, choices and related objects of several rows',
    { '0.facility': 'F1', '1.status': 'retired', '1.region': 'West' },
    ['Akron active F1 East', 'Boston <b> retired  West'],
  ],
  ['an empty related object', { '0.region': '' }, ['Akron active  -', 'Boston <b> active  East']],
])('a grid saves %s', async (_name, changes, expected) => {
  const { status, text } = await send(await fields(), changes)
  expect(status, text).toBe(303)
  expect(await stored()).toEqual(expected)
})

it.each([
  ['a choice that does not exist', { '0.facility': 'F1', '1.status': 'closed' }, '1.status'],
  ['a related object that does not exist', { '0.facility': 'F1', '1.region': 'North' }, '1.region'],
])('a grid with %s saves nothing and reports this at the cell', async (_name, changes, cell) => {
  const { status, text } = await send(await fields(), changes)
  expect(status).toBe(400)
  const [row, column] = cell.split('.')
  expect(text).toContain(`aria-describedby="error-${ids[Number(row)]}.${column}"`)
  // The entered texts are still there.
  expect(text).toMatch(/value="F1" data-shown=""/)
  expect(await stored()).toEqual(UNCHANGED)
})

it('a grid with a name that another object has saves nothing and explains why', async () => {
  const { status, text } = await send(await fields(), { '0.facility': 'F1', '1.name': 'Akron' })
  expect([status, text.includes('site with this name already exists.')]).toEqual([400, true])
  expect(text).toMatch(/value="F1" data-shown=""/)
  expect(await stored()).toEqual(UNCHANGED)
})

it('a cell that another user has changed is not overwritten without notice', async () => {
  const form = await fields()
  await (await server()).ask('PATCH', `/api/dcim/sites/${ids[0]}/`, {
    body: { facility: 'Theirs' },
  })
  const refused = await send(form, { '0.facility': 'Mine' })
  expect([refused.status, refused.text.includes('Changed in the meantime to “Theirs”.')]).toEqual([400, true])
  expect((await stored())[0]).toBe('Akron active Theirs East')
  await send(form, { '0.facility': '', '1.facility': 'Mine' })
  expect(await stored()).toEqual(['Akron active Theirs East', 'Boston <b> active Mine East'])
})

it('the message of a grid is recorded in the change log', async () => {
  await send(await fields(), { '0.facility': 'F9', changelog_message: 'Moved' })
  const { json } = await (await server()).ask('GET', '/api/core/object-changes/?limit=1')
  expect(json.results?.[0]?.message).toBe('Moved')
})

it('a grid escapes its content', async () => {
  const text = await page()
  expect(text).toContain('value="Boston &lt;b&gt;"')
  expect(text).not.toContain('Boston <b>')
})
