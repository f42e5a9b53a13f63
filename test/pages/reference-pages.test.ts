import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { loadApplication, modelRegistry } from '../../src/app.ts'
import type { Authentication } from '../../src/auth/authenticate.ts'
import { readSettings } from '../../src/config/settings.ts'
import { tabPathsOf } from '../../src/http/pages/object/tabs.ts'
import { pageRoutes } from '../../src/http/pages/routes.ts'
import { pluralTitleOf } from '../../src/schema/class-name.ts'
import { namesInBody } from '../../src/schema/generic-keys.ts'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model } from '../../src/schema/registry.ts'

/** A model's pages in NetBox 4.6.8, as far as this test reads them. */
interface ReferenceModel {
  readonly views: readonly { readonly path: string; readonly detail: boolean }[]
  readonly default_columns?: readonly string[]
  readonly columns?: Readonly<Record<string, { readonly accessor?: string }>>
  readonly tabs?: readonly { readonly path: string; readonly label: string }[]
  readonly form_fieldsets?: readonly {
    readonly name: string | null
    readonly fields: readonly FieldNames[]
  }[]
  readonly form_fields?: Readonly<Record<string, unknown>>
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
const DOCUMENT = readFileSync(join(ROOT, 'docs/pages-differences.md'), 'utf8')

const models: Readonly<Record<string, ReferenceModel>> = existsSync(REFERENCE)
  ? JSON.parse(gunzipSync(readFileSync(REFERENCE)).toString())
  : {}

const application = await loadApplication(readSettings({ DATA_DIR: 'memory://' }))
const registry = modelRegistry(application)
// Only the addresses are read: nothing signs in, and no page is asked for.
const authentication = {} as Authentication
const pages = pageRoutes(registry, application.menu, authentication, { find: () => undefined })

/** The first and second cells of the rows below a heading of the document: `page` → models. */
function rowsBelow(heading: string): readonly string[] {
  const section = DOCUMENT.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `([^`]+)` \| ([^|]+) \| [^|]+ \|$/gm)].flatMap(
    ([, what, names = '']) => names.split(',').map((name) => `${name.trim()} ${what}`),
  )
}

const PLACE = /^(pk|actions)$/

/** Fields of forms that are no fields of the object: the note for the change log, which all forms have, and a mark of time. */
const NO_FIELD = /^(changelog_message|_init_time)$/

/** The fields of the form of a model with the label of their group. */
function formOf(model: Model): ReadonlyMap<string, string> {
  const { form = [] } = registry.view(model)
  return new Map(
    form.flatMap(({ label, fields }) =>
      fields.flatMap((field) =>
        [field, ...namesInBody(model, field)].map((name) => [name, label] as const),
      ),
    ),
  )
}

function namesIn(fields: readonly FieldNames[]): readonly string[] {
  return fields.flatMap((each) => {
    if (typeof each === 'string') return [each]
    if ('inline' in each) return each.inline
    if ('m2m' in each) return [each.m2m]
    return 'tabs' in each ? each.tabs.flatMap((tab) => namesIn(tab.fields)) : []
  })
}

describe.skipIf(Object.keys(models).length === 0)('the pages of NetBox', () => {
  it('exist, or the document says why they do not', () => {
    const missing = Object.entries(models).flatMap(([name, { views }]) => {
      const model = registry.models.get(name)
      const root = model && pagePathOf(model)
      if (root === undefined) return [`${name} …/`]
      const paths = views.map(
        ({ path, detail }) => `${detail ? ':id/' : ''}${path === '' ? '' : `${path}/`}`,
      )
      return paths.filter((path) => !pages.has(`${root}${path}`)).map((path) => `${name} …/${path}`)
    })
    expect([...new Set(missing)].sort()).toEqual([...rowsBelow('Pages')].sort())
  })

  it('show the same columns by default, or the document says why not', () => {
    const missing = Object.entries(models).flatMap(
      ([name, { default_columns = [], columns = {} }]) => {
        const model = registry.models.get(name)
        if (!model || pagePathOf(model) === undefined) return []
        const shown = registry.view(model).columns.map((path) => path.replaceAll('.', '__'))
        const has = (column: string): boolean =>
          [column, columns[column]?.accessor].some(
            (each) =>
              each !== undefined &&
              shown.some((path) => path === each || path.endsWith(`__${each}`)),
          )
        return default_columns
          .filter((column) => !PLACE.test(column) && !has(column))
          .map((column) => `${name} ${column}`)
      },
    )
    expect(missing.sort()).toEqual([...rowsBelow('Columns')].sort())
  })

  it('have the same fields in their forms, in the same groups, or the document says why not', () => {
    const missing: string[] = []
    const moved: string[] = []
    for (const [name, { form_fieldsets: sets = [], form_fields = {} }] of Object.entries(models)) {
      const model = registry.models.get(name)
      if (!model || pagePathOf(model) === undefined) continue
      const form = formOf(model)
      const expected =
        sets.length > 0
          ? sets.flatMap((set) => namesIn(set.fields).map((field) => [field, set.name] as const))
          : Object.keys(form_fields).map((field) => [field, undefined] as const)
      for (const [field, group] of expected.filter(([each]) => !NO_FIELD.test(each))) {
        const own = form.get(field)
        if (own === undefined) missing.push(`${name} ${field}`)
        else if (group !== undefined && own.toLowerCase() !== (group ?? '').toLowerCase())
          moved.push(`${name} ${field}: ${group}, here ${own}`)
      }
    }
    expect(missing.sort()).toEqual([...rowsBelow('Fields of forms')].sort())
    expect(moved).toEqual([])
  })

  it('have the same tabs under the same labels, or the document says why not', () => {
    const left = new Set(rowsBelow('Pages'))
    const different = Object.entries(models).flatMap(([name, { tabs = [] }]) => {
      const model = registry.models.get(name)
      if (!model || pagePathOf(model) === undefined) return []
      const { tabs: own = [] } = registry.view(model)
      const labels = new Map(
        own.map((tab) => [tab.path, tab.label ?? pluralTitleOf(registry.model(tab.model))]),
      )
      const common = new Set(tabPathsOf(model))
      return tabs
        .filter(({ path }) => !left.has(`${name} …/:id/${path}/`) && !common.has(path))
        .filter(({ path, label }) => labels.get(path)?.toLowerCase() !== label.toLowerCase())
        .map(({ path, label }) => `${name} ${path}: ${label}, here ${labels.get(path)}`)
    })
    expect(different).toEqual([])
  })
})
