import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '../../src/base/errors.ts'
import { branchedModels } from '../../src/db/branches/branch-tables.ts'
import type { User } from '../../src/identity/actor.ts'
import { loadGrants } from '../../src/identity/grants.ts'
import { rowSecurityOf } from '../../src/identity/permitted-rows.ts'
import { compileFilters } from '../../src/read/query/compile-filters.ts'
import { compileOrder } from '../../src/read/query/order.ts'
import {
  type Parameter,
  type ParameterFilter,
  type ParameterKind,
  parametersOf,
} from '../../src/read/query/parameters.ts'
import { applyRowSecurity, type RowSecurity } from '../../src/read/query/row-security.ts'
import { selectIds } from '../../src/read/query/slice.ts'
import type { Model, Registry } from '../../src/schema/registry.ts'
import { identifier, join, type Sql, sql } from '../../src/sql/fragment.ts'
import { table, updateTable } from '../../src/sql/table.ts'
import { shareOfToday } from '../support/run-size.ts'
import { KINDS_1_AND_2, type Observer, openObserver } from './observer.ts'

type Pair = readonly [hidden: string, nobodys: string]

/**
 * Values that only hidden rows contain, and values that no row contains. Whatever a parameter means, and whichever way
 * it goes through other objects, both must get the same response.
 */
const NUMBER: Pair = ['3', '999']
const TEXT: Pair = ['value-3', 'value-9']
const ADDRESS: Pair = ['10.0.3.1/24', '10.0.9.1/24']
const NETWORK: Pair = ['10.0.3.0/24', '10.0.9.0/24']
const DAY: Pair = ['2020-01-03', '2020-01-09']
const TIMESTAMP: Pair = ['2020-01-03T00:00:00Z', '2020-01-09T00:00:00Z']
const HARDWARE: Pair = ['00:00:00:00:00:03', '00:00:00:00:00:09']
const REQUEST: Pair = ['00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000009']

/** Values that a parameter accepts; none if it asks for something that is the same for everybody. */
const PAIRS: {
  readonly [K in ParameterKind]: (
    filter: Extract<ParameterFilter, { readonly kind: K }>,
    registry: Registry,
  ) => readonly Pair[]
} = {
  text: () => [TEXT],
  hardwareAddress: () => [HARDWARE],
  integer: () => [NUMBER],
  decimal: () => [NUMBER],
  date: () => [DAY],
  dateTime: () => [TIMESTAMP],
  related: ({ to, by }, registry) => [named(registry.model(to), by)],
  listContains: ({ of }) => [of === 'integer' ? NUMBER : TEXT],
  uuid: () => [REQUEST],
  custom: ({ value, to, by = 'id' }, registry) => {
    if (to !== undefined) return [named(registry.model(to), by)]
    if (value === 'integer') return [NUMBER]
    return value === 'text' ? [TEXT, ADDRESS, NETWORK, HARDWARE] : []
  },
  search: () => [TEXT],
  tag: ({ by }) => [by === 'id' ? NUMBER : TEXT],
  dynamicGroup: ({ by }) => [by === 'id' ? NUMBER : TEXT],
  request: () => [REQUEST],
  customField: () => [NUMBER],
  // Types of objects and choices are public; booleans have their own tests.
  choice: () => [],
  boolean: () => [],
  presence: () => [],
  objectType: () => [],
}

function named(model: Model, by: string): Pair {
  const type = model.columns.get(by)?.type ?? ''
  if (type === 'inet') return ADDRESS
  if (type === 'macaddr') return HARDWARE
  return type === 'text' ? TEXT : NUMBER
}

/** A value of the row itself is shown with the row, so it cannot reveal another row. */
const isOwn = (model: Model, { filter }: Parameter): boolean =>
  'path' in filter &&
  filter.kind !== 'related' &&
  model.columns.has(filter.path) &&
  model.columns.get(filter.path)?.field.kind !== 'genericForeignKey'

/** Equal and not equal: other lookups reach the same columns with other comparisons. */
const LOOKUPS: ReadonlySet<string> = new Set(['exact', 'n', 'any'])

/** Parameters whose values cannot name a hidden row: lengths, types of objects, parts of scripts that are shown. */
const OPEN: ReadonlySet<string> = new Set([
  'extras/scripts module_id',
  'extras/tags content_type_id',
  'ipam/ip-addresses mask_length',
  'ipam/prefixes mask_length',
])

/** Predicates that one statement asks about: in a branch, each table is a view, and planning takes ten times the memory. */
const TOGETHER = { main: 20, branch: 2 }

interface Probe {
  readonly name: string
  readonly pair: Pair
}

function probesOf({ api }: Observer, model: Model): readonly Probe[] {
  const { registry } = api.service
  const declared = [...parametersOf(registry, model).values()]
    .filter((each) => LOOKUPS.has(each.lookup) && !isOwn(model, each))
    .filter(({ name }) => !OPEN.has(`${model.path} ${name.replace(/__[a-z]+$/, '')}`))
    .flatMap(({ name, filter }) => {
      // The table is keyed by the kind of the filter with which it is called.
      const pairs = PAIRS[filter.kind] as (filter: ParameterFilter, of: Registry) => readonly Pair[]
      return pairs(filter, registry).map((pair) => ({ name, pair }))
    })
  if (!model.columns.has('custom_fields')) return declared
  const custom = ['cf_one', 'cf_many', 'cf_one__n', 'cf_many__n', 'cf_one__gte']
  return [...declared, ...custom.map((name) => ({ name, pair: NUMBER }))]
}

