import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { oncePer } from '../../schema/once-per.ts'
import type { Catalogue } from './catalogue.ts'
import { problemOfError, QueryRefused } from './errors.ts'
import { type DocumentLimits, limitProblems, nestingProblem } from './limits.ts'

/** Thrown for a name of an operation that the document does not have. */
export class UnknownOperation extends Error {}

/** A query that can be executed. */
export interface PreparedQuery {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: Readonly<Record<string, unknown>>
  /** Names of the members of each union. */
  readonly unions: ReadonlyMap<string, ReadonlySet<string>>
}

/** Documents that were parsed and validated, by their text. */
const documentsOf = oncePer((_schema: GraphQLSchema) => new LRUCache<string, DocumentNode>({ max: 1_000 }))

/**
 * The query, parsed and validated once for each text. Throws QueryRefused for one that cannot be executed,
 * UnknownOperation for an operation that does not exist.
 */
export function prepareQuery(
  { schema }: Catalogue,
  limits: DocumentLimits,
  text: string,
  operationName: string | undefined,
  inputs: Readonly<Record<string, unknown>> = {},
): PreparedQuery {
  const documents = documentsOf(schema)
  const cached = documents.get(text)
  const document = cached ?? validated(schema, limits, text)
  if (!cached) documents.set(text, document)
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  const operation =
    operationName === undefined ? operations[0] : operations.find(({ name }) => name?.value === operationName)
  if (!operation) throw new UnknownOperation(`Unknown operation named "${operationName}".`)
  if (operation.operation !== 'query') throw new QueryRefused([noSuch(operation)])
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], inputs, {
    maxErrors: 50,
  })
  if (coerced.errors) throw new QueryRefused(coerced.errors.map(problemOfError))
  const fragments = document.definitions.flatMap((definition) =>
    definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
  )
  return {
    ...{ document, operation, variables: coerced.coerced, unions: unionsOf(schema) },
    fragments: new Map(fragments),
  }
}

/** graphql-js's whole message if comparing fields with the same name in the response takes too many steps. */
const GAVE_UP = 'Validation aborted.'
const REPETITIVE = { message: 'The query asks for the same fields too often to be checked.' }

function validated(schema: GraphQLSchema, limits: DocumentLimits, text: string): DocumentNode {
  const nesting = nestingProblem(text, limits)
  if (nesting) throw new QueryRefused([nesting])
  try {
    const document = parse(text, { maxTokens: limits.graphqlMaxTokens })
    const beyond = limitProblems(document, limits)
    if (beyond.length > 0) throw new QueryRefused(beyond)
    const errors = validate(schema, document)
    if (errors.some(({ message }) => message === GAVE_UP)) throw new QueryRefused([REPETITIVE])
    if (errors.length > 0) throw new QueryRefused(errors.map(problemOfError))
    return document
  } catch (error) {
    if (error instanceof GraphQLError) throw new QueryRefused([problemOfError(error)])
    throw error
  }
}

const noSuch = (operation: OperationDefinitionNode) =>
  problemOfError(
    new GraphQLError(`Schema is not configured to execute ${operation.operation} operation.`, {
      nodes: operation,
    }),
  )

const unionsOf = oncePer((schema: GraphQLSchema) => {
  const unions = Object.values(schema.getTypeMap()).filter(isUnionType)
  return new Map(unions.map((union) => [union.name, new Set(union.getTypes().map(({ name }) => name))]))
})
