import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { branchedModels } from '../../src/db/branches/branch-tables.ts'
import type { Body } from '../../src/schema/example-values.ts'
import type { Field } from '../../src/schema/field.ts'
import { genericKeys } from '../../src/schema/generic-keys.ts'
import type { Json } from '../../src/schema/json.ts'
import type { Model } from '../../src/schema/registry.ts'
import { isWritable } from '../../src/schema/writable.ts'
import { rowDifferences, storedRows } from '../history/stored-rows.ts'
import { collections, ExampleObjects, formOf, offers } from '../registry/example-objects.ts'
import type { Api, Document } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { runSize } from '../support/run-size.ts'
import { type FieldSample, fieldSamples, LEFT_OUT, RECORDED_AS, SAVED_TWICE } from './field-samples.ts'

const CUSTOM_FIELD = 'sample'
/** Enough rounds for all changes, some of which exclude each other. */
const MOST_ROUNDS = 50
/** Of so many changes, a branch has one: another one each day, as all of them take minutes. */
const STRIDE = runSize({ full: 1, usual: 8 })
const TODAY = Math.floor(Date.now() / 86_400_000) % STRIDE

/** A value that an object accepts for a field instead of its own. */
interface Change {
  readonly model: Model
  readonly name: string
  readonly path: string
  readonly body: Body
}

