import type { ApiRequest } from '../../api/api-request.ts'
import { appEndpoints } from '../../api/endpoints/root.ts'
import { appTitleOf, pluralTitleOf } from '../../schema/class-name.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Registry } from '../../schema/registry.ts'
import { rootPathOf } from '../../schema/root-path.ts'
import { type Content, type Html, html } from '../components/html.ts'
import { humanize } from '../forms/fields/humanize.ts'

/** Endpoints below the root or an app, grouped by app; undefined for any other endpoint. */
export function hierarchyOf({ service, url }: ApiRequest, document: Json | undefined): Content {
  const { registry, settings } = service
  const path = url.pathname.slice(settings.basePath.length)
  const root = path.replace(/^\/api\/|\/$/g, '')
  if (!isJsonObject(document)) return undefined
  const groups = groupsOf(registry, (below) => `${settings.basePath}/api/${below}/`)
  const groupsBelow = root ? groups.filter((group) => group.path.endsWith(`/api/${root}/`)) : groups
  return groupsBelow.length > 0 ? hierarchy(groupsBelow) : undefined
}

/** An endpoint, or an app with its endpoints; the path has the base path. */
interface Entry {
  readonly label: string
  readonly path: string
}

interface Group extends Entry {
  readonly entries: readonly Entry[]
}

/** Apps in columns, each with its endpoints. */
const hierarchy = (groups: readonly Group[]): Html =>
  html`<div class="hierarchy">${groups.map(
    ({ label, path, entries }) =>
      html`<section class="card"><h2><a href="${path}">${label}</a></h2><ul>${entries.map(
        (entry) => html`<li><a href="${entry.path}">${entry.label}</a></li>`,
      )}</ul></section>`,
  )}</div>`

/** All apps with their endpoints; `address` turns paths into links. */
function groupsOf(registry: Registry, address: (path: string) => string): readonly Group[] {
  const models = new Map([...registry.models.values()].map((model) => [model.path, model]))
  const apps = new Map([...registry.models.values()].map((model) => [rootPathOf(model), appTitleOf(model)]))
  return [...appEndpoints(registry)]
    .map(([app, names]) => ({
      label: apps.get(app) ?? humanize(app),
      path: address(app),
      entries: names
        .map((name) => {
          const model = models.get(`${app}/${name}`)
          return {
            label: model ? pluralTitleOf(model) : humanize(name),
            path: address(`${app}/${name}`),
          }
        })
        .sort(byLabel),
    }))
    .filter(({ entries }) => entries.length > 0)
    .sort(byLabel)
}

const byLabel = (a: Entry, b: Entry): number => (a.label < b.label ? -1 : 1)
