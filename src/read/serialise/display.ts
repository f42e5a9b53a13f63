import type { NestedProjection } from '../../schema/field.ts'
import { quote } from '../../schema/fields/kind.ts'
import { isJsonObject, parseJson } from '../../schema/json.ts'
import { sql } from '../../sql/fragment.ts'
import { displayPieces } from '../query/display.ts'
import { computedRenderer } from './computed.ts'
import { genericRenderer } from './generic.ts'
import type { Loaded, ValueRenderer, ValueRow } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { orNull } from './value-text.ts'

const DISPLAY: NestedProjection = ['display']

/** The display text of a row. */
export function displayRenderer(builder: PlanBuilder): ValueRenderer {
  const { model } = builder
  const { batchDisplay } = model.definition
  if (batchDisplay) return computedRenderer(builder, batchDisplay)
  const pieces = displayPieces(model, sql`t`)
  const [first] = pieces
  if (first?.kind === 'text' && pieces.length === 1) {
    const index = builder.column(first.sql)
    const text = orNull(quote)
    return (row) => text(row[index])
  }
  const texts = pieces.map((piece) =>
    piece.kind === 'text' ? columnText(builder.column(piece.sql)) : genericText(builder, piece.relation),
  )
  return (row, loaded) => quote(texts.map((text) => text(row, loaded)).join(''))
}

type Text = (row: ValueRow, loaded: Loaded) => string

const columnText =
  (index: number): Text =>
  (row) =>
    String(row[index])

/** The display of the object to which the relation leads; empty if the user may not view it. */
function genericText(builder: PlanBuilder, relation: string): Text {
  const field = builder.model.fields.get(relation)
  if (field?.kind !== 'genericForeignKey') throw new Error(`${builder.model.name}: ${relation} is no generic relation`)
  const render = genericRenderer(builder, relation, field, DISPLAY)
  return (row, loaded) => {
    const object = parseJson(render(row, loaded, ''))
    return isJsonObject(object) ? String(object.display) : ''
  }
}
