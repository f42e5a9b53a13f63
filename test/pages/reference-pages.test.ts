import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { loadApplication, modelRegistry } from '../../src/app/core.ts'
import { readSettings } from '../../src/config/settings.ts'
import type { Authentication } from '../../src/identity/authenticate.ts'
import { parametersOf } from '../../src/read/query/parameters.ts'
import { pluralTitleOf } from '../../src/schema/class-name.ts'
import { namesInBody } from '../../src/schema/generic-keys.ts'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model } from '../../src/schema/registry.ts'
import type { FieldGroup } from '../../src/schema/view.ts'
import { offeredColumns } from '../../src/transfer/bulk-import/columns.ts'
import { controlLabel } from '../../src/web/forms/edit-controls.ts'
import { combinedContributions } from '../../src/web/frame/contributions.ts'
import { isFor } from '../../src/web/frame/object-content.ts'
import { OBJECT_TABS } from '../../src/web/object/object-contents.ts'
import { pageRoutes } from '../../src/web/routes.ts'

/** A model's pages in NetBox 4.6.8, as far as this test reads them. */
interface ReferenceModel {
  readonly views: readonly { readonly path: string; readonly detail: boolean }[]
  readonly default_columns?: readonly string[]
  readonly columns?: Readonly<Record<string, { readonly accessor?: string }>>
  readonly tabs?: readonly { readonly path: string; readonly label: string }[]
  readonly form_fieldsets?: readonly FieldSet[]
  readonly form_fields?: Fields
  readonly bulk_edit_fieldsets?: readonly FieldSet[]
  readonly bulk_edit_fields?: Fields
  readonly filter_form_fieldsets?: readonly FieldSet[]
  readonly filter_form_fields?: Fields
  readonly import_fields?: Fields
}

type Fields = Readonly<Record<string, { readonly label?: string | null }>>

interface FieldSet {
  readonly name: string | null
  readonly fields: readonly FieldNames[]
}

/** A field, several in one row or as alternatives, a list of objects, or a value that is only displayed. */
type FieldNames =
  | string
  | { readonly inline: readonly string[] }
  | { readonly m2m: string }
  | { readonly tabs: readonly { readonly fields: readonly FieldNames[] }[] }
  | { readonly attribute: string }

const ROOT = join(import.meta.dirname, '../..')
const REFERENCE = join(ROOT, '../shared/reference/ui/models.json.gz')
const DOCUMENT = readFileSync(join(ROOT, 'test/pages/differences.md'), 'utf8')

const models: Readonly<Record<string, ReferenceModel>> = existsSync(REFERENCE)
  ? JSON.parse(gunzipSync(readFileSync(REFERENCE)).toString())
  : {}

const application = await loadApplication(readSettings({}))
const registry = modelRegistry(application)
// Only the addresses are read: nobody signs in, and no page is requested.
const authentication = {} as Authentication
const pages = pageRoutes(registry, { menu: application.menu, added: combinedContributions([]) }, authentication, {
  find: () => undefined,
})

