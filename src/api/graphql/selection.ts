import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

/** The parts of a query that its selections refer to. */
export interface QueryParts {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: Readonly<Record<string, unknown>>
  /** Whether objects of the type satisfy the type condition: the type itself, or a union that contains it. */
  readonly isOf: (type: string, condition: string) => boolean
}

/** The requested fields of objects of a type, by name in the response; nodes with the same name are merged. */
export function selectedFields(
  parts: QueryParts,
  type: string,
  sets: readonly (SelectionSetNode | undefined)[],
): ReadonlyMap<string, readonly FieldNode[]> {
  const fields = new Map<string, FieldNode[]>()
  const visited = new Set<string>()
  const visit = (selections: readonly SelectionNode[]): void => {
    for (const node of selections) {
      if (!isIncluded(node, parts.variables)) continue
      if (node.kind === 'Field') {
        const key = node.alias?.value ?? node.name.value
        const merged = fields.get(key)
        if (merged) merged.push(node)
        else fields.set(key, [node])
        continue
      }
      const fragment = node.kind === 'FragmentSpread' ? spread(parts, visited, node.name.value) : node
      if (!fragment) continue
      const condition = fragment.typeCondition?.name.value
      if (condition === undefined || parts.isOf(type, condition)) {
        visit(fragment.selectionSet.selections)
      }
    }
  }
  for (const set of sets) visit(set?.selections ?? [])
  return fields
}

/** A fragment whose spread has not been visited yet. */
function spread({ fragments }: QueryParts, visited: Set<string>, name: string): FragmentDefinitionNode | undefined {
  if (visited.has(name)) return undefined
  visited.add(name)
  return fragments.get(name)
}

function isIncluded(node: SelectionNode, variables: QueryParts['variables']): boolean {
  if (!node.directives || node.directives.length === 0) return true
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false
}
