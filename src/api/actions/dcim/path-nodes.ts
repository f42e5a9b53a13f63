import { rowSecurityOf } from '../../../identity/permitted-rows.ts'
import { type Node, splitNode } from '../../../models/dcim/cabling/cabled-object.ts'
import { applyRowSecurity } from '../../../read/query/row-security.ts'
import { baseReplacer } from '../../../read/serialise/base.ts'
import { nestedOf } from '../../../read/serialise/read-objects.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import type { NestedProjection } from '../../../schema/field.ts'
import type { Model } from '../../../schema/registry.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'

/**
 * Nested JSON texts of the nodes of paths, one query per type; nodes that are deleted, or hidden from the user, are
 * missing. `projections` replaces the usual projection of a type.
 */
export async function nodeTexts(
  request: Pick<ApiRequest, 'service' | 'actor' | 'base'>,
  nodes: Iterable<Node>,
  projections: Readonly<Record<string, NestedProjection>> = {},
): Promise<ReadonlyMap<Node, string>> {
  const byType = Map.groupBy(new Set(nodes), (node) => splitNode(node).type)
  const { service } = request
  const withBase = baseReplacer(request.base)
  const texts = new Map<Node, string>()
  await Promise.all(
    [...byType].map(async ([type, list]) => {
      const model = service.registry.models.get(type)
      if (!model) return
      const ids = await visibleIds(
        request,
        model,
        list.map((node) => splitNode(node).id),
      )
      const nested = await nestedOf(committedData(service), model, ids, projections[type])
      for (const id of ids) {
        const text = nested.get(id)
        if (text !== undefined) texts.set(`${type}:${id}`, withBase(text))
      }
    }),
  )
  return texts
}

async function visibleIds(
  { service, actor }: Pick<ApiRequest, 'service' | 'actor'>,
  model: Model,
  ids: readonly number[],
): Promise<readonly number[]> {
  const { registry, settings, database } = service
  const statement = sql`select t.id from ${table(model)} t where t.id = any(${ids}::bigint[])`
  const rows = await database.query<{ id: number }>(
    applyRowSecurity(rowSecurityOf(actor, registry, settings), statement),
  )
  return rows.map(({ id }) => id)
}
