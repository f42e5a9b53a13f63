import { cachedPreferencesOf } from '../../api/actions/users/config.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject } from '../../schema/json.ts'
import type { Point } from './layout.ts'

/** Name under which the positions of a map are stored in the user's preferences: its filters, in order. */
export const positionsKey = (filters: URLSearchParams): string => {
  const sorted = new URLSearchParams(filters)
  sorted.sort()
  return sorted.toString() || 'all'
}

/** The layout, with the positions of nodes that the user has moved (`topology.positions` of the preferences). */
export async function withSavedPositions(
  { actor, service }: ApiRequest,
  key: string,
  layout: ReadonlyMap<string, Point>,
): Promise<ReadonlyMap<string, Point>> {
  if (actor.kind !== 'user') return layout
  const { topology } = await cachedPreferencesOf(service, actor.id)
  const positions = isJsonObject(topology) ? topology.positions : undefined
  const saved = isJsonObject(positions) ? positions[key] : undefined
  if (!isJsonObject(saved)) return layout
  return new Map([...layout].map(([node, point]) => [node, pointIn(saved[node]) ?? point]))
}

/** Pixels; positions beyond them are ignored. */
const FARTHEST = 100_000

function pointIn(value: unknown): Point | undefined {
  if (!Array.isArray(value)) return undefined
  const [x, y]: readonly unknown[] = value
  const isNear = (each: unknown): each is number =>
    typeof each === 'number' && Math.abs(each) < FARTHEST
  return isNear(x) && isNear(y) ? [Math.round(x), Math.round(y)] : undefined
}