/** In a branch, fewer models are tested: the same statements read other views. */
const ONE_IN = { main: { full: 1, usual: 3 }, branch: { full: 1, usual: 25 } }

describe.each(['main', 'branch'] as const)('what is hidden cannot be found (%s)', (place) => {
  let world: Observer
  let security: RowSecurity
  beforeAll(async () => {
    world = await openObserver({}, place)
    const types = world.models.map(({ name }) => name)
    await world.allow({ types, actions: ['view'], constraints: KINDS_1_AND_2 })
    security = await securityOfUser(world)
  })
  afterAll(() => world.close())

  /** Predicate of one parameter, or the error, without the value. */
  const compile = async (model: Model, name: string, value: string): Promise<Sql | string | undefined> => {
    try {
      const query = new URLSearchParams([[name, value]])
      return await compileFilters(world.service, model, query, security.visibleRows, world.user)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return JSON.stringify(error.reason).replaceAll(value, '…')
    }
  }

  /** Ids of the rows for which each of the predicates holds. */
  const findAll = async (model: Model, predicates: readonly Sql[]): Promise<readonly string[]> => {
    const rows = table(model)
    const found: string[] = []
    for (let at = 0; at < predicates.length; at += TOGETHER[place]) {
      const lists = predicates
        .slice(at, at + TOGETHER[place])
        .map((where) => sql`array(select t.id from ${rows} t where ${where} order by t.id)::text`)
      const statement = applyRowSecurity(security, sql`select ${join(lists)}`)
      const [row = []] = await world.service.database.queryArrays(statement)
      found.push(...row.map(String))
    }
    return found
  }

  it('by any parameter of any collection', async () => {
    const leaks: string[] = []
    for (const model of shareOfToday(world.models, ONE_IN[place])) {
      const asked: { readonly label: string; readonly both: readonly [Sql, Sql] }[] = []
      for (const { name, pair } of probesOf(world, model)) {
        const label = `${model.path} ${name}=${pair[0]}`
        const [hidden, nobodys] = [await compile(model, name, pair[0]), await compile(model, name, pair[1])]
        if (typeof hidden === 'object' && typeof nobodys === 'object') {
          asked.push({ label, both: [hidden, nobodys] })
        } else if (hidden !== nobodys) leaks.push(label)
      }
      const found = await findAll(
        model,
        asked.flatMap(({ both }) => both),
      )
      asked.forEach(({ label }, index) => {
        const [hidden, nobodys] = [found[2 * index], found[2 * index + 1]]
        if (hidden !== nobodys) leaks.push(`${label}: ${hidden} instead of ${nobodys}`)
      })
    }
    expect(leaks).toEqual([])
  })

  it('by the order of a list', async () => {
    const { service } = world
    const orders = async () => {
      const lists: Record<string, readonly number[]> = {}
      // A relation sorts by the order of its target model, so one test per model and direction is enough.
      const followed = new Set<string>()
      for (const model of world.models) {
        const relations = [...model.steps]
          .filter(([name, step]) => {
            if (step.kind === 'column' || !model.answer.includes(name)) return false
            const way = `${step.kind} ${step.to.name}`
            return !followed.has(way) && followed.add(way)
          })
          .map(([name]) => name)
        for (const ordering of ['', ...relations]) {
          const order = compileOrder(service, model, ordering, security.visibleRows)
          const ids = await selectIds(service.database, model, { security, order })
          lists[`${model.path} ${ordering}`] = ids
        }
      }
      return lists
    }
    const before = await orders()
    await changeHiddenTexts(world)
    expect(await orders()).toEqual(before)
  })
})

async function securityOfUser({ api: { service }, user }: Observer): Promise<RowSecurity> {
  const { registry, database, settings } = service
  const actor: User = {
    kind: 'user',
    id: user,
    username: 'observer',
    isSuperuser: false,
    tokenId: undefined,
    writeEnabled: true,
    grants: await loadGrants(database, user, { registry, defaults: settings.defaultPermissions }),
  }
  return rowSecurityOf(actor, registry, settings)
}

/** Whatever sorts hidden rows would now list them first. */
async function changeHiddenTexts({ api, service, models }: Observer): Promise<void> {
  const isOfBranch = (model: Model): boolean => branchedModels(service.registry).has(model.name)
  for (const model of models) {
    const columns = [...model.columns.values()].filter(({ type, field }) => type === 'text' && field.kind === 'text')
    if (columns.length === 0 || model.name === 'core.objecttype') continue
    const changes = columns.map(({ name }) => sql`${identifier(name)} = 'a' || id`)
    const { database } = isOfBranch(model) ? service : api.service
    await database.execute(sql`${updateTable(model)} set ${join(changes)} where (id - 1) % 3 = 2`)
  }
}
