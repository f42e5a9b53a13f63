import type { ApiRequest } from '../../api/api-request.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { isJsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { TypedObjects } from '../../schema/view.ts'
import { readList, visibleObjects } from '../data/page-objects.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import type { Port } from './port-pairs.ts'

/** Maximum number of ports of one side. */
const MOST_PORTS = 1000

/** One side of a connection of several ports: the ports of one kind of a device. */
export interface ConnectSide {
  readonly device: number
  readonly model: Model
}

/** Names of the parameters of a side. */
export const sideNames = (side: 'a' | 'b') => ({
  device: `${side}_device`,
  type: `${side}_type`,
  first: `${side}_first`,
})

/** The lists of the ends of a cable, by side. */
export function endLists({ service }: ApiRequest): Readonly<Record<'a' | 'b', TypedObjects>> {
  const { objectLists = {} } = service.registry.view(service.registry.model(CABLING_MODELS.cable))
  const { a_terminations: a, b_terminations: b } = objectLists
  if (!a || !b) throw new Error('The view of cables has no lists of ends')
  return { a, b }
}

/** The kinds of ports that a device has. */
export const portTypes = (request: ApiRequest): readonly Model[] => {
  const { registry } = request.service
  const { types, within } = endLists(request).a
  const { key } = registry.model(within.model)
  return types.map((type) => registry.model(type)).filter(({ fields }) => fields.has(key))
}

/** The side in the URL; undefined while it is incomplete. */
export function sideIn(request: ApiRequest, side: 'a' | 'b'): ConnectSide | undefined {
  const { device, type } = sideNames(side)
  const id = Number(lastValue(request.search, device) ?? '')
  const model = portTypes(request).find(({ name }) => name === lastValue(request.search, type))
  return model && Number.isSafeInteger(id) && id > 0 ? { device: id, model } : undefined
}

/** The free ports of the side, in their natural order; none if the sender may not view them. */
export async function freePorts(request: ApiRequest, { device, model }: ConnectSide): Promise<readonly Port[]> {
  const { within, available } = endLists(request).a
  const outer = request.service.registry.model(within.model)
  if ((await visibleObjects(request, outer, [device], ['id'])).size === 0) return []
  const query = new URLSearchParams({
    ...available,
    [within.by]: String(device),
    limit: String(MOST_PORTS),
  })
  const { objects } = await readList(request, model, { query, paths: ['id', 'name', 'type'] })
  return objects.map(({ id, name, type }) => ({
    id: Number(id),
    name: String(name),
    type: isJsonObject(type) ? { value: String(type.value), label: String(type.label) } : undefined,
  }))
}
