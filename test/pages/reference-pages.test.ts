import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { loadApplication, modelRegistry } from '../../src/app.ts'
import type { Authentication } from '../../src/auth/authenticate.ts'
import { readSettings } from '../../src/config/settings.ts'
import { pageRoutes } from '../../src/http/pages/routes.ts'
import { pagePathOf } from '../../src/schema/page-path.ts'

/** A model's pages in NetBox 4.6.8, as far as this test reads them. */
interface ReferenceModel {
  readonly views: readonly { readonly path: string; readonly detail: boolean }[]
  readonly default_columns?: readonly string[]
  readonly columns?: Readonly<Record<string, { readonly accessor?: string }>>
}

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
})