/** The first and second cells of the rows below a heading of the document: `page` → models. */
function rowsBelow(heading: string): readonly string[] {
  const section = DOCUMENT.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `([^`]+)` \| ([^|]+) \| [^|]+ \|$/gm)].flatMap(([, what, names = '']) =>
    names.split(',').map((name) => `${name.trim()} ${what}`),
  )
}

/** Rows of the document on labels: `field` → models → NetBox's label → the label here. */
function labelsBelow(heading: string): readonly string[] {
  const section = DOCUMENT.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \| [^|]+ \|$/gm)].flatMap(
    ([, field, names = '', label, shown]) =>
      names.split(',').map((name) => `${name.trim()} ${field}: ${label}, here ${shown}`),
  )
}

const PLACE = /^(pk|actions)$/

/** Fields that all forms of a kind show in a special place. */
const COMMON = /^(changelog_message|_init_time|pk|background_job|add_tags|remove_tags|q|filter_id|id)$/

/** Fields of a NetBox form with the label of their group, or without a label if the form has no groups. */
type Grouped = readonly (readonly [field: string, group: string | null | undefined])[]

/** The fields that a NetBox form shows: those of its groups, or all fields if it has none. */
function groupedIn(sets: readonly FieldSet[] = [], fields: Fields = {}): Grouped {
  const shown =
    sets.length > 0
      ? sets.flatMap((set) => namesIn(set.fields).map((field) => [field, set.name] as const))
      : Object.keys(fields).map((field) => [field, undefined] as const)
  return shown.filter(([field]) => field in fields && !COMMON.test(field))
}

/** The fields of groups of a view, by the names under which a body or a query has them. */
const ownGroups = (
  groups: readonly FieldGroup[] = [],
  namesOf: (field: string) => readonly string[],
): ReadonlyMap<string, string> =>
  new Map(
    groups.flatMap(({ label, fields }) =>
      fields.flatMap((field) => [field, ...namesOf(field)].map((name) => [name, label] as const)),
    ),
  )

/** The forms of a model: NetBox's, and this service's. */
const FORMS: Readonly<Record<string, (model: Model, reference: ReferenceModel) => readonly [Grouped, Own]>> = {
  'Fields of forms': (model, { form_fieldsets, form_fields }) => [
    groupedIn(form_fieldsets, form_fields),
    ownGroups(registry.view(model).form, (field) => namesInBody(model, field)),
  ],
  'Fields of bulk edit forms': (model, { bulk_edit_fieldsets, bulk_edit_fields }) => [
    groupedIn(bulk_edit_fieldsets, bulk_edit_fields),
    ownGroups(registry.view(model).bulkEdit, (field) => [
      ...namesInBody(model, field),
      ...(model.fields.get(field)?.kind === 'manyToMany' ? [`add_${field}`, `remove_${field}`] : []),
    ]),
  ],
  Filters: (model, { filter_form_fieldsets, filter_form_fields }) => [
    groupedIn(filter_form_fieldsets, filter_form_fields),
    ownGroups(registry.view(model).filters, () => []),
  ],
}

type Own = ReadonlyMap<string, string>

function namesIn(fields: readonly FieldNames[]): readonly string[] {
  return fields.flatMap((each) => {
    if (typeof each === 'string') return [each]
    if ('inline' in each) return each.inline
    if ('m2m' in each) return [each.m2m]
    return 'tabs' in each ? each.tabs.flatMap((tab) => namesIn(tab.fields)) : []
  })
}

/** The models that have pages here and in NetBox. */
function* modelsWithPages(): Iterable<readonly [Model, ReferenceModel]> {
  for (const [name, reference] of Object.entries(models)) {
    const model = registry.models.get(name)
    if (model && pagePathOf(model) !== undefined) yield [model, reference]
  }
}

describe.skipIf(Object.keys(models).length === 0)('the pages of NetBox', () => {
  it('exist, or the documentation explains why they do not', () => {
    const missing = Object.entries(models).flatMap(([name, { views }]) => {
      const model = registry.models.get(name)
      const root = model && pagePathOf(model)
      if (root === undefined) return [`${name} …/`]
      const paths = views.map(({ path, detail }) => `${detail ? ':id/' : ''}${path === '' ? '' : `${path}/`}`)
      return paths.filter((path) => !pages.has(`${root}${path}`)).map((path) => `${name} …/${path}`)
    })
    expect([...new Set(missing)].sort()).toEqual([...rowsBelow('Pages')].sort())
  })

  it('show the same columns by default, or the documentation explains why not', () => {
    const missing = Object.entries(models).flatMap(([name, { default_columns = [], columns = {} }]) => {
      const model = registry.models.get(name)
      if (!model || pagePathOf(model) === undefined) return []
      const shown = registry.view(model).columns.map((path) => path.replaceAll('.', '__'))
      const has = (column: string): boolean =>
        [column, columns[column]?.accessor].some(
          (each) => each !== undefined && shown.some((path) => path === each || path.endsWith(`__${each}`)),
        )
      return default_columns
        .filter((column) => !PLACE.test(column) && !has(column))
        .map((column) => `${name} ${column}`)
    })
    expect(missing.sort()).toEqual([...rowsBelow('Columns')].sort())
  })

  it.each(Object.entries(FORMS))('have the same groups (%s), or the document says why not', (heading, formsOf) => {
    const missing: string[] = []
    const moved: string[] = []
    for (const [model, reference] of modelsWithPages()) {
      const [expected, own] = formsOf(model, reference)
      for (const [field, group] of expected) {
        const ownGroup = own.get(field)
        if (ownGroup === undefined) missing.push(`${model.name} ${field}`)
        else if (group !== undefined && ownGroup.toLowerCase() !== (group ?? '').toLowerCase())
          moved.push(`${model.name} ${field}: ${group}, here ${ownGroup}`)
      }
    }
    expect(missing.sort()).toEqual([...rowsBelow(heading)].sort())
    expect(moved).toEqual([])
  })

  it.each([
    ['Labels of forms', 'form', 'form_fields'],
    ['Labels of bulk edit forms', 'bulkEdit', 'bulk_edit_fields'],
  ] as const)('have the same labels (%s), or the documentation explains why not', (heading, own, given) => {
    const different = [...modelsWithPages()].flatMap(([model, reference]) => {
      const fields = (registry.view(model)[own] ?? []).flatMap((group) => group.fields)
      const names = new Set(fields)
      const withoutUnit = (label: string): string => label.toLowerCase().replace(/ \([^()]*\)$/, '')
      return Object.entries(reference[given] ?? {}).flatMap(([name, { label }]) => {
        if (!label || !names.has(name)) return []
        const shown = controlLabel(registry, model, name)
        return withoutUnit(shown) === withoutUnit(label) ? [] : [`${model.name} ${name}: ${label}, here ${shown}`]
      })
    })
    const explained = labelsBelow(heading)
    expect(different.sort()).toEqual([...explained].sort())
  })

  it('filter by parameters that the API has', () => {
    const unknown = [...modelsWithPages()].flatMap(([model]) => {
      const parameters = parametersOf(registry, model)
      return (registry.view(model).filters ?? [])
        .flatMap(({ fields }) => fields)
        .filter((name) => !parameters.has(name))
        .map((name) => `${model.name} ${name}`)
    })
    expect(unknown).toEqual([])
  })

  it('import the same columns, or the documentation explains why not', () => {
    const missing = [...modelsWithPages()].flatMap(([model, { import_fields = {} }]) => {
      const offered = offeredColumns({ registry, model, customFields: [] })
      return Object.keys(import_fields)
        .filter((name) => name !== '_init_time' && !offered.has(name))
        .map((name) => `${model.name} ${name}`)
    })
    expect(missing.sort()).toEqual([...rowsBelow('Columns of imports')].sort())
  })

  it('have the same tabs with the same labels, or the documentation explains why not', () => {
    const left = new Set(rowsBelow('Pages'))
    const different = Object.entries(models).flatMap(([name, { tabs = [] }]) => {
      const model = registry.models.get(name)
      if (!model || pagePathOf(model) === undefined) return []
      const { tabs: own = [] } = registry.view(model)
      const labels = new Map(own.map((tab) => [tab.path, tab.label ?? pluralTitleOf(registry.model(tab.model))]))
      const common = new Set(OBJECT_TABS.filter((tab) => isFor(tab, model)).map(({ path }) => path))
      return tabs
        .filter(({ path }) => !left.has(`${name} …/:id/${path}/`) && !common.has(path))
        .filter(({ path, label }) => labels.get(path)?.toLowerCase() !== label.toLowerCase())
        .map(({ path, label }) => `${name} ${path}: ${label}, here ${labels.get(path)}`)
    })
    expect(different).toEqual([])
  })
})
