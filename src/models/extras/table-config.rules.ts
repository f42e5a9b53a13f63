import { type Rule, rulesFor } from '../../schema/rule.ts'
import { tableConfig } from './table-config.ts'

const COLUMN = /^[a-z_][a-z0-9_.]*$/i

const namesColumns: Rule<typeof tableConfig.fields> = ({ next }) => {
  const stranger = next.columns.find((name) => !COLUMN.test(String(name)))
  if (stranger !== undefined) return { columns: `Unknown column: ${stranger}` }
  const order = (next.ordering ?? []).map((name) => String(name).replace(/^-/, ''))
  const strangeOrder = order.find((name) => !COLUMN.test(name))
  return strangeOrder === undefined ? undefined : { ordering: `Unknown column: ${strangeOrder}` }
}

export const tableConfigBehaviour = rulesFor(tableConfig, namesColumns)
