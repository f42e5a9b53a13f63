import { DEFINITIONS_CACHING } from '../db/cache/cache.ts'
import type { WriteContext } from './context.ts'

/**
 * Definitions under the key: cached ones, unless the transaction has changed their source data; otherwise those that
 * `load` reads.
 */
export const cachedDefinitions = <T>(
  { service, transaction }: Pick<WriteContext, 'service' | 'transaction'>,
  key: string,
  load: () => Promise<T>,
): Promise<T> =>
  service.cache.get(key, load, {
    ...DEFINITIONS_CACHING,
    without: transaction.uncommitted.statements,
  })
