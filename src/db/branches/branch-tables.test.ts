import { expect, it } from 'vitest'
import { API_VERSIONS } from '../../base/api-version.ts'
import { MODELS } from '../../models/index.ts'
import { buildRegistry } from '../../schema/registry.ts'
import { versionedTables } from '../versions/versioned-tables.ts'
import { branchedTables } from './branch-tables.ts'

const latest = buildRegistry(MODELS)

// Objects of a model that a version lacks appear in its lists, as the objects of tags or journal entries.
it.each(API_VERSIONS)('version %s of the API reads all tables of the past and of branches', (version) => {
  const registry = latest.inVersion(version)
  expect([...versionedTables(registry).keys()]).toEqual([...versionedTables(latest).keys()])
  expect([...branchedTables(registry).keys()]).toEqual([...branchedTables(latest).keys()])
})
