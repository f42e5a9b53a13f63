import { AsyncLocalStorage } from 'node:async_hooks'
import { readColumns } from '../../sql/column-names.ts'
import type { Sql } from '../../sql/fragment.ts'
import type { Changes } from './change-log.ts'
import { type Dependencies, type ModelDependency, ReadDependencies } from './dependencies.ts'

/** The statements and cached values that a piece of work has read so far. */
interface ReadSet {
  readonly statements: Set<Sql>
  /** Dependencies of the cached values that were used. */
  readonly dependencies: Set<Dependencies>
  isCacheable: boolean
}

const readSets = new AsyncLocalStorage<ReadSet>()

/** The result of some work; `dependencies` are undefined if it must not be cached. */
export interface Tracked<T> {
  readonly result: T
  readonly dependencies: Dependencies | undefined
}

/**
 * Runs `work` and returns its result with everything that it and its callees read: dependencies are observed, not
 * declared. The caller passes them on with `noteDependencies` if the result becomes part of another result. `ownRows`:
 * ids whose row reads are left out, because each row has its own dependencies.
 */
export async function trackDependencies<T>(
  log: Changes,
  work: () => Promise<T>,
  ownRows?: readonly number[],
): Promise<Tracked<T>> {
  const since = log.version
  const reads: ReadSet = {
    statements: new Set(),
    dependencies: new Set(),
    isCacheable: true,
  }
  const result = await readSets.run(reads, work).catch((error: unknown) => {
    // A result that the caller derives from the failure must not be cached, because it is unknown when the query would
    // succeed.
    markUncacheable()
    throw error
  })
  if (!reads.isCacheable || log.isSuspended || isAnyVolatile(reads)) return { result, dependencies: undefined }
  const models = modelDependencies(reads, ownRows)
  const dependencies = new ReadDependencies(log, since, models, [...reads.dependencies])
  return { result, dependencies: dependencies.isFresh() ? dependencies : undefined }
}

function isAnyVolatile({ statements }: ReadSet): boolean {
  for (const { isVolatile } of statements) if (isVolatile) return true
  return false
}

function modelDependencies(
  { statements }: ReadSet,
  ownRows: readonly number[] | undefined,
): ReadonlyMap<string, ModelDependency> {
  const dependencies = new Map<string, ModelDependency>()
  const of = (model: string): ModelDependency => {
    const dependency = dependencies.get(model) ?? { isWhole: false, rows: [], columns: [] }
    dependencies.set(model, dependency)
    return dependency
  }
  for (const fragment of statements) {
    const { reads, rowReads } = fragment.statement.uses
    for (const { model, ids } of rowReads) if (ids !== ownRows) of(model).rows.push(ids)
    if (reads.length === 0) continue
    const { names, isAll } = readColumns(fragment)
    for (const model of reads) {
      if (isAll) of(model).isWhole = true
      else of(model).columns.push(names)
    }
  }
  return dependencies
}

/** Runs work whose reads the caller notes itself. */
export const untracked = <T>(work: () => T): T => readSets.exit(work)

/** Called with each statement that is executed. */
export function noteStatement(statement: Sql): void {
  readSets.getStore()?.statements.add(statement)
}

/** The dependencies of the row that is being computed. */
let rowParts: Set<Dependencies> | undefined

/** Runs `make` synchronously; `parts` are the dependencies of the cached values that it used. */
export function trackRow<T>(make: () => T): {
  readonly result: T
  readonly parts: readonly Dependencies[]
} {
  const parts = new Set<Dependencies>()
  const outer = rowParts
  rowParts = parts
  try {
    return { result: make(), parts: [...parts] }
  } finally {
    rowParts = outer
  }
}

/**
 * Called with the dependencies of each value that becomes part of a result, either for one row or for the work as a
 * whole; undefined if the value must not be cached.
 */
export function noteDependencies(dependencies: Dependencies | undefined): void {
  if (rowParts && dependencies) {
    rowParts.add(dependencies)
    return
  }
  const reads = readSets.getStore()
  if (!reads) return
  if (dependencies) reads.dependencies.add(dependencies)
  else reads.isCacheable = false
}

/**
 * Called at the start of work whose result does not depend only on what it reads: a transaction, a script, the clock.
 */
export function markUncacheable(): void {
  noteDependencies(undefined)
}
