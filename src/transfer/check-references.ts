import type { Transaction } from '../db/database.ts'
import { ConstraintViolation } from '../db/failures.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { identifier, sql } from '../sql/fragment.ts'
import { systemTable } from '../sql/table.ts'

/** A row with a reference to a row that does not exist. */
interface Dangling {
  readonly model: Model
  readonly id: number
  /** The reason, as a sentence for people. */
  readonly reason: string
}

const KEY = /^Key \(([^)]+)\)=\(([^)]+)\)/

/** Makes the database check all foreign keys; the first row that violates one, or undefined. */
export async function findDangling(transaction: Transaction, registry: Registry): Promise<Dangling | undefined> {
  try {
    await transaction.savepoint(() => transaction.execute(sql`set constraints all immediate`))
    await transaction.execute(sql`set constraints all deferred`)
    return undefined
  } catch (error) {
    if (!(error instanceof ConstraintViolation)) throw error
    const [, column = '', value = ''] = KEY.exec(error.detail ?? '') ?? []
    const place = placeOf(registry, error.table ?? '', column)
    if (!place) throw error
    const [row] = await transaction.query<{ id: number }>(sql`
      select ${identifier(place.idColumn)} as id from ${systemTable(error.table ?? '')}
      where ${identifier(column)} = ${value} order by 1 limit 1`)
    if (!row) throw error
    const reason = `${place.field}: no ${place.target.definition.labels[0]} has the id ${value}`
    return { model: place.model, id: row.id, reason }
  }
}

interface Place {
  readonly model: Model
  readonly field: string
  readonly target: Model
  /** Column that holds the id of the model's row. */
  readonly idColumn: string
}

/** The field behind a column of a model's table or of a join table. */
function placeOf(registry: Registry, table: string, column: string): Place | undefined {
  for (const model of registry.models.values()) {
    for (const [name, field] of model.fields) {
      if (field.kind === 'foreignKey' && model.table === table) {
        if (model.columns.get(name)?.name !== column) continue
        return { model, field: name, target: registry.model(field.to), idColumn: 'id' }
      }
      if (field.kind === 'manyToMany' && field.inverse === undefined) {
        const join = registry.joinTable(model, name, field)
        if (join.table !== table || join.otherColumn !== column) continue
        const target = registry.model(field.to)
        return { model, field: name, target, idColumn: join.ownColumn }
      }
    }
  }
  return undefined
}
