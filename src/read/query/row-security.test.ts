import { describe, expect, it } from 'vitest'
import { foreignKey, genericForeignKey, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { buildRegistry } from '../../schema/registry.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { table, tableOfTypes } from '../../sql/table.ts'
import { Conjunction, filteredTable, TypePredicate } from './filtered-table.ts'
import { NO_ROWS, type VisibleRows } from './row-predicate.ts'
import { applyRowSecurity, type RowSecurity } from './row-security.ts'

const shown = { display: '{id}', brief: ['id'], order: ['id'] } as const

const hall = model({
  ...shown,
  name: 'toy.hall',
  labels: ['hall', 'halls'],
  fields: { name: text({}) },
})

const desk = model({
  ...shown,
  name: 'toy.desk',
  labels: ['desk', 'desks'],
  fields: {
    name: text({}),
    hall: foreignKey('toy.hall', { onDelete: 'cascade', related: '+' }),
  },
})

/** A note about a hall or a desk. */
const remark = model({
  ...shown,
  name: 'toy.remark',
  labels: ['remark', 'remarks'],
  fields: {
    name: text({}),
    about: genericForeignKey(['toy.hall', 'toy.desk'], { nullable: false }),
  },
})

/** Two models that refer to one another, as the cooling ports of a device do. */
const [inflow, outflow] = (['inflow', 'outflow'] as const).map((name) => {
  const opposite = name === 'inflow' ? 'outflow' : 'inflow'
  return model({
    ...shown,
    name: `toy.${name}`,
    labels: [name, `${name}s`],
    fields: {
      hall: foreignKey('toy.hall', { onDelete: 'cascade', related: '+' }),
      [opposite]: foreignKey(`toy.${opposite}`, { onDelete: 'setNull', nullable: true, related: '+' }),
    },
  })
})

const registry = buildRegistry([hall, desk, remark, ...[inflow, outflow].flatMap((each) => each ?? [])])

/** Text of the statement for a user who sees these rows, and all of other models. */
function securedText(visible: Readonly<Record<string, RowsOfModel>>, statement: Sql): string {
  return applyRowSecurity(securityOf(visible), statement).text
}

const securityOf = (visible: Readonly<Record<string, RowsOfModel>>): RowSecurity => ({
  registry,
  visibleRows: ({ name }) => visible[name] ?? 'all',
})

type RowsOfModel = ReturnType<VisibleRows>

const ONE = sql`t.id = 1`
const all = { 'toy.hall': ONE, 'toy.desk': ONE } as const

describe('the visible rows of a table', () => {
  const desks = table(registry.model('toy.desk'))
  it.each([
    {
      name: 'has the columns that the statement names',
      statement: sql`select t.${identifier('name')} from ${desks} t`,
      view: '"toy_desk" as not materialized (select t."id", t."name" from "toy_desk" t where t.id = 1)',
    },
    {
      name: 'asks for the visible rows of a relation that it names',
      statement: sql`select t.${identifier('hall_id')} from ${desks} t`,
      view: 'select t."id", s0.id as "hall_id" from "toy_desk" t left join "visible toy_hall" s0 on s0.id = t."hall_id" where t.id = 1',
    },
    {
      name: 'has all columns of a table that is read as a whole',
      statement: sql`select * from ${table(registry.model('toy.desk'))}`,
      view: 'select t."id", t."name", case when t."hall_id" in (select visible.id from "visible toy_hall" visible) then t."hall_id" end as "hall_id" from "toy_desk" t where t.id = 1',
    },
  ])('$name', ({ statement, view }) => {
    expect(securedText(all, statement)).toContain(view)
  })
})

describe('rows that are visible only with the rows that they refer to', () => {
  const visible = { ...all, 'toy.remark': 'related' } as const
  const remarks = registry.model('toy.remark')
  const ofDesks = tableOfTypes(remarks, 'about_type', ['toy.desk'])
  const ids = sql`select t.${identifier('about_id')} from`

  it('are searched for among objects of the types that the statement asks for', () => {
    expect(securedText(visible, sql`${ids} ${ofDesks} t`)).not.toContain('visible toy_hall')
  })

  it('are searched for among objects of the types that a filter of the list names', () => {
    const named = new TypePredicate(sql`t.about_type`, 'about_type', ['toy.desk'])
    const statementFor = (where: Sql) => sql`${ids} ${filteredTable(remarks, where)} t where ${where}`
    const both = statementFor(new Conjunction([sql`t.id > 1`, named]))
    expect(securedText(visible, both)).not.toContain('visible toy_hall')
    const either = statementFor(sql`(t.id > 1 or ${named})`)
    expect(securedText(visible, either)).toContain('visible toy_hall')
  })

  it('are searched for among objects of all types if another part of the statement asks for all', () => {
    const statement = sql`${ids} ${ofDesks} t, ${table(remarks)} other`
    expect(securedText(visible, statement)).toContain('visible toy_hall')
  })

  it.each([
    { name: 'visible', desk: 'all', values: [['toy.desk']] },
    { name: 'hidden', desk: NO_ROWS, values: [[]] },
  ] as const)('are searched for only among these types if all objects of these types are $name', (row) => {
    const security = securityOf({ ...visible, 'toy.desk': row.desk })
    const secured = applyRowSecurity(security, sql`${ids} ${ofDesks} t`)
    expect(secured.text).toContain('(t."about_type" = any($1::text[]))')
    expect(secured.values).toEqual(row.values)
  })
})

it('a private row that another private row leads back to is restricted once', () => {
  const visible = { 'toy.hall': ONE, 'toy.inflow': 'related', 'toy.outflow': 'related' } as const
  const text = securedText(visible, sql`select t.id, t.outflow_id from ${table(registry.model('toy.inflow'))} t`)
  expect(text.match(/"visible toy_outflow" as/g)).toHaveLength(1)
})
