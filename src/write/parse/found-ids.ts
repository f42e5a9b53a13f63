import type { Transaction } from '../../db/database.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'

/**
 * Ids of the single objects found by attributes in a transaction, by the key of the query: the objects of a document
 * refer to the same ones again and again. They are dropped when the transaction changes any row. An object that was not
 * found is searched for again: somebody may create it meanwhile.
 */
export class FoundIds {
  readonly #transaction: Pick<Transaction, 'uncommitted'>
  #version = 0
  #ids = new Map<Model, Map<string, number>>()

  constructor(transaction: Pick<Transaction, 'uncommitted'>) {
    this.#transaction = transaction
  }

  /** The ids for one model, which the caller reads and extends. */
  of(model: Model): Map<string, number> {
    const version = uncommittedVersion(this.#transaction)
    if (version !== this.#version) {
      this.#version = version
      this.#ids = new Map()
    }
    const ids = this.#ids.get(model) ?? new Map<string, number>()
    this.#ids.set(model, ids)
    return ids
  }
}

/** Models whose rows only record that other rows have changed; no other object shows them. */
const RECORDS: ReadonlySet<string> = new Set([SYSTEM.objectChange, SYSTEM.event, SYSTEM.unindexedChange])

/** Number that grows with each statement of a transaction that changes rows which other objects may show. */
function uncommittedVersion({ uncommitted }: Pick<Transaction, 'uncommitted'>): number {
  let version = 0
  for (const [model, statements] of uncommitted.statements) {
    if (!RECORDS.has(model)) version += statements
  }
  return version
}
