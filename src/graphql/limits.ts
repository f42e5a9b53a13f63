import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { Settings } from '../config/settings.ts'
import type { QueryProblem } from './errors.ts'

/** Why a document asks for too much, before anything of it is executed. */
export function limitProblems(
  { definitions }: DocumentNode,
  { graphqlMaxAliases, graphqlMaxDepth }: Pick<Settings, 'graphqlMaxAliases' | 'graphqlMaxDepth'>,
): readonly QueryProblem[] {
  const fragments = new Map(
    definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
    ),
  )
  const aliases = definitions.reduce((sum, each) => sum + aliasesIn(selectionsOf(each)), 0)
  const problems: QueryProblem[] = []
  if (graphqlMaxAliases > 0 && aliases > graphqlMaxAliases) {
    problems.push({ message: `${aliases} aliases found. Allowed: ${graphqlMaxAliases}` })
  }
  for (const each of definitions) {
    if (graphqlMaxDepth === 0 || each.kind !== Kind.OPERATION_DEFINITION) continue
    const name = each.name?.value ?? 'anonymous'
    if (isDeeper(each.selectionSet, graphqlMaxDepth, fragments, new Set())) {
      const message = `'${name}' exceeds maximum operation depth of ${graphqlMaxDepth}`
      problems.push({ message })
    }
  }
  return problems
}

const selectionsOf = (definition: DefinitionNode): SelectionSetNode | undefined =>
  'selectionSet' in definition ? definition.selectionSet : undefined

function aliasesIn(set: SelectionSetNode | undefined): number {
  return (set?.selections ?? []).reduce((sum, node) => {
    const own = node.kind === Kind.FIELD && node.alias ? 1 : 0
    return sum + own + (node.kind === Kind.FRAGMENT_SPREAD ? 0 : aliasesIn(node.selectionSet))
  }, 0)
}

/** Whether fields stand below more than `most` others. Introspection, which has a depth of its own, is left out. */
function isDeeper(
  set: SelectionSetNode | undefined,
  most: number,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  visited: ReadonlySet<string>,
): boolean {
  if (!set) return false
  if (most < 0) return true
  return set.selections.some((node) => {
    if (node.kind === Kind.FIELD) {
      if (node.name.value.startsWith('__')) return false
      return isDeeper(node.selectionSet, most - 1, fragments, visited)
    }
    if (node.kind === Kind.INLINE_FRAGMENT) {
      return isDeeper(node.selectionSet, most, fragments, visited)
    }
    const { value } = node.name
    if (visited.has(value)) return false
    const next = new Set([...visited, value])
    return isDeeper(fragments.get(value)?.selectionSet, most, fragments, next)
  })
}