describe('each writable field of each model', () => {
  let api: Api
  let objects: ExampleObjects
  /** Without the types that are examples themselves. */
  let models: readonly Model[]
  let samples: Readonly<Record<string, FieldSample>>
  const changes: Change[] = []
  /** Objects as they are now, by path. */
  const texts = new Map<string, string>()

  beforeAll(async () => {
    api = await startApiWithOwnModels({ PLUGINS: './examples/maintenance.ts', API_VERSION: '4.7' })
    models = collections(api.service.registry)
    objects = new ExampleObjects(api)
    await objects.createAll()
    const object_types = recordedModels().flatMap(({ name, fields }) => (fields.has('custom_fields') ? name : []))
    await api.make('extras/custom-fields', { name: CUSTOM_FIELD, type: 'text', object_types })
    samples = await fieldSamples(api, objects)
  })
  afterAll(() => api.close())

  const recordedModels = () => models.filter((model) => model.has('changeLogging') && offers(model, 'PATCH'))
  const patch = (path: string, body: Body, headers = {}) => {
    const isForm = Object.values(body).some((value) => value instanceof Blob)
    return api.ask('PATCH', path, { body: isForm ? formOf(body) : body, headers })
  }
  const textOf = async (path: string, headers = {}) => (await api.ask('GET', path, { headers })).text

  /** Bodies that may change the field, with the object that they concern. */
  function* candidates(model: Model, name: string, field: Field): Generator<readonly [number, Body]> {
    const sample = samples[`${model.name}.${name}`]
    const ids = objects.of(model).map(({ id }) => Number(id))
    if (sample) yield [sample.id ?? ids[0] ?? 0, sample.body]
    else for (const id of ids) for (const body of derivedBodies(model, name, field)) yield [id, body]
  }

  /** Bodies with the examples of the field, or with values that its kind allows. */
  function* derivedBodies(model: Model, name: string, field: Field): Generator<Body> {
    const keys = field.kind === 'genericForeignKey' ? Object.values(genericKeys(name, field)) : [name]
    for (const n of [2, 3, 4, 5, 1]) {
      const example = objects.body(model, n, true) ?? {}
      const entries = keys.flatMap((key) => (example[key] === undefined ? [] : [[key, example[key]] as const]))
      if (entries.length === keys.length) yield Object.fromEntries(entries)
    }
    for (const value of derivedValues(field)) yield { [name]: value }
    if ('nullable' in field && field.nullable) yield Object.fromEntries(keys.map((key) => [key, null]))
  }

  const derivedValues = (field: Field): readonly Json[] => {
    const idsOf = (to: string) => objects.of(api.service.registry.model(to)).map(({ id }) => Number(id))
    switch (field.kind) {
      case 'boolean':
        return [true, false]
      case 'choice':
        return field.choices.list.map(({ value }) => value)
      case 'integer':
      case 'decimal':
        return [1, 2, 3]
      case 'text':
        return ['changed', 'https://example.com/changed']
      case 'json':
        return [{ changed: 1 }]
      case 'customFields':
        return [{ [CUSTOM_FIELD]: 'changed' }]
      case 'objectTypes':
        return [['dcim.site']]
      case 'list':
        return [[]]
      case 'foreignKey':
        return idsOf(field.to)
      case 'tags':
      case 'manyToMany':
        return [...idsOf(field.kind === 'tags' ? 'extras.tag' : field.to).map((id) => [id]), []]
      default:
        return []
    }
  }

  /** What is wrong with a change of the field, which is undone again; undefined if no value is accepted. */
  async function faultsOf(model: Model, name: string, field: Field): Promise<readonly string[] | undefined> {
    for (const [id, body] of candidates(model, name, field)) {
      const path = `/api/${model.path}/${id}/`
      const before = texts.get(path) ?? (await textOf(path))
      texts.delete(path)
      const { status, text, headers } = await patch(path, body)
      if (status !== 200) texts.set(path, before)
      if (status !== 200 || !isDifferent(name, before, text)) continue
      changes.push({ model, name, path, body })
      const request = String(headers.get('x-request-id'))
      const records = (await api.ask('GET', `/api/core/object-changes/?request_id=${request}&limit=0`)).json.results
      const record = [...(records ?? [])].find(({ changed_object_type: type }) => String(type) === model.name)
      const undone = await api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {} })
      const after = await textOf(path)
      texts.set(path, after)
      return [
        ...(isRecorded(keysOf(model, name), record) ? [] : ['is not recorded']),
        ...(undone.status === 200 ? [] : [`undo ${undone.text}`]),
        ...((SAVED_TWICE.has(`${model.name}.${name}`) ? withoutTimes(after) === withoutTimes(before) : after === before)
          ? []
          : [`is not restored after ${JSON.stringify(body)}`]),
      ]
    }
    return undefined
  }

  const isDifferent = (name: string, before: string, after: string): boolean => {
    const [one, other] = [before, after].map((text) => (JSON.parse(text) as Document)[name])
    return JSON.stringify(one) !== JSON.stringify(other)
  }

  const isRecorded = (keys: readonly string[], record: Document | undefined): boolean =>
    keys.some((key) => {
      const [before, after] = [record?.prechange_data?.[key], record?.postchange_data?.[key]]
      return before !== undefined && JSON.stringify(before) !== JSON.stringify(after)
    })

  /** Under which names records contain the field. */
  function keysOf(model: Model, name: string): readonly string[] {
    const recorded = RECORDED_AS[`${model.name}.${name}`]
    const field = model.fields.get(name)
    if (recorded !== undefined) return [recorded]
    return field?.kind === 'genericForeignKey' ? Object.values(genericKeys(name, field)) : [name]
  }

  test('has a change record with its values, and an undo that restores them', async () => {
    const faults: string[] = []
    const untried: string[] = []
    for (const model of recordedModels()) {
      for (const [name, field] of model.fields) {
        if (!isWritable(field)) continue
        const wrong = await faultsOf(model, name, field)
        if (wrong) faults.push(...wrong.map((fault) => `${model.name}.${name} ${fault}`))
        else untried.push(`${model.name}.${name}`)
      }
    }
    expect({ faults, untried: untried.sort() }).toEqual({ faults: [], untried: Object.values(LEFT_OUT).flat().sort() })
  })

  test('is listed among the changes of a branch, merged and reverted', async () => {
    const branched = branchedModels(api.service.registry)
    const [definitions, others] = [true, false].map((isDefinition) =>
      changes.filter(({ model }) => branched.has(model.name) && (model.name === 'extras.customfield') === isDefinition),
    )
    expect(others?.length).toBeGreaterThan(800)
    const left: string[] = []
    // A custom field that becomes required makes objects of other models invalid.
    for (const group of [definitions ?? [], others ?? []]) {
      let wanted: readonly Change[] = group.filter((_, index) => index % STRIDE === TODAY)
      for (let round = 1; wanted.length > 0 && round <= MOST_ROUNDS; round++) {
        const merged = await mergeAndRevert(wanted)
        wanted = wanted.filter((change) => !merged.includes(change))
      }
      left.push(...wanted.map(({ model, name }) => `${model.name}.${name}`))
    }
    expect(left, `of every ${STRIDE}th change, beginning with ${TODAY}`).toEqual([])
  })

  let branches = 0

  /** Makes as many of the changes as possible in one branch, and returns them. Main is as before. */
  async function mergeAndRevert(wanted: readonly Change[]): Promise<readonly Change[]> {
    branches += 1
    const name = `Fields ${branches}`
    const { json, status, text } = await api.ask('POST', '/api/core/branches/', { body: { name } })
    expect(status, text).toBe(201)
    const headers = { 'X-NetBox-Branch': String(json.schema_id) }
    const branch = `/api/core/branches/${json.id}/`
    const made: Change[] = []
    for (const change of wanted) {
      const present = await textOf(change.path, headers)
      const { status, text } = await patch(change.path, change.body, headers)
      // Some exclude each other, or have the same effect.
      if (status === 200 && isDifferent(change.name, present, text)) made.push(change)
    }
    const paths = [...new Set(made.map(({ path }) => path))]
    const shown = await Promise.all(paths.map((path) => textOf(path, headers)))
    const before = await storedRows(api.service)
    const body = { override: 'One of the example objects is a policy' }
    const merged = await api.ask('POST', `${branch}merge/`, { body })
    if (merged.status === 409) {
      // Several changes together break a rule that each alone observes: some are left to another branch.
      const refused = [...(merged.json.conflicts ?? [])].map(
        (conflict) => `${conflict.object_type} ${conflict.object_id}`,
      )
      const others = wanted.filter((change) => !refused.includes(objectOf(change)))
      const fewer = others.length < wanted.length ? others : wanted.slice(0, wanted.length >> 1)
      return fewer.length === 0 ? [] : await mergeAndRevert(fewer)
    }
    expect(merged.status, merged.text).toBe(200)
    const listed = [...((await api.ask('GET', `${branch}changes/?limit=0`)).json.results ?? [])]
    for (const change of made) {
      const records = listed.filter((record) => `${record.object_type} ${record.object_id}` === objectOf(change))
      const isListed = records.some((record) => keysOf(change.model, change.name).some((key) => record.changes?.[key]))
      expect(isListed, `${change.model.name}.${change.name}`).toBe(true)
    }
    for (const [index, path] of paths.entries())
      expect(withoutTimes(await textOf(path)), path).toBe(withoutTimes(shown[index] ?? ''))
    const reverted = await api.ask('POST', `${branch}revert/`, { body: {} })
    expect(reverted.status, reverted.text).toBe(200)
    const differences = rowDifferences(before, await storedRows(api.service))
    expect(differences.filter((line) => !line.includes(' core.branch '))).toEqual([])
    return made
  }

  const objectOf = ({ model, path }: Change) => `${model.name} ${path.split('/').at(-2)}`
})

const withoutTimes = (text: string): string => text.replaceAll(/"last_updated":"[^"]*"/g, '')
