import { type Sql, sql } from '../sql/fragment.ts'
import { columnOf } from './column.ts'
import { anyOf, type FilterCall, givenValues } from './filter-call.ts'
import { COMPARE_TEXT } from './lookups.ts'
import { parseText } from './parse-value.ts'
import { reaches } from './reach.ts'
import { textOf } from './text-filter.ts'

/** `q`: any of the places that the model names holds the text, case aside. A blank one finds all. */
export function filterSearch(call: FilterCall): Sql | undefined {
  const { model, alias } = call
  const value = parseText(givenValues(call).at(-1) ?? '')
  const search = model.definition.search ?? []
  if (value === '') return undefined
  const places = typeof search === 'function' ? [search] : search
  const column = columnOf(model, alias)
  return anyOf(
    places.map((place) =>
      typeof place === 'function'
        ? sql`(${place(column, value)})`
        : reaches(model, alias, place, (found, end) => {
            const { text, folding } = textOf(found, end)
            return COMPARE_TEXT.ic(text, value, folding)
          }),
    ),
  )
}
