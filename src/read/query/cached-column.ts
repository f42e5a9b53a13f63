import { encode } from '../../db/encode.ts'
import type { Service } from '../../service.ts'
import type { Sql } from '../../sql/fragment.ts'
import type { Row } from '../../sql/queryable.ts'

/** Approximate bytes of a value in a list. */
const VALUE_BYTES = 16
/** Maximum number of texts to which a number is assigned. */
const MOST_TEXTS = 20_000

const numbers = new Map<string, number>()
let lastNumber = 0

/** A number that represents the text of a statement in keys: texts are long, and the same for many values. */
function numberOf(text: string): number {
  const assigned = numbers.get(text)
  if (assigned !== undefined) return assigned
  if (numbers.size >= MOST_TEXTS) numbers.clear()
  lastNumber += 1
  numbers.set(text, lastNumber)
  return lastNumber
}

const keyOf = (kind: 'rows' | 'objects' | 'column' | 'bytes', { text, values }: Sql): string =>
  `${kind} ${numberOf(text)} ${JSON.stringify(values.map(encode))}`

/** The rows of a query; cached by text and values of the statement. */
export async function cachedResult(service: Service, statement: Sql): Promise<unknown[][]> {
  const key = keyOf('rows', statement)
  return await service.cache.get(key, () => service.database.queryArrays(statement), {
    bytes: (rows) => rows.length * (rows[0]?.length ?? 0) * VALUE_BYTES,
  })
}

/** As `cachedResult`, with each row as an object by the names of the columns. */
export async function cachedObjects<T extends Row>(service: Service, statement: Sql): Promise<readonly T[]> {
  const key = keyOf('objects', statement)
  return await service.cache.get(key, (): Promise<readonly T[]> => service.database.query<T>(statement), {
    bytes: (rows) => rows.length * Object.keys(rows[0] ?? {}).length * VALUE_BYTES,
  })
}

/** The first column of a query's rows; cached by text and values of the statement. */
export async function cachedColumn(service: Service, statement: Sql): Promise<readonly unknown[]> {
  const key = keyOf('column', statement)
  return await service.cache.get(key, (): Promise<readonly unknown[]> => service.database.queryColumn(statement), {
    bytes: (values) => values.length * VALUE_BYTES,
  })
}

/** As `cachedColumn`, for ids and counts. */
export const cachedNumbers = async (service: Service, statement: Sql): Promise<readonly number[]> =>
  (await cachedColumn(service, statement)) as readonly number[] // the type to which bigint columns are decoded

/** The bytes that a query returns in hexadecimal, none for null; cached by text and values of the statement. */
export const cachedBytes = async (service: Service, statement: Sql): Promise<Buffer> =>
  await service.cache.get(
    keyOf('bytes', statement),
    async () => {
      const [digits] = await service.database.queryColumn(statement)
      return Buffer.from(typeof digits === 'string' ? digits : '', 'hex')
    },
    { bytes: ({ length }) => length },
  )
