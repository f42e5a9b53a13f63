import { earlierDuplicates } from '../../schema/earlier-duplicates.ts'
import { behaviour, type Rule } from '../../schema/rule.ts'
import { fillScopePlaces } from '../dcim/scope.rules.ts'
import { scopeTypeNeedsObject } from '../dcim/scope-type.rules.ts'
import { enforcedIn } from './enforced-uniqueness.ts'
import { prefix } from './prefix.ts'
import { keepHierarchy, rebuildPrefixHierarchy } from './prefix-hierarchy.ts'

type PrefixRule = Rule<typeof prefix.fields>

const refuseWholeInternet: PrefixRule = ({ next }) =>
  next.prefix.endsWith('/0') ? { prefix: 'A prefix cannot be the whole address space.' } : undefined

const duplicatesBefore = earlierDuplicates<typeof prefix.fields>(
  (row) => `${row.vrf} ${row.prefix}`,
)

const refuseDuplicate: PrefixRule = async (change) => {
  const { next, batch, read, settings } = change
  const table = await enforcedIn(next.vrf, read, settings)
  if (!table) return
  const changing = new Set(batch.map(({ id }) => id))
  const stored = await read.all(prefix, { prefix: next.prefix, vrf: next.vrf })
  const duplicates = [...stored.filter(({ id }) => !changing.has(id)), ...duplicatesBefore(change)]
  const [duplicate] = duplicates
  if (!duplicate) return
  // A duplicate in the same request has no id yet.
  const isShown = duplicate.id <= 0 || (await read.shows(prefix, duplicate.id))
  return {
    prefix: isShown
      ? `Duplicate prefix found in ${table}: ${next.prefix}`
      : 'This value cannot be used.',
  }
}

export const prefixBehaviour = behaviour(prefix, {
  serializerRules: [scopeTypeNeedsObject],
  modelRules: [refuseWholeInternet, refuseDuplicate],
  beforeSave: [fillScopePlaces],
  afterWrite: [keepHierarchy],
  rebuild: rebuildPrefixHierarchy,
})
