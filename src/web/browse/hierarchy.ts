import type { ApiRequest } from '../../api/api-request.ts'
import { appEndpoints } from '../../api/endpoints/root.ts'
import { appTitleOf, pluralTitleOf } from '../../schema/class-name.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Registry } from '../../schema/registry.ts'
import { rootPathOf } from '../../schema/root-path.ts'
import { type Content, type Html, html } from '../components/html.ts'
import { humanize } from '../forms/fields/humanize.ts'
import { numeral } from '../texts/translate.ts'

/** Endpoints below the root or an app, grouped by app; undefined for any other endpoint. */
export function hierarchyOf({ service, url }: ApiRequest, document: Json | undefined): Content {
  const { registry, settings } = service
  const path = url.pathname.slice(settings.basePath.length)
  const root = path.replace(/^\/api\/|\/$/g, '')
  if (!isJsonObject(document)) return undefined
  const groups = groupsOf(registry, (below) => `${settings.basePath}/api/${below}/`)
  const shown = root ? groups.filter((group) => group.path.endsWith(`/api/${root}/`)) : groups
  return shown.length > 0 ? hierarchy(shown) : undefined
}

/** All apps with their endpoints, restricted to `known` if present; `address` turns paths into links. */
export function groupsOf(
  registry: Registry,
  address: (path: string) => string,
  known?: ReadonlySet<string>,
): readonly HierarchyGroup[] {
  const models = new Map([...registry.models.values()].map((model) => [model.path, model]))
  const apps = new Map(
    [...registry.models.values()].map((model) => [rootPathOf(model), appTitleOf(model)]),
  )
  return [...appEndpoints(registry)]
    .map(([app, names]) => ({
      label: apps.get(app) ?? humanize(app),
      path: address(app),
      entries: names
        .map((name) => `${app}/${name}`)
        .filter((path) => known?.has(path) ?? true)
        .map((path) => {
          const model = models.get(path)
          const label = model ? pluralTitleOf(model) : humanize(path.slice(app.length + 1))
          return { label, path: address(path) }
        })
        .sort((a, b) => (a.label < b.label ? -1 : 1)),
    }))
    .filter(({ entries }) => entries.length > 0)
    .sort((a, b) => (a.label < b.label ? -1 : 1))
}

/** An app with its endpoints. */
export interface HierarchyGroup {
  readonly label: string
  /** With the base path. */
  readonly path: string
  readonly entries: readonly {
    readonly label: string
    readonly path: string
    readonly count?: number
  }[]
}

/** Apps in columns, each with its endpoints. */
export const hierarchy = (groups: readonly HierarchyGroup[]): Html =>
  html`<div class="hierarchy">${groups.map(
    ({ label, path, entries }) =>
      html`<section class="card"><h2><a href="${path}">${label}</a></h2><ul>${entries.map(
        (entry) =>
          html`<li><a href="${entry.path}">${entry.label}</a>${entry.count !== undefined && html` <span class="count">${numeral(entry.count)}</span>`}</li>`,
      )}</ul></section>`,
  )}</div>`
