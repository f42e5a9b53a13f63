import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Body, exampleBody } from '../../src/schema/example-values.ts'
import { genericKeys } from '../../src/schema/generic-keys.ts'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model } from '../../src/schema/registry.ts'
import { isWritable } from '../../src/schema/writable.ts'
import { collections, ExampleObjects, offers } from '../registry/example-objects.ts'
import type { ApiAnswer, Document } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { formData, type PageForm, readForm } from './read-form.ts'

const api = await startApiWithOwnModels()
afterAll(() => api.close())
const { registry } = api.service
const models = collections(registry).filter((model) => (registry.view(model).form ?? []).length > 0)
const added = models.filter((model) => offers(model, 'POST'))
const edited = models.filter((model) => offers(model, 'PATCH'))
const named = (list: readonly Model[]) => list.map((model) => [model.name, model] as const)

/** Models whose form has created the same object as the API. */
const compared: string[] = []
let objects: ExampleObjects
beforeAll(async () => {
  objects = new ExampleObjects(api)
  await objects.createAll()
})

const root = (model: Model): string => pagePathOf(model) ?? ''
const page = (path: string): Promise<ApiAnswer> => api.ask('GET', path, { headers: { accept: 'text/html' } })
const send = (path: string, body: FormData): Promise<ApiAnswer> =>
  api.ask('POST', path, { body, headers: { accept: 'text/html' } })

/** Names under which a form sends a field. */
function sentNames(model: Model, name: string): readonly string[] {
  const field = model.fields.get(name)
  if (field === undefined || !isWritable(field)) return []
  const isShown = model.answer.includes(name) || ('writeOnly' in field && field.writeOnly === true)
  return isShown || field.kind === 'genericForeignKey' ? [name] : []
}

/** The values by the names of the form: the type and the id of an object are one of them. */
function asSent(model: Model, body: Body): Body {
  const values = { ...body }
  for (const [name, field] of model.fields) {
    if (field.kind !== 'genericForeignKey') continue
    const { type, id } = genericKeys(name, field)
    if (!(type in values || id in values)) continue
    values[name] = values[id] == null ? null : `${values[type]}:${values[id]}`
    delete values[type]
    delete values[id]
  }
  return values
}

