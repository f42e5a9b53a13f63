import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../schema/json.ts'
import { modelOfUrl } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { visibleIds } from '../data/page-objects.ts'

/** Fields that contain connected objects. */
const ENDS = ['link_peers', 'connected_endpoints'] as const

/**
 * The objects without the far ends that the sender may not view: the API names them in responses, as the reference
 * does. One statement for each model of the far ends, whatever the number of objects.
 */
export async function withVisibleEnds(
  request: ApiRequest,
  objects: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const visible = await visibleAmong(
    request,
    objects.flatMap((object) => ENDS.flatMap((name) => objectsIn(object[name]))),
  )
  const endsIn = (value: Json | undefined): readonly JsonObject[] =>
    objectsIn(value).filter(({ url }) => visible.has(String(url)))
  return objects.map((object) => {
    const ends = ENDS.filter((name) => Array.isArray(object[name]))
    return { ...object, ...Object.fromEntries(ends.map((name) => [name, endsIn(object[name])])) }
  })
}

/** URLs of the objects that the sender may view. */
async function visibleAmong(request: ApiRequest, objects: readonly JsonObject[]): Promise<ReadonlySet<string>> {
  const byModel = new Map<Model, Map<number, string>>()
  for (const { url, id } of objects.filter(isJsonObject)) {
    const model = modelOfUrl(request.service.registry, String(url))
    if (!model) continue
    const urls = byModel.get(model) ?? new Map<number, string>()
    byModel.set(model, urls.set(Number(id), String(url)))
  }
  const visible = await Promise.all(
    [...byModel].map(async ([model, urls]) => {
      const ids = await visibleIds(request, model, [...urls.keys()])
      return ids.flatMap((id) => urls.get(id) ?? [])
    }),
  )
  return new Set(visible.flat())
}
