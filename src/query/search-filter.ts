import { oncePerText } from '../schema/once-per.ts'
import type { Model } from '../schema/registry.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import { statementTemplate } from '../sql/statement-template.ts'
import { columnOf } from './column.ts'
import type { Condition, Filter } from './filter.ts'
import { either, type FilterContext } from './filter-context.ts'
import { type GivenParameter, givenValues } from './given-parameter.ts'
import { TEXT_OPERATORS } from './lookups.ts'
import { parseText } from './parse-value.ts'
import { reaches } from './reach.ts'
import { textOf, whereFilled } from './text-filter.ts'

/** `q`. A blank one finds all. */
export function parseSearchFilter(given: GivenParameter): Filter | undefined {
  const text = parseText(givenValues(given).at(-1) ?? '')
  return text === '' ? undefined : { kind: 'search', text }
}

const { bound, sql: compare } = TEXT_OPERATORS.icontains

/** Predicate: any of the places that the model names holds the text, in any case. */
export function compileSearch(
  { text: wanted }: Extract<Condition, { readonly kind: 'search' }>,
  { model, alias }: Pick<FilterContext, 'model' | 'alias'>,
): Sql {
  const column = columnOf(model, alias)
  const predicates = computedPlaces(model).map((place) => sql`(${place(column, wanted)})`)
  if (paths(model).length > 0) predicates.unshift(atPaths(model, alias.text, alias)(bound(wanted)))
  return either(predicates)
}

const places = ({ definition: { search = [] } }: Model) =>
  typeof search === 'function' ? [search] : search
const paths = (model: Model) => places(model).filter((place) => typeof place === 'string')
const computedPlaces = (model: Model) =>
  places(model).filter((place) => typeof place === 'function')

/** Names that rows have in statements, for each model. */
const MOST_NAMES = 100

/** The predicate for the values at the ends of the paths, by the name of the rows. Only its pattern differs from one search to the next. */
const atPaths = oncePerText(MOST_NAMES, (model: Model, _name, alias: Sql) =>
  statementTemplate((pattern) =>
    either(
      paths(model).map((path) =>
        reaches(model, alias, path, (value, end) => {
          const compared = textOf(value, end)
          return whereFilled(compared, compare(compared.text, pattern, compared.folding))
        }),
      ),
    ),
  ),
)
