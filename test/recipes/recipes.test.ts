import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, dropTestDatabase } from '../support/database.ts'
import { SERVER_TOKEN, type ServerProcess, startServer } from '../support/server.ts'
import { applyDiff } from './apply-diff.ts'

// The recipes of CONTRIBUTING.md, carried out in a copy of the repository.

const root = join(import.meta.dirname, '../..')
const COPIED = [
  ...['src', 'test', 'bench', 'conformance', 'docs', 'examples', 'locales', 'packs', 'scripts', 'vendor'],
  ...['biome.json', 'one-value.grit', 'package.json', 'tsconfig.json', 'vitest.config.ts'],
]

/**
 * Tests that notice omissions in a recipe: cases, architecture, and models in general, of which two have changed.
 */
const TESTS = {
  unit: ['test/architecture.test.ts', 'src/read/query/lookups.test.ts', 'src/web/texts', 'src/sql'],
  features: ['test/registry/models.test.ts', '-t', 'dcim.site >|dcim.cage >'],
}

/** A field of the kind that a recipe adds. */
const USE_OF_KIND = `--- a/src/models/dcim/site.ts
+++ b/src/models/dcim/site.ts
@@
-import { choice, decimal, foreignKey, manyToMany, relatedCount, slug, text, timeZone } from '../../schema/field.ts'
+import {
+  choice,
+  countryCode,
+  decimal,
+  foreignKey,
+  manyToMany,
+  relatedCount,
+  slug,
+  text,
+  timeZone,
+} from '../../schema/field.ts'
@@ export const site = model({
     tenant,
+    country: countryCode({ nullable: true, example: 'NL' }),
@@   form: {
-    Site: words('name slug status region group building_code facility asns time_zone description tags'),
+    Site: words('name slug status region group building_code country facility asns time_zone description tags'),
`

