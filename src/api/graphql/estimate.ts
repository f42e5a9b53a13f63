import { type FieldNode, type GraphQLObjectType, getArgumentValues } from 'graphql'
import { typeNameOf } from '../../read/graphql-names.ts'
import { countRows } from '../../read/query/count.ts'
import type { Model } from '../../schema/registry.ts'
import type { Execution } from './execution.ts'
import type { InputValues } from './filter-values.ts'
import { selectedFields } from './selection.ts'
import type { Source } from './source.ts'
import { cappedLimit, type Pagination } from './window.ts'

/** A list of objects at the root of a query. */
export interface RootList {
  readonly model: Model
  readonly nodes: readonly FieldNode[]
  readonly args: InputValues
}

/** Number of visible objects of a model. */
type SizeOf = (model: Model) => number

/**
 * Estimated number of objects that the lists and all levels below them would show; 0 if no level below has a list,
 * since pages limit the root. Lists with filters and the levels below them are left out, because nothing is read yet.
 */
export async function estimatedObjects(execution: Execution, roots: readonly RootList[]): Promise<number> {
  const models = new Set<Model>()
  let hasLists = false
  const note: SizeOf = (model) => {
    models.add(model)
    return 1
  }
  for (const root of roots) {
    sumOfList(execution, root, note, () => {
      hasLists = true
    })
  }
  if (!hasLists) return 0
  const { service, security } = execution
  const sizes = new Map(
    await Promise.all(
      [...models].map(
        async (model) => [model, await countRows(service, model, { where: undefined, security })] as const,
      ),
    ),
  )
  const sizeOf: SizeOf = (model) => sizes.get(model) ?? 0
  return roots.reduce((sum, root) => sum + sumOfList(execution, root, sizeOf), 0)
}

function sumOfList(
  execution: Execution,
  { model, nodes, args }: RootList,
  sizeOf: SizeOf,
  onList?: () => void,
): number {
  const rows = Math.min(sizeOf(model), pageOf(execution, args))
  return args.filters ? 0 : rows + sumBelow(execution, model, rows, nodes, sizeOf, onList)
}

/** Number of objects on the levels below some rows of a model. */
function sumBelow(
  execution: Execution,
  model: Model,
  rows: number,
  nodes: readonly FieldNode[],
  sizeOf: SizeOf,
  onList: (() => void) | undefined,
): number {
  const typeName = typeNameOf(model)
  const type = execution.catalogue.schema.getType(typeName) as GraphQLObjectType
  const sources = execution.catalogue.fieldsOf(model)
  const sets = nodes.map(({ selectionSet }) => selectionSet)
  let sum = 0
  for (const fields of selectedFields(execution.parts, typeName, sets).values()) {
    const [node] = fields
    const source = sources.get(node?.name.value ?? '')?.source
    const field = type.getFields()[node?.name.value ?? '']
    if (!node || !field || (source?.kind !== 'toOne' && source?.kind !== 'toMany')) continue
    const args = getArgumentValues(field, node, execution.parts.variables)
    if (args.filters) continue
    const to = source.kind === 'toOne' ? source.to : source.step.to
    const related = Math.min(sizeOf(to), rows * fanOf(execution, model, source, args, sizeOf))
    if (source.kind === 'toMany' && !source.single) onList?.()
    sum += related + sumBelow(execution, to, related, fields, sizeOf, onList)
  }
  return sum
}

/** Number of related objects that one row has, on average. */
function fanOf(
  execution: Execution,
  model: Model,
  source: Extract<Source, { kind: 'toOne' | 'toMany' }>,
  args: InputValues,
  sizeOf: SizeOf,
): number {
  // Objects that several rows share are read only once, so averages cannot predict their number.
  const isOwned = source.kind === 'toMany' && source.step.kind === 'reverseForeignKey'
  if (!isOwned || source.single) return 1
  const average = sizeOf(source.step.to) / Math.max(1, sizeOf(model))
  return Math.min(average, pageOf(execution, args))
}

function pageOf({ service }: Execution, { pagination }: InputValues): number {
  const { limit } = (pagination ?? {}) as Pagination
  return cappedLimit(limit, service.settings.maxPageSize || undefined) ?? Number.POSITIVE_INFINITY
}
