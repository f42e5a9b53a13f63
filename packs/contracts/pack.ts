/** Values of contracts that follow from their lines, values of lines that follow from the contract, and amendments. */
import {
  type AnyRow,
  type ApiRequest,
  action,
  behaviourOf,
  derived,
  invalid,
  packCode,
  type Sql,
  sql,
  table,
  writeObjects,
} from 'cadastre'

const LINE = 'netbox_contract.contractline'

/** Sum over the lines of contracts; `condition` and `value` are about lines `l` and their units `u`. */
const sumOfLines = (value: Sql, condition: Sql, contracts: Sql): Sql => sql`(
  select coalesce(sum(${value}), 0) from ${table(LINE)} l join ${table('netbox_contract.unit')} u on u.id = l.unit_id
  where l.contract_id in (${contracts}) and ${condition})`

const YEARLY = sql`l.quantity * l.unit_price * 12 / nullif(u.months, 0)`
const MONTHS = sql`((extract(year from l.end_date) - extract(year from l.start_date)) * 12
  + extract(month from l.end_date) - extract(month from l.start_date) + 1)`
const TOTAL = sql`case u.billing_method when 'recurring' then l.quantity * l.unit_price * ${MONTHS} / nullif(u.months, 0)
  else l.quantity * l.unit_price end`

const amount = (value: Parameters<typeof derived>[1], label: string) =>
  derived('decimal', value, { nullable: true, digits: 24, places: 2, label })

/** The contract and those below it whose lines are invoiced with it: the ones that are not billable themselves. */
const invoicedWith = (contract: Sql): Sql => sql`
  with recursive parts (id) as (
    select ${contract} union all
    select c.id from ${table('netbox_contract.contract')} c join parts p on c.parent_id = p.id where not c.billable)
  select id from parts`

/** The values of the body, completed by those of the object that it belongs to. */
const completed = (row: AnyRow, source: AnyRow | undefined, names: Readonly<Record<string, string>>) => {
  const missing = Object.entries(names).filter(([name]) => row[name] === null || row[name] === '')
  return source && missing.length > 0
    ? Object.fromEntries(missing.map(([name, from]) => [name, source[from] ?? null]))
    : undefined
}

const isAmount = (value: unknown): value is number | string =>
  (typeof value === 'number' || typeof value === 'string') && Number.isFinite(Number(value))

/** Ends a line on the day before the date, and creates the one that replaces it. */
async function amend(request: ApiRequest) {
  const id = Number(request.parameters[0])
  const body = (await request.body.read(request.service.registry.model(LINE))) as AnyRow
  const { effective_date: date, unit_price, quantity, reason } = body ?? {}
  if (typeof date !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(date)) {
    throw invalid({ effective_date: ['Enter a date as YYYY-MM-DD.'] })
  }
  if (!isAmount(unit_price) && !isAmount(quantity)) {
    throw invalid({ non_field_errors: ['A new unit price or a new quantity is needed.'] })
  }
  if (typeof reason !== 'string' || reason.trim() === '') throw invalid({ reason: ['This field is required.'] })
  return await writeObjects(request, LINE, async ({ database, create, update }) => {
    const [line] = await database.query<Record<string, unknown>>(sql`
      select contract_id as contract, description, quantity::text, unit_price::text, unit_id as unit, currency, end_date::text,
        (${date}::date - 1)::text as last, ${date}::date > start_date and (end_date is null or ${date}::date <= end_date) as fits
      from ${table(LINE)} where id = ${id}::bigint`)
    if (!line) throw invalid({ non_field_errors: ['There is no such line.'] })
    const { last, fits, ...values } = line
    if (fits === false) throw invalid({ effective_date: ['The date has to be within the term of the line.'] })
    await update(LINE, [{ id, body: { end_date: last, changelog_message: reason } }])
    const next = {
      ...values,
      start_date: date,
      comments: reason,
      changelog_message: reason,
      ...(isAmount(unit_price) && { unit_price }),
      ...(isAmount(quantity) && { quantity }),
    }
    const [created = 0] = await create(LINE, [next])
    await database.execute(sql`update ${table(LINE)} set replaces_id = ${id}::bigint where id = ${created}::bigint`)
    return created
  })
}

export default packCode({
  fields: {
    'netbox_contract.contract': {
      total_contract_value: amount(
        (column) => sumOfLines(TOTAL, sql`true`, sql`select ${column('id')}`),
        'Total value',
      ),
      yearly_contract_value: amount(
        (column) => sumOfLines(YEARLY, sql`u.billing_method = 'recurring'`, sql`select ${column('id')}`),
        'Yearly value',
      ),
      yearly_billable_value: amount(
        (column) => sql`case when ${column('billable')}
          then ${sumOfLines(YEARLY, sql`u.billing_method = 'recurring'`, invoicedWith(column('id')))} else 0 end`,
        'Yearly value that is invoiced',
      ),
    },
  },
  behaviours: [
    behaviourOf(LINE, {
      normalize: [
        async ({ next: row, read }) => {
          const [contract] = await read.database.query<Record<string, unknown> & { id: number }>(
            sql`select id, currency, start_date::text, end_date::text from ${table('netbox_contract.contract')}
              where id = ${row.contract}::bigint`,
          )
          const names = { currency: 'currency', start_date: 'start_date', end_date: 'end_date' }
          return completed(row, contract, names)
        },
      ],
    }),
    behaviourOf('netbox_contract.invoiceline', {
      normalize: [
        async ({ next: row, read }) => {
          const [line] = await read.database.query<Record<string, unknown> & { id: number }>(
            sql`select id, unit_id as unit, unit_price::text from ${table(LINE)} where id = ${row.contract_line ?? null}::bigint`,
          )
          const filled: AnyRow = { ...row, ...completed(row, line, { unit: 'unit', unit_price: 'unit_price' }) }
          // A sum alone is the price of one.
          const isSum = filled.unit_price === null && isAmount(filled.amount)
          const price = isSum ? filled.amount : filled.unit_price
          const quantity = filled.quantity ?? '1'
          const [unit] = await read.database.query<Record<string, unknown> & { months: number | null }>(
            sql`select months from ${table('netbox_contract.unit')} where id = ${filled.unit ?? null}::bigint`,
          )
          const sum = (Number(quantity) * Number(price ?? 0)) / (unit?.months || 1)
          return { unit: filled.unit ?? null, unit_price: price, quantity, amount: sum.toFixed(2) }
        },
      ],
    }),
  ],
  actions: [
    action({
      path: 'plugins/contracts/contract-lines/:id/amend',
      title: 'Contract Line Amendment',
      description: 'Ends the line and creates the one that replaces it, with a new price or quantity.',
      methods: {
        POST: {
          handle: amend,
          permission: { add: LINE, change: LINE },
          status: 201,
          body: {
            type: 'object',
            required: ['effective_date', 'reason'],
            properties: {
              effective_date: { type: 'string', format: 'date' },
              unit_price: { type: 'number' },
              quantity: { type: 'number' },
              reason: { type: 'string' },
            },
          },
          answer: { $ref: '#/components/schemas/NetboxContractContractLine' },
        },
      },
    }),
  ],
})
