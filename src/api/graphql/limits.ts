import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  Lexer,
  type SelectionSetNode,
  Source,
  type Token,
  TokenKind,
} from 'graphql'
import type { Settings } from '../../config/settings.ts'
import type { QueryProblem } from './errors.ts'

export type DocumentLimits = Pick<Settings, 'graphqlMaxAliases' | 'graphqlMaxDepth' | 'graphqlMaxTokens'>

/**
 * Maximum nesting of brackets around a value or selection, besides the levels of relations: each one costs stack in
 * recursive functions.
 */
const MOST_BRACKETS = 100
/** The maximum of the setting, used for "no limit". */
const MOST_LEVELS = 1_000

const mostBrackets = ({ graphqlMaxDepth }: DocumentLimits): number => MOST_BRACKETS + (graphqlMaxDepth || MOST_LEVELS)

const tooDeep = (most: number): QueryProblem => ({
  message: `A query may have at most ${most} levels of brackets after its fragments are expanded.`,
})

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** Why a text is nested too deeply to be parsed: graphql-js's parser is recursive. Reads at most the allowed tokens. */
export function nestingProblem(text: string, limits: DocumentLimits): QueryProblem | undefined {
  const most = mostBrackets(limits)
  const lexer = new Lexer(new Source(text))
  let depth = 0
  try {
    for (let count = 0; count <= limits.graphqlMaxTokens; count++) {
      const { kind } = lexer.advance()
      if (kind === TokenKind.EOF) return undefined
      if (OPENING.has(kind)) depth += 1
      else if (CLOSING.has(kind)) depth -= 1
      if (depth > most) return tooDeep(most)
    }
  } catch {
    // A character that starts no token: the parser stops there too, and reports the reason.
  }
  return undefined
}

/**
 * Why a document is too expensive, before it is validated. Takes time proportional to the document, or to the limit of
 * tokens: later steps may walk fragments at each of their spreads.
 */
export function limitProblems(document: DocumentNode, limits: DocumentLimits): readonly QueryProblem[] {
  const { definitions } = document
  const fragments = new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  )
  const extent = extentProblem(document, fragments, limits)
  return extent ? [extent] : [...aliasProblems(definitions, limits), ...depthProblems(document, fragments, limits)]
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Tokens and levels of selections, with expanded fragments. */
interface Extent {
  readonly tokens: number
  readonly levels: number
}

const NOTHING: Extent = { tokens: 0, levels: 0 }

/** Why the operations with expanded fragments are too long or too deep, or cannot be expanded. */
function extentProblem(
  { definitions }: DocumentNode,
  fragments: Fragments,
  limits: DocumentLimits,
): QueryProblem | undefined {
  const most = mostBrackets(limits)
  const positions = tokenPositions(definitions[0])
  /** Extents of fragments; undefined while they are being measured. */
  const extents = new Map<string, Extent | undefined>()
  let problem: QueryProblem | undefined
  const ofSet = (set: SelectionSetNode | undefined, level: number): Extent => {
    if (!set || problem) return NOTHING
    if (level > most) problem = tooDeep(most)
    let tokens = 0
    let levels = 0
    for (const node of set.selections) {
      const inner =
        node.kind === Kind.FRAGMENT_SPREAD ? ofFragment(node.name.value, level) : ofSet(node.selectionSet, level + 1)
      tokens += inner.tokens
      levels = Math.max(levels, inner.levels)
    }
    if (level + levels > most) problem ??= tooDeep(most)
    return { tokens, levels: levels + 1 }
  }
  const ofDefinition = (definition: DefinitionNode, level: number): Extent => {
    const { tokens, levels } = ofSet(selectionsOf(definition), level + 1)
    return { tokens: tokens + tokensOf(definition, positions), levels }
  }
  const ofFragment = (name: string, level: number): Extent => {
    const fragment = fragments.get(name)
    if (!fragment) return NOTHING
    const cached = extents.get(name)
    if (cached) return cached
    if (extents.has(name)) {
      problem ??= { message: `Cannot spread fragment '${name}' within itself.` }
      return NOTHING
    }
    extents.set(name, undefined)
    const extent = ofDefinition(fragment, level)
    extents.set(name, extent)
    return extent
  }
  let tokens = 0
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) ofFragment(definition.name.value, 0)
    else tokens += ofDefinition(definition, 0).tokens
  }
  const { graphqlMaxTokens } = limits
  if (problem || tokens <= graphqlMaxTokens) return problem
  return {
    message: `The query has more than ${graphqlMaxTokens} words after its fragments are expanded.`,
  }
}

/** Number of each token in the document. The difference of two numbers is the number of tokens of a node. */
function tokenPositions(first: DefinitionNode | undefined): ReadonlyMap<Token, number> {
  const positions = new Map<Token, number>()
  for (let token = first?.loc?.startToken ?? null; token; token = token.next) {
    positions.set(token, positions.size)
  }
  return positions
}

function tokensOf({ loc }: DefinitionNode, positions: ReadonlyMap<Token, number>): number {
  if (!loc) return 0
  return (positions.get(loc.endToken) ?? 0) - (positions.get(loc.startToken) ?? 0) + 1
}

function aliasProblems(
  definitions: readonly DefinitionNode[],
  { graphqlMaxAliases }: DocumentLimits,
): readonly QueryProblem[] {
  const aliases = definitions.reduce((sum, definition) => sum + aliasesIn(selectionsOf(definition)), 0)
  if (graphqlMaxAliases === 0 || aliases <= graphqlMaxAliases) return []
  return [{ message: `${aliases} aliases found. Allowed: ${graphqlMaxAliases}` }]
}

function depthProblems(
  { definitions }: DocumentNode,
  fragments: Fragments,
  { graphqlMaxDepth }: DocumentLimits,
): readonly QueryProblem[] {
  if (graphqlMaxDepth === 0) return []
  return definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return []
    if (!isDeeper(definition.selectionSet, graphqlMaxDepth, fragments)) return []
    const name = definition.name?.value ?? 'anonymous'
    return [{ message: `'${name}' exceeds maximum operation depth of ${graphqlMaxDepth}` }]
  })
}

const selectionsOf = (definition: DefinitionNode): SelectionSetNode | undefined =>
  'selectionSet' in definition ? definition.selectionSet : undefined

function aliasesIn(set: SelectionSetNode | undefined): number {
  return (set?.selections ?? []).reduce((sum, node) => {
    const ofNode = node.kind === Kind.FIELD && node.alias ? 1 : 0
    return sum + ofNode + (node.kind === Kind.FRAGMENT_SPREAD ? 0 : aliasesIn(node.selectionSet))
  }, 0)
}

/**
 * Whether fields are nested in more than `most` other fields. Introspection, whose depth is fixed, is left out. The
 * size of the document has been checked: fragments do not contain themselves, and the expanded document is short.
 */
function isDeeper(set: SelectionSetNode | undefined, most: number, fragments: Fragments): boolean {
  if (!set) return false
  if (most < 0) return true
  return set.selections.some((node) => {
    if (node.kind === Kind.FIELD) {
      if (node.name.value.startsWith('__')) return false
      return isDeeper(node.selectionSet, most - 1, fragments)
    }
    if (node.kind === Kind.INLINE_FRAGMENT) {
      return isDeeper(node.selectionSet, most, fragments)
    }
    return isDeeper(fragments.get(node.name.value)?.selectionSet, most, fragments)
  })
}
