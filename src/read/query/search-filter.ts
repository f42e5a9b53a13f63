import type { Model } from '../../schema/registry.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { columnOf } from './column.ts'
import type { Condition, Filter } from './filter.ts'
import { either, type FilterContext } from './filter-context.ts'
import { compareText } from './lookups.ts'
import { parseText } from './parse-value.ts'
import { reaches } from './reach.ts'
import { parameterValues, type RequestParameter } from './request-parameter.ts'
import { textOf, whereFilled } from './text-filter.ts'

/** `q`. A blank search matches everything. */
export function parseSearchFilter(parameter: RequestParameter): Filter | undefined {
  const text = parseText(parameterValues(parameter).at(-1) ?? '')
  return text === '' ? undefined : { kind: 'search', text }
}

/** Predicate: any of the searched places of the model contains the text, in any case. */
export function compileSearch(
  { text: searched }: Extract<Condition, { readonly kind: 'search' }>,
  { model, alias }: Pick<FilterContext, 'model' | 'alias'>,
): Sql {
  const column = columnOf(model, alias)
  return either(
    places(model).map((place) =>
      typeof place === 'function'
        ? sql`(${place(column, searched)})`
        : reaches(
            model,
            alias,
            place,
            (value, end) => {
              const compared = textOf(value, end)
              const { text, folding } = compared
              return whereFilled(compared, compareText('icontains', text, searched, folding))
            },
            { isAlternative: true },
          ),
    ),
  )
}

const places = ({ definition: { search = [] } }: Model) => (typeof search === 'function' ? [search] : search)
