import type { Service } from '../service.ts'
import type { Sql } from '../sql/fragment.ts'
import type { QueryOptions } from '../sql/queryable.ts'
import { encode } from '../storage/encode.ts'

/** Bytes of a value in a list, about. */
const VALUE_BYTES = 16

/** The rows of a query; cached by text and values of the statement. */
export async function cachedResult(service: Service, statement: Sql): Promise<unknown[][]> {
  const key = `rows ${JSON.stringify([statement.text, statement.values.map(encode)])}`
  return await service.cache.get(key, () => service.database.queryArrays(statement), {
    bytes: (rows) => rows.length * (rows[0]?.length ?? 0) * VALUE_BYTES,
  })
}

/** The first column of a query's rows; cached by text and values of the statement. */
export async function cachedColumn(
  service: Service,
  statement: Sql,
  options?: QueryOptions,
): Promise<readonly unknown[]> {
  const key = JSON.stringify([statement.text, statement.values.map(encode)])
  return await service.cache.get(
    key,
    (): Promise<readonly unknown[]> => service.database.queryColumn(statement, options),
    { bytes: (values) => values.length * VALUE_BYTES },
  )
}

/** As `cachedColumn`, for ids and counts. */
export const cachedNumbers = async (
  service: Service,
  statement: Sql,
  options?: QueryOptions,
): Promise<readonly number[]> =>
  (await cachedColumn(service, statement, options)) as readonly number[] // what bigint columns are decoded to
