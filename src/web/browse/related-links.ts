import type { Action } from '../../api/actions/action.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { parametersOf } from '../../read/query/parameters.ts'
import { pluralTitleOf } from '../../schema/class-name.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model, Referrer } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type Content, type Html, html } from '../components/html.ts'
import { humanize } from '../forms/fields/humanize.ts'
import { numeral } from '../texts/translate.ts'

/** Links to the collections that refer to an object and that the user may view, except those known to be empty. */
export function referrerLinks(
  { service, actor }: ApiRequest,
  model: Model,
  object: JsonObject,
): readonly RelatedLink[] {
  const { registry, settings } = service
  const links = model.referrers.flatMap((referrer): readonly RelatedLink[] => {
    // The change log has a separate link.
    if (referrer.model.path === '' || referrer.model.name === SYSTEM.objectChange) return []
    if (!mayAct(actor, 'view', referrer.model, settings)) return []
    const query = referrerQuery(parametersOf(registry, referrer.model), referrer, model, object)
    const count = countOf(model, referrer, object)
    if (query === undefined || count === 0) return []
    const path = `${settings.basePath}/api/${referrer.model.path}/?${query}`
    return [
      {
        label: pluralTitleOf(referrer.model),
        via: humanize(referrer.name),
        count,
        path,
      },
    ]
  })
  const isTwice = ({ label }: RelatedLink) => links.filter((other) => other.label === label).length > 1
  return links
    .map((link) => (isTwice(link) ? link : { ...link, via: undefined }))
    .sort((a, b) => (a.label < b.label ? -1 : 1))
}

/** Filters with which the referring collection lists just those objects; undefined if no filter does. */
export function referrerQuery(
  parameters: ReturnType<typeof parametersOf>,
  { kind, name, field }: Referrer,
  model: Model,
  { id }: JsonObject,
): string | undefined {
  if (kind === 'genericForeignKey') {
    const { type, id: key } = genericKeys(name, field)
    return parameters.has(type) && parameters.has(key) ? `${type}=${model.name}&${key}=${id}` : undefined
  }
  for (const { filter, lookup, name: parameter } of parameters.values()) {
    const isIt = filter.kind === 'related' && filter.path === name && filter.to === model.name
    if (isIt && filter.by === 'id' && lookup === 'exact') return `${parameter}=${id}`
  }
  return undefined
}

/** The object's own count of a referrer; undefined if it has none. */
function countOf(model: Model, referrer: Referrer, object: JsonObject): number | undefined {
  for (const [name, field] of model.fields) {
    const isCount = field.kind === 'counter' || field.kind === 'relatedCount'
    if (!isCount || field.of !== referrer.model.name || field.via !== referrer.name) continue
    const count = object[name]
    return typeof count === 'number' ? count : undefined
  }
  return undefined
}

/** Links to the further endpoints of an object: `trace`, `available-ips`, … */
export function actionLinks(
  { service }: ApiRequest,
  { model, actions }: ObjectEndpoint,
  object: JsonObject,
): readonly RelatedLink[] {
  const start = `${model.path}/:id/`
  return actions.map(({ path, methods }) => {
    const name = path.slice(start.length)
    return {
      label: humanize(name),
      via: Object.keys(methods).join(', '),
      path: `${service.settings.basePath}/api/${model.path}/${object.id}/${name}/`,
    }
  })
}

/** Link to the change records of an object. */
export function changesLink({ service, actor }: ApiRequest, model: Model, object: JsonObject): readonly RelatedLink[] {
  const { registry, settings } = service
  const changes = registry.models.get(SYSTEM.objectChange)
  if (!changes || !model.has('changeLogging') || !mayAct(actor, 'view', changes, settings)) return []
  const query = `changed_object_type=${model.name}&changed_object_id=${object.id}`
  const path = `${settings.basePath}/api/${changes.path}/?${query}`
  return [{ label: 'Changes', path }]
}

/** A link from an object to related objects. */
interface RelatedLink {
  readonly label: string
  /** Field of the relation, if the label does not name it. */
  readonly via?: string | undefined
  readonly count?: number | undefined
  /** With the base path. */
  readonly path: string
}

/** A titled list of links; nothing if there are none. */
export const relatedLinks = (title: string, links: readonly RelatedLink[]): Content =>
  links.length > 0 && html`<section class="related"><h2>${title}</h2><ul>${links.map(linkItem)}</ul></section>`

const linkItem = ({ label, via, count, path }: RelatedLink): Html =>
  html`<li><a href="${path}">${label}</a>${count !== undefined && html` <span class="count">${numeral(count)}</span>`}${via !== undefined && html` <span class="muted">${via}</span>`}</li>`

/** A drawing that the API renders. */
export interface Picture {
  readonly label: string
  readonly path: string
}

export const pictureFigures = (pictures: readonly Picture[]): Content =>
  pictures.length > 0 &&
  html`<section class="pictures" aria-label="Drawings">${pictures.map(
    ({ label, path }) =>
      html`<figure><a href="${path}"><img src="${path}" alt="${label}" loading="lazy"></a><figcaption>${label}</figcaption></figure>`,
  )}</section>`

/** The endpoint of one object: its model, and the actions below its path. */
export interface ObjectEndpoint {
  readonly model: Model
  readonly actions: readonly Action[]
}
