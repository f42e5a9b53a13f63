import { mayAct } from '../../auth/restrict.ts'
import type { RelatedLink } from '../../pages/related.ts'
import { parametersOf } from '../../query/parameters.ts'
import { pluralTitleOf } from '../../schema/class-name.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model, Referrer } from '../../schema/registry.ts'
import type { ApiRequest } from '../api-request.ts'
import { humanize } from './humanize.ts'
import type { ObjectEndpoint } from './object-endpoint.ts'

const CHANGES = 'core.objectchange'

/** Collections of what points at an object, for those who may see them; not where there is known to be nothing. */
export function referrerLinks(
  { service, actor }: ApiRequest,
  model: Model,
  object: JsonObject,
): readonly RelatedLink[] {
  const { registry, settings } = service
  const links = model.referrers.flatMap((referrer): readonly RelatedLink[] => {
    // Changes have a link of their own.
    if (referrer.model.path === '' || referrer.model.name === CHANGES) return []
    if (!mayAct(actor, 'view', referrer.model, settings)) return []
    const query = queryFor(parametersOf(registry, referrer.model), referrer, model, object)
    const count = countOf(model, referrer, object)
    if (query === undefined || count === 0) return []
    const path = `${settings.basePath}/api/${referrer.model.path}/?${query}`
    return [
      {
        label: pluralTitleOf(referrer.model),
        via: humanize(referrer.name.replace(/^_/, '')),
        count,
        path,
      },
    ]
  })
  const isTwice = ({ label }: RelatedLink) =>
    links.filter((other) => other.label === label).length > 1
  return links
    .map((link) => (isTwice(link) ? link : { ...link, via: undefined }))
    .sort((a, b) => (a.label < b.label ? -1 : 1))
}

/** Filters by which the referring model's collection shows just those objects; undefined: there are none. */
function queryFor(
  parameters: ReturnType<typeof parametersOf>,
  { kind, name, field }: Referrer,
  model: Model,
  { id }: JsonObject,
): string | undefined {
  if (kind === 'genericForeignKey') {
    const type = field.typeField ?? `${name}_type`
    const key = field.idField ?? `${name}_id`
    return parameters.has(type) && parameters.has(key)
      ? `${type}=${model.name}&${key}=${id}`
      : undefined
  }
  for (const { filter, lookup, name: parameter } of parameters.values()) {
    const isIt = filter.kind === 'related' && filter.path === name && filter.to === model.name
    if (isIt && filter.by === 'id' && lookup === 'exact') return `${parameter}=${id}`
  }
  return undefined
}

/** As the object itself counts them. */
function countOf(model: Model, referrer: Referrer, object: JsonObject): number | undefined {
  for (const [name, field] of model.fields) {
    const isCount = field.kind === 'counter' || field.kind === 'relatedCount'
    if (!isCount || field.of !== referrer.model.name || field.via !== referrer.name) continue
    const count = object[name]
    return typeof count === 'number' ? count : undefined
  }
  return undefined
}

/** What else there is to be had of an object: `trace`, `available-ips`, … */
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

/** The records of an object's changes. */
export function changesLink(
  { service, actor }: ApiRequest,
  model: Model,
  object: JsonObject,
): readonly RelatedLink[] {
  const { registry, settings } = service
  const changes = registry.models.get(CHANGES)
  if (!changes || !model.has('changeLogging') || !mayAct(actor, 'view', changes, settings))
    return []
  const query = `changed_object_type=${model.name}&changed_object_id=${object.id}`
  const path = `${settings.basePath}/api/${changes.path}/?${query}`
  return [{ label: 'Changes', path }]
}