describe.each(named(added))('the form for a new %s', (_name, model) => {
  it('has all writable fields of the view', async () => {
    const { status, text } = await page(`${root(model)}add/`)
    expect(status, text).toBe(200)
    const { sentAs } = readForm(text)
    const expected = (registry.view(model).form ?? [])
      .flatMap(({ fields }) => fields)
      .flatMap((name) => sentNames(model, name))
    expect(expected.filter((name) => !sentAs.has(name))).toEqual([])
  })

  it('marks every field without which the API refuses an object', async () => {
    const { text } = await page(`${root(model)}add/`)
    const { sentAs, required } = readForm(text)
    const body = newBody(model) ?? {}
    const attempts = ['', ...Object.keys(body)].map((left) =>
      left === '' ? {} : Object.fromEntries(Object.entries(body).filter(([name]) => name !== left)),
    )
    const missing = new Set<string>()
    for (const attempt of attempts) {
      const { json } = await api.ask('POST', `/api/${model.path}/?dry_run=true`, { body: attempt })
      for (const [name, messages] of Object.entries(json)) {
        if (!(name in attempt) && String(messages).includes('This field is required')) missing.add(name)
      }
    }
    expect([...missing].filter((name) => sentAs.has(name) && !required.has(name))).toEqual([])
  })

  it('asks for JSON only if the value is JSON', async () => {
    const { sentAs } = readForm((await page(`${root(model)}add/`)).text)
    const json = [...sentAs].filter(([, how]) => how === 'json').map(([name]) => name)
    expect(json.filter((name) => model.fields.get(name)?.kind !== 'json')).toEqual([])
  })

  it('has the cursor in its first field', async () => {
    const { text } = await page(`${root(model)}add/`)
    expect(text.match(/ autofocus/g)).toHaveLength(1)
  })

  it.runIf(model.fields.has('slug'))('fills the slug in from the name', async () => {
    const { text } = await page(`${root(model)}add/`)
    expect(text).toMatch(/data-field="slug"[^>]* data-made-from="(name|model)"/)
  })

  it('shows the errors of the API at their fields', async () => {
    const { text } = await page(`${root(model)}add/`)
    const { values } = readForm(text)
    const blank = new Map([...values].map(([name]) => [name, ['']] as const))
    const refused = await send(`${root(model)}add/`, formData(blank))
    if (refused.status === 303) return
    expect(refused.status, refused.text).toBe(400)
    expect(refused.text).toContain('Not saved.')
    const form = readForm(refused.text)
    const { json } = await api.ask('POST', `/api/${model.path}/`, { body: {} })
    const reported = Object.keys(asSent(model, json)).filter((name) => form.sentAs.has(name))
    expect(reported.filter((name) => !form.errors.has(name))).toEqual([])
    const hasFocus = (refused.text.match(/ autofocus/g) ?? []).length
    expect(hasFocus).toBe(form.errors.size > 0 ? 1 : 0)
  })

  it('creates the same object as the API', async () => {
    const example = newBody(model)
    if (!example) return
    const { values, sentAs } = readForm((await page(`${root(model)}add/`)).text)
    // Fields that a form does not show for these values are not sent.
    const { shownWith = {} } = registry.view(model)
    const body = Object.fromEntries(
      Object.entries(example).filter(([name]) => {
        const { field = '', values: fitting } = shownWith[name] ?? {}
        return fitting?.includes(String(example[field] ?? values.get(field)?.[0])) !== false
      }),
    )
    const isWhole = Object.keys(asSent(model, body)).every((name) => sentAs.has(name))
    if (!isWhole || Object.values(body).some((value) => value instanceof Blob)) return
    const viaApi = await api.ask('POST', `/api/${model.path}/`, { body })
    const filled = new Map([...values, ...entered(asSent(model, body), sentAs)])
    if (viaApi.status !== 201) {
      expect((await send(`${root(model)}add/`, formData(filled))).status).toBe(viaApi.status)
      return
    }
    const { id } = viaApi.json
    const expected = (await api.ask('GET', `/api/${model.path}/${id}/`)).json
    const gone = await api.ask('DELETE', `/api/${model.path}/${id}/`)
    if (gone.status !== 204) return
    const made = await send(`${root(model)}add/`, formData(filled))
    if (made.status === 201) return
    expect(made.status, problems(made)).toBe(303)
    const newId = /saved_id=(\d+)/.exec(made.headers.get('location') ?? '')?.[1]
    const shown = (await api.ask('GET', `/api/${model.path}/${newId}/`)).json
    expect(lasting(shown)).toEqual(lasting(expected))
    compared.push(model.name)
    await api.ask('DELETE', `/api/${model.path}/${newId}/`)
  })
})

/** Relations to objects of several types that a form sets. */
const generic = added.flatMap((model) =>
  (registry.view(model).form ?? []).flatMap(({ fields }) =>
    fields.flatMap((name) => {
      const field = model.fields.get(name)
      return field?.kind === 'genericForeignKey' ? [{ model, name, field }] : []
    }),
  ),
)

it('forms set many relations to objects of several types', () => {
  expect(generic.length).toBeGreaterThan(12)
})

