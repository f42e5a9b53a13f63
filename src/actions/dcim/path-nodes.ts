import { type Node, splitNode } from '../../models/dcim/cabled-object.ts'
import { baseWriter } from '../../output/base.ts'
import { nestedOf } from '../../output/write-rows.ts'
import type { Service } from '../../query/service.ts'
import type { Form } from '../../schema/field.ts'

/**
 * Nested JSON texts of the nodes of paths, each type read at once; nodes that are gone are missing.
 * `forms` replaces the usual form of a type.
 */
export async function nodeTexts(
  service: Service,
  nodes: Iterable<Node>,
  base: string,
  forms: Readonly<Record<string, Form>> = {},
): Promise<ReadonlyMap<Node, string>> {
  const byType = Map.groupBy(new Set(nodes), (node) => splitNode(node).type)
  const withBase = baseWriter(base)
  const texts = new Map<Node, string>()
  await Promise.all(
    [...byType].map(async ([type, list]) => {
      const model = service.registry.models.get(type)
      if (!model) return
      const ids = list.map((node) => splitNode(node).id)
      const found = await nestedOf(service, service.database, model, ids, forms[type])
      for (const [id, text] of found) texts.set(`${type}:${id}`, withBase(text))
    }),
  )
  return texts
}
