import type { Model } from '../../schema/registry.ts'
import { splitPath } from '../../schema/step.ts'
import { join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { type DisplayPart, parseDisplay } from './display-template.ts'
import { scalarPath } from './scalar-path.ts'

/**
 * A part of a display text that is computed by itself: an expression, or the display of the object to which a generic
 * relation leads.
 */
type DisplayPiece =
  | { readonly kind: 'text'; readonly sql: Sql }
  | { readonly kind: 'generic'; readonly relation: string }

/**
 * The display of the row `alias` as pieces, in their order. For rows that are read as a page: `displayOf` would read the
 * objects of a generic relation through one statement over all their types.
 */
export function displayPieces(model: Model, alias: Sql): readonly DisplayPiece[] {
  const { display } = model.definition
  const parts = typeof display === 'string' ? parseDisplay(display) : []
  const relations = parts.map((part) => genericIn(model, part))
  if (!relations.some((relation) => relation !== undefined)) return [{ kind: 'text', sql: displayOf(model, alias) }]
  return parts.map((part, index) => {
    const relation = relations[index]
    return relation === undefined ? { kind: 'text', sql: partText(model, alias, part) } : { kind: 'generic', relation }
  })
}

/** The generic relation whose object's display the part shows. */
function genericIn(model: Model, part: DisplayPart): string | undefined {
  if (part.kind !== 'value') return undefined
  const [name = '', last = 'display', ...more] = splitPath(part.path)
  const isGeneric = model.fields.get(name)?.kind === 'genericForeignKey'
  return isGeneric && last === 'display' && more.length === 0 ? name : undefined
}

/** Text expression of the display of the row `alias`, never null. */
export function displayOf(model: Model, alias: Sql): Sql {
  const { display } = model.definition
  if (typeof display === 'function') {
    return sql`(${display((path) => scalarPath(model, alias, path, displayOf))})`
  }
  return concatenate(parseDisplay(display).map((part) => partText(model, alias, part)))
}

const concatenate = (parts: readonly Sql[]): Sql => (parts.length === 0 ? sql`''` : sql`(${join(parts, ' || ')})`)

function partText(model: Model, alias: Sql, part: DisplayPart): Sql {
  if (part.kind === 'words') return raw(`'${part.words.replaceAll("'", "''")}'`)
  if (part.kind === 'value') return sql`coalesce(${valueText(model, alias, part.path)}, '')`
  // Null if one of the values is empty; the whole group is then null.
  const parts = part.parts.map((inner) =>
    inner.kind === 'value' ? sql`nullif(${valueText(model, alias, inner.path)}, '')` : partText(model, alias, inner),
  )
  return sql`coalesce(${concatenate(parts)}, '')`
}

/** A value as text; for a relation, the display of the related object. */
function valueText(model: Model, alias: Sql, path: string): Sql {
  const names = splitPath(path)
  const [name = ''] = names
  if (names.length > 1) return sql`${scalarPath(model, alias, path, displayOf)}::text`
  const step = model.steps.get(name)
  if (step?.kind === 'foreignKey') return scalarPath(model, alias, `${name}.display`, displayOf)
  const field = model.fields.get(name)
  if (field?.kind === 'genericForeignKey') {
    return scalarPath(model, alias, `${name}.display`, displayOf)
  }
  const value = scalarPath(model, alias, path, displayOf)
  if (field?.kind === 'hardwareAddress') return sql`upper(${value}::text)`
  // Unlike the cast's output, the function keeps the length of a host: 192.0.2.1/32.
  if (field?.kind === 'address') return sql`text(${value})`
  return sql`${value}::text`
}
