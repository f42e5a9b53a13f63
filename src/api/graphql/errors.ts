import type { GraphQLError } from 'graphql'
import { shortened } from '../../schema/shortened.ts'

/** Why a query, or a part of it, cannot be answered, in the form of the response. */
export interface QueryProblem {
  readonly message: string
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly path?: readonly (string | number)[]
}

/** Thrown if the whole response is a refusal. */
export class QueryRefused extends Error {
  readonly problems: readonly QueryProblem[]

  constructor(problems: readonly QueryProblem[]) {
    super(problems[0]?.message ?? 'The query is refused')
    this.problems = problems
  }
}

/** The response that consists only of problems. */
export const refusalText = (problems: readonly QueryProblem[]): string =>
  JSON.stringify({ data: null, errors: problems })

const LONGEST_MESSAGE = 1_000

/** A message that stays short, however long the values in it are. */
export const shortMessage = (message: string): string => shortened(message, LONGEST_MESSAGE)

/** The form of NetBox, which quotes names with apostrophes. */
export const problemOfError = ({ message, locations, path }: GraphQLError): QueryProblem => ({
  message: quotedAsReference(shortMessage(message)),
  ...(locations && locations.length > 0 && { locations }),
  ...(path && { path }),
})

/** graphql-js puts names in double quotes; values in double quotes are left unchanged. */
const quotedAsReference = (message: string): string =>
  message.replace(/"([^"\s{}()]+(?: \{ \.\.\. \})?)"/g, (all, name: string, at: number) =>
    precedesValue(message.slice(0, at)) ? all : `'${name}'`,
  )

const precedesValue = (text: string): boolean =>
  text.endsWith('found ') || (text.endsWith(': ') && /(?:value|found|got)[: ]/.test(text))
