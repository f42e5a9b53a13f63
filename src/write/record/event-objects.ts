import { projectionOf } from '../../read/serialise/projection.ts'
import { fetchObjects } from '../../read/serialise/read-objects.ts'
import { dataWithin } from '../../read/serialise/read-source.ts'
import { defaultFields } from '../../schema/default-fields.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { type Service, serviceIn } from '../../service.ts'
import type { WriteContext } from '../context.ts'

/**
 * JSON texts of the objects with these ids, in the state of the transaction and the form of responses, with relative
 * URLs. As in NetBox, only objects that the request names have the values that the query of their endpoint
 * computes, such as counts of related objects.
 */
export async function eventObjects(
  context: Pick<WriteContext, 'service' | 'transaction'>,
  model: Model,
  ids: readonly number[],
  { isNamed }: { readonly isNamed: boolean },
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const { transaction } = context
  const service = serviceIn(context.service, context.service.settings.apiVersion)
  const { named, dependent } = projectionsOf(service.registry.model(model.name), service)
  const projection = isNamed ? named : dependent
  return await fetchObjects(dataWithin(service, transaction), ids, projection, service.settings.basePath)
}

/** Forms of the model's objects in events: of those that the request names, and of all others. */
const projectionsOf = oncePer((form: Model, service: Service) => {
  const projectionFor = (isNamed: boolean) =>
    projectionOf(service, form, {
      fields: shownFields(form, isNamed),
      brief: false,
      excludeContext: true,
      form: { countsSubtrees: isNamed, hasAliases: false },
    })
  return { named: projectionFor(true), dependent: projectionFor(false) }
})

/** Fields of an event, in the order of the response. */
const shownFields = (model: Model, isNamed: boolean): readonly string[] =>
  defaultFields(model).filter((name) => {
    const field = model.fields.get(name)
    if (field?.kind === 'computed' && field.excludable === true) return false
    // An alias that NetBox does not have.
    if (name === 'display_name' && model.definition.displayName) return false
    if (isNamed) return true
    if (field?.kind === 'derived') return field.ofEndpoint !== true
    if (field?.kind !== 'relatedCount') return true
    return field.cumulative === true || field.belongsToObject === true
  })