/** Headings of the recipes with their diffs. */
const recipes = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  .split(/^## /m)
  .flatMap((section) => {
    const diff = /```diff\n(.*?)```/s.exec(section)?.[1]
    return diff === undefined ? [] : [{ name: section.split('\n')[0] ?? '', diff }]
  })

const directory = mkdtempSync(join(tmpdir(), 'cadastre-recipes-'))
let server: ServerProcess | undefined
let databaseUrl: string | undefined

beforeAll(() => {
  for (const name of COPIED) cpSync(join(root, name), join(directory, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
})
afterAll(async () => {
  await server?.stop()
  if (databaseUrl !== undefined) await dropTestDatabase(databaseUrl)
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

/** Runs a program of the copy's dependencies; returns its output and exit status. */
async function run(program: string, ...args: readonly string[]) {
  const { VITEST: _, ...env } = process.env
  const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
    ...{ cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'] },
  })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { status, output }
}

interface Response {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

async function ask(method: string, path: string, body?: object, version = '4.7'): Promise<Response> {
  const response = await fetch(`${server?.url}/api/${path}`, {
    method,
    headers: {
      authorization: `Token ${SERVER_TOKEN}`,
      accept: `application/json; version=${version}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Response['body'] }
}

/** A page as a browser gets it. */
const readPage = async (path: string, language = 'en'): Promise<string> => {
  const headers = { authorization: `Token ${SERVER_TOKEN}`, 'accept-language': language }
  return await (await fetch(`${server?.url}${path}`, { headers })).text()
}

/** Id of a new object. */
async function create(path: string, body: object): Promise<unknown> {
  const response = await ask('POST', path, body)
  expect(response.status, JSON.stringify(response.body)).toBe(201)
  return response.body.id
}

const namesOf = async (path: string): Promise<unknown> => {
  const { body } = await ask('GET', path)
  return (body.results as readonly { readonly name: string }[]).map(({ name }) => name)
}

it('there is a recipe for each of the usual extensions', () => {
  expect(recipes.map(({ name }) => name)).toEqual([
    'Add a field',
    'Add a field of one API version',
    'Add a kind of field',
    'Add a lookup',
    'Add a filter',
    'Add a model',
    'Add a rule',
    'Add an action',
    'Add something to the page of an object',
  ])
})

it.each(recipes)('$name: the lines that the diff changes are there', ({ diff }) => {
  applyDiff(directory, diff)
})

it('a declaration uses the new kind of field', () => {
  applyDiff(directory, USE_OF_KIND)
})

it('the changed sources have the right types and format', async () => {
  expect(await run('typescript/bin/tsc')).toEqual({ status: 0, output: '' })
  const { status, output } = await run('@biomejs/biome/bin/biome', 'check', '--vcs-enabled=false', 'src')
  expect(status, output).toBe(0)
})

it('the tests of declarations pass once the surface is written again', async () => {
  const surface = 'test/registry/surface.test.ts'
  const update = await run('vitest/vitest.mjs', 'run', '--project', 'unit', surface, '--update')
  expect(update.status, update.output).toBe(0)
  for (const [project, files] of Object.entries(TESTS)) {
    const { status, output } = await run('vitest/vitest.mjs', 'run', '--project', project, ...files)
    expect(status, output).toBe(0)
  }
})

describe('the API and the pages then have', () => {
  let site: unknown
  beforeAll(async () => {
    databaseUrl = await createTestDatabase()
    server = await startServer({ DATABASE_URL: databaseUrl }, 100, directory)
    const group = await create('dcim/site-groups/', { name: 'North', slug: 'north' })
    site = await create('dcim/sites/', { name: 'A', slug: 'a', group, building_code: 'B12' })
    await create('dcim/sites/', { name: 'B', slug: 'b' })
  })

  it('the new field, with its filters', async () => {
    expect((await ask('GET', `dcim/sites/${site}/`)).body).toMatchObject({ building_code: 'B12' })
    expect(await namesOf('dcim/sites/?building_code__isw=b1')).toEqual(['A'])
    const options = await ask('OPTIONS', 'dcim/sites/')
    expect(options.body.actions).toMatchObject({ POST: { building_code: { max_length: 20 } } })
  })

  it('the new field on the page and in the form of its object', async () => {
    expect(await readPage(`/dcim/sites/${site}/`)).toMatch(/Building code[\s\S]{0,80}B12/)
    expect(await readPage('/dcim/sites/add/')).toContain('name="building_code"')
  })

  it('the new field of one version, in that version only', async () => {
    const panel = await create('dcim/power-panels/', { name: 'Metered', site, meter: 'M-7' })
    expect((await ask('GET', `dcim/power-panels/${panel}/`)).body).toMatchObject({ meter: 'M-7' })
    expect((await ask('GET', `dcim/power-panels/${panel}/`, undefined, '4.6')).body).not.toHaveProperty('meter')
  })

  it('the new kind of field, with its filters', async () => {
    const refused = await ask('PATCH', `dcim/sites/${site}/`, { country: 'Norway' })
    expect(refused.body).toEqual({ country: ['Enter the two letters of a country.'] })
    const changed = await ask('PATCH', `dcim/sites/${site}/`, { country: 'no' })
    expect(changed.body).toMatchObject({ country: 'NO' })
    expect(await namesOf('dcim/sites/?country=NO')).toEqual(['A'])
  })

  it('the new action', async () => {
    expect(await ask('GET', 'dcim/serial-numbers/')).toEqual({ status: 200, body: { count: 0 } })
  })

  it('the new lookup', async () => {
    expect(await namesOf('dcim/sites/?name__nregex=^A')).toEqual(['B'])
  })

  it('the new filter', async () => {
    const names = { name: 'X', slug: 'x' }
    const manufacturer = await create('dcim/manufacturers/', names)
    const type = { manufacturer, model: 'X', slug: 'x' }
    const device_type = await create('dcim/device-types/', type)
    const role = await create('dcim/device-roles/', names)
    await create('dcim/devices/', { name: 'rtr01', device_type, role, site })
    expect(await namesOf('dcim/devices/?campus=north')).toEqual(['rtr01'])
    expect((await ask('GET', 'dcim/devices/?campus=south')).status).toBe(400)
  })

  it('the new model', async () => {
    const location = await create('dcim/locations/', { name: 'Floor', slug: 'floor', site })
    const cage = { name: 'Cage 1', location }
    await create('dcim/cages/', cage)
    expect(await namesOf('dcim/cages/?name=Cage 1')).toEqual(['Cage 1'])
    expect((await ask('POST', 'dcim/cages/', cage)).status).toBe(400)
  })

  it('the new rule', async () => {
    const rack = await create('dcim/racks/', { name: 'R', site })
    const reservation = { rack, user: 1, description: 'x' }
    const refused = await ask('POST', 'dcim/rack-reservations/', { ...reservation, units: [1, 3] })
    expect(refused).toEqual({
      status: 400,
      body: { units: ['A reservation takes neighbouring units.'] },
    })
    await create('dcim/rack-reservations/', { ...reservation, units: [1, 2] })
  })
  it('the new part of a page, with its style, in English as long as nobody has translated it', async () => {
    const power_panel = await create('dcim/power-panels/', { site, name: 'P' })
    for (const name of ['Feed A', 'Feed B'])
      await create('dcim/power-feeds/', { power_panel, name, voltage: 230, amperage: 20 })
    const markup = await readPage(`/dcim/power-panels/${power_panel}/`, 'de')
    expect(markup).toMatch(/<h2>Supply<\/h2>\s*<p class="supply">9\.200 VA<\/p>/)
    const style = /href="([^"]*supply\.css[^"]*)"/.exec(markup)?.[1]
    expect(await (await fetch(`${server?.url}${style}`)).text()).toContain('.supply')
  })
})