describe.each(generic)('$name in the form for a new $model.name', ({ model, name, field }) => {
  it('is one field', async () => {
    const { text } = await page(`${root(model)}add/`)
    expect(readForm(text).sentAs.get(name)).toBe('typedId')
    expect([...text.matchAll(/<label for="field-[^"]*">([^<]*)/g)].map(([, label]) => label)).not.toContainEqual(
      expect.stringMatching(/object type\b| › /i),
    )
  })

  it('finds an object of each type by its name, with its type', async () => {
    const missing: string[] = []
    for (const target of registry.targets(field)) {
      const [object] = target.path === '' || target.definition.private ? [] : objects.of(target)
      // Of all types that there are, some have objects that only their parts name.
      if (object === undefined || (field.targets.includes('independent') && object.name === undefined)) continue
      const words = String(object.name ?? object.display)
      const query = new URLSearchParams({ relation: `${model.name}.${name}`, q: words, limit: '100' })
      const { json } = await api.ask('GET', `/choices/?${query}`)
      const choice = json.results?.find(({ value }) => String(value) === `${target.name}:${object.id}`)
      if (!String(choice?.context).toLowerCase().endsWith(target.definition.labels[0].toLowerCase()))
        missing.push(`${target.name} ${object.display}`)
    }
    expect(missing).toEqual([])
  })
})

it('most models have an example from which forms can create an object too', () => {
  expect(compared.length).toBeGreaterThan(80)
})

describe.each(named(edited))('the form for a stored %s', (_name, model) => {
  it('changes nothing if no field has been edited', async () => {
    // Fields that depend on another one are hidden for some of the objects.
    const limit = registry.view(model).shownWith ? 30 : 1
    const { json } = await api.ask('GET', `/api/${model.path}/?limit=${limit}`)
    for (const { id } of json.results ?? []) await saveUnedited(model, Number(id))
  })
})

async function saveUnedited(model: Model, id: number): Promise<void> {
  const own = `${root(model)}${id}/`
  const before = await api.ask('GET', `/api/${model.path}/${id}/`)
  const changes = await changeCount()
  const { status, text } = await page(`${own}edit/`)
  expect(status, text).toBe(200)
  const saved = await send(`${own}edit/`, formData(readForm(text).values))
  expect([saved.status, saved.headers.get('location')], problems(saved)).toEqual([
    303,
    `${own}?saved=unchanged&saved_id=${id}`,
  ])
  // As if it had been opened without the texts that fill it in.
  const bare = new Map([...readForm(text).values].filter(([name]) => name !== '_shown'))
  expect((await send(`${own}edit/`, formData(bare))).headers.get('location')).toContain('unchanged')
  expect(await changeCount()).toBe(changes)
  const after = await api.ask('GET', `/api/${model.path}/${id}/`)
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
}

const changeCount = async (): Promise<number> =>
  Number((await api.ask('GET', '/api/core/object-changes/?limit=1')).json.count)

const problems = ({ text }: ApiAnswer): string =>
  `${[...readForm(text).errors].join('\n')}\n${/<div class="notice bad".*?<\/div>/s.exec(text)?.[0] ?? text.slice(0, 300)}`

/** The body of one more example object, which refers to the last ones of other models. */
function newBody(model: Model): Body | undefined {
  const find = (name: string): number | undefined => {
    const list = objects.of(registry.model(name))
    const id: unknown = list.at(-1)?.id
    return typeof id === 'number' ? id : undefined
  }
  try {
    const { body, missing } = exampleBody(registry, model, 6, find, { whole: true })
    return missing.length > 0 ? undefined : body
  } catch {
    return undefined
  }
}

/** Texts of the fields, as a user would type or choose them. */
function entered(body: Body, sentAs: PageForm['sentAs']): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(body).map(([name, value]) => {
      const items = Array.isArray(value) ? value : [value]
      switch (sentAs.get(name)) {
        case 'boolean':
          return [name, value === true ? ['true'] : []]
        case 'json':
          return [name, [value === null ? '' : JSON.stringify(value)]]
        case 'lines':
          return [name, [items.join('\n')]]
        case 'numbers':
          return [name, [items.join(', ')]]
        case 'ranges':
          return [name, [items.map((range) => (range as readonly number[]).join('-')).join(',')]]
        case 'pairs':
          return [name, [items.map((pair) => (pair as readonly string[]).join(': ')).join('\n')]]
        case 'entries':
          return [
            name,
            [
              Object.entries(value ?? {})
                .map((entry) => entry.join(': '))
                .join('\n'),
            ],
          ]
        case 'links':
          return [name, items.map((link) => linkText(name, link as Document))]
        default:
          return [name, items.map((each) => (each === null ? '' : String(each)))]
      }
    }),
  )
}

/** A link to a position of another port, as the form sends it. */
const linkText = (name: string, link: Document): string => {
  const port = name.replace(/s$/, '')
  return `${link[port]}:${link[`${port}_position`] ?? 1}`
}

/** The values that two objects with the same content have in common. */
function lasting(object: Document): Document {
  const own = ['id', 'url', 'display', 'display_url', 'created', 'last_updated', 'key', 'token', 'schema_id']
  // Names of types of objects are not used again.
  own.push('object_type_name', 'table_model_name')
  // The time of the creation in seconds.
  own.push('soa_serial')
  const kept = Object.entries(object).filter(([name]) => !own.includes(name))
  return JSON.parse(JSON.stringify(Object.fromEntries(kept)))
}
