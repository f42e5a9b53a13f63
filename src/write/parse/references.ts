import { applyRowSecurity } from '../../read/query/row-security.ts'
import type { Model } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import type { Draft, PendingReference } from '../draft.ts'
import { type AttributeQuery, attributeQuery, attributesText, notFoundBy } from './attribute-query.ts'
import { type FoundByAttributes, findByAttributes } from './find-by-attributes.ts'

/**
 * Resolves all related objects of the batch, with one query for the ids of a model and one for each set of attribute
 * names. A missing object is an error of its field. Attributes find only objects that the user may view; a reference by
 * id needs no permission, as recorded in users.permissions.user-token.
 */
export async function resolveReferences(context: WriteContext, drafts: readonly Draft[]): Promise<void> {
  await resolvePending(
    context,
    drafts.flatMap(({ references }) => references),
  )
}

/** As `resolveReferences`, for references outside of drafts. */
export async function resolvePending(context: WriteContext, references: readonly PendingReference[]): Promise<void> {
  const byModel = Map.groupBy(references, ({ to }) => to)
  const resolved = await Promise.all(
    [...byModel].map(([model, references]) => resolveModel(context, model, references)),
  )
  for (const settle of resolved) settle()
}

/** Resolves the references of one model; returns the function that assigns the ids. */
async function resolveModel(
  context: WriteContext,
  model: Model,
  references: readonly PendingReference[],
): Promise<() => void> {
  const { registry } = context.service
  const ids = new Set<number>()
  const queries = new Map<string, AttributeQuery>()
  const queryOfText = new Map<string, ReturnType<typeof attributeQuery>>()
  const queried = references.map(({ items }) =>
    items.map((item) => {
      if ('id' in item) {
        ids.add(item.id)
        return item.id
      }
      // Many objects of a document refer to the same few.
      const text = JSON.stringify(item.attributes)
      const query = queryOfText.get(text) ?? attributeQuery(registry, model, item.attributes)
      queryOfText.set(text, query)
      if ('key' in query) queries.set(query.key, query)
      return query
    }),
  )
  const [existing, matches] = await Promise.all([
    findIds(context, model, [...ids]),
    findByAttributes(context, model, [...queries.values()]),
  ])
  return () => {
    references.forEach((reference, position) => {
      const results = (queried[position] ?? []).map((item) => resolved(item, existing, matches))
      const complaint = results.find((result) => typeof result !== 'number')
      if (complaint) reference.refuse([complaint.text], complaint)
      else reference.settle(results.filter((result) => typeof result === 'number'))
    })
  }
}

interface Complaint {
  readonly text: string
  readonly isAmbiguous?: boolean
  readonly candidates?: readonly number[]
}

/** The id of the single matching object, or the reason why there is none. */
function resolved(
  item: number | AttributeQuery | { readonly complaint: string },
  existing: ReadonlySet<number>,
  matches: FoundByAttributes,
): number | Complaint {
  if (typeof item === 'number') {
    return existing.has(item) ? item : { text: `Related object not found using the provided numeric ID: ${item}` }
  }
  if ('complaint' in item) return { text: item.complaint }
  const ids = matches.get(item.key) ?? []
  if (ids.length > 1) {
    const text = `More than one object matches the attributes ${attributesText(item.terms)}.`
    return { text, isAmbiguous: true, candidates: ids }
  }
  return ids[0] ?? { text: notFoundBy(item.terms) }
}

/** As in NetBox, ids of hidden objects too, unless a reference to an object would show it. */
async function findIds(
  { transaction, security }: WriteContext,
  model: Model,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const statement = sql`select id from ${table(model)} where id = any(${ids}::bigint[])`
  const rows = await transaction.query<{ id: number }>(
    model.definition.visibleWith ? applyRowSecurity(security, statement) : statement,
  )
  return new Set(rows.map(({ id }) => id))
}
