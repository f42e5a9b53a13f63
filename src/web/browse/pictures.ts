import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { humanize } from '../forms/fields/humanize.ts'
import type { ObjectEndpoint } from './object-endpoint.ts'
import type { Picture } from './related.ts'

/** Drawings of an object: one for each variant of its actions that can be rendered as SVG. */
export function picturesOf(
  { service }: ApiRequest,
  { model, actions }: ObjectEndpoint,
  object: JsonObject,
): readonly Picture[] {
  // An object without a connection has nothing to draw.
  if ('cable' in object && object.cable === null && object.wireless_link == null) return []
  const start = `${model.path}/:id/`
  return actions.flatMap(({ path, methods }) => {
    const parameters = methods.GET?.parameters ?? []
    if (!parameters.some((each) => each.name === 'render' && valuesOf(each).includes('svg')))
      return []
    const name = path.slice(start.length)
    const address = `${service.settings.basePath}/api/${model.path}/${object.id}/${name}/?render=svg`
    const side = parameters.find((each) => each.name !== 'render' && valuesOf(each).length > 0)
    if (!side) return [{ label: humanize(name), path: address }]
    return valuesOf(side).map((value) => ({
      label: `${humanize(name)}, ${value}`,
      path: `${address}&${side.name}=${value}`,
    }))
  })
}

/** The values that a parameter's schema lists. */
const valuesOf = ({ schema }: JsonObject): readonly string[] =>
  isJsonObject(schema) && Array.isArray(schema.enum) ? schema.enum.map(String) : []
