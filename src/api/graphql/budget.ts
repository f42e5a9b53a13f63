import type { Service } from '../../service.ts'
import { QueryRefused } from './errors.ts'

/** Milliseconds after which a query sends no more statements. */
const TIMEOUT = 60_000

/** Limits of one query. Each function throws QueryRefused beyond its limit. */
export interface Budget {
  /** Notes rows that are read. */
  readonly count: (rows: number) => void
  /** Adds the length of nested text to the budget. */
  readonly grow: (length: number) => void
  /** Throws if the query has run longer than its limit. */
  readonly checkTime: () => void
  /** Compares a number of objects with the limit of rows, without noting it. */
  readonly checkRows: (rows: number) => void
}

/** The budget of a query that begins now. */
export function openBudget({ settings, clock }: Service): Budget {
  const { graphqlMaxRows, graphqlMaxSize } = settings
  const tooManyRows = `The response would contain more than ${graphqlMaxRows} objects.`
  const begin = clock.now()
  return {
    count: limitedSum(graphqlMaxRows, tooManyRows),
    grow: limitedSum(graphqlMaxSize, `The response would have more than ${graphqlMaxSize} characters.`),
    checkTime: () => {
      if (clock.now() - begin <= TIMEOUT) return
      throw refused(`The query takes longer than ${TIMEOUT} milliseconds.`)
    },
    checkRows: (rows) => {
      if (rows > graphqlMaxRows) throw refused(tooManyRows)
    },
  }
}

/** Adds to the sum; throws if it exceeds the limit. */
function limitedSum(most: number, messageOfLimit: string): (more: number) => void {
  let sum = 0
  return (more) => {
    sum += more
    if (sum > most) throw refused(messageOfLimit)
  }
}

const refused = (message: string): QueryRefused => new QueryRefused([{ message }])
