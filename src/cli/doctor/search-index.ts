import type { Database } from '../../db/database.ts'
import { compareSearchIndex } from '../../read/search/compare-index.ts'
import { completeSearchIndex } from '../../read/search/complete-index.ts'
import type { Registry } from '../../schema/registry.ts'
import { counted } from '../../transfer/backup/counted.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Checks that the search index matches the objects. */
export async function checkSearchIndex(database: Database, registry: Registry): Promise<Finding> {
  await completeSearchIndex(database, registry)
  const wrong = await compareSearchIndex(database, registry)
  if (wrong.size === 0) return ok('search', 'The search index matches the objects.')
  const count = [...wrong.values()].reduce((sum, number) => sum + number, 0)
  return warning(
    'search',
    `${counted(count, 'value')} of the search index ${count === 1 ? 'differs' : 'differ'} from the objects: ${[...wrong.keys()].join(', ')}.`,
    'Rows were changed by hand: run reindex.',
  )
}
