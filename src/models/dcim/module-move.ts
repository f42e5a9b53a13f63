import type { Fields } from '../../schema/field.ts'
import type { Definition } from '../../schema/model.ts'
import type { EffectFunction, Read, Refusal, RowOf, Writer } from '../../schema/rule.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { consolePort, consoleServerPort, frontPort, powerOutlet, powerPort, rearPort } from './components.ts'
import { coolingIntake, coolingOutflow } from './cooling-ports.ts'
import { deviceInterface } from './interface.ts'
import { deviceModule } from './module.ts'
import { moduleBay } from './module-bay.ts'
import { fillPlaceholders, type Place } from './placeholders.ts'

/** Components that move with their module; those of the first list have cables. */
const CABLED: readonly Definition[] = [
  ...[consolePort, consoleServerPort, powerPort, powerOutlet, deviceInterface, rearPort, frontPort],
]
const COMPONENTS: readonly Definition[] = [...CABLED, coolingIntake, coolingOutflow, moduleBay]

/** Ids of the module and of all modules in its bays. */
const withNested = (id: number): Sql => sql`(
  with recursive held (id) as (
    select ${id}::bigint
    union
    select m.id from held h
    join ${table(moduleBay.name)} b on b.module_id = h.id
    join ${table(deviceModule.name)} m on m.module_bay_id = b.id)
  select id from held)`

/** Refuses to move a module to another device with what belongs to its device. */
export async function partsCanMove(read: Read, id: number): Promise<Refusal | undefined> {
  const modules = withNested(id)
  const interfaces = sql`select i.id from ${table(deviceInterface.name)} i where i.module_id in ${modules}`
  const cables = CABLED.map(
    ({ name }) => sql`exists (select from ${table(name)} x where x.module_id in ${modules} and x.cable_id is not null)`,
  )
  const [[hasCables, hasAddresses, hasAggregates] = []] = await read.database.queryArrays(sql`
    select ${join(cables, ' or ')},
      exists (
        select from ${table('ipam.ipaddress')} a
        where a.assigned_object_type = ${deviceInterface.name} and a.assigned_object_id in (${interfaces})),
      exists (
        select from ${table(deviceInterface.name)} i
        where i.lag_id is not null and (i.module_id in ${modules}) is distinct from (i.lag_id in (${interfaces})))`)
  if (hasCables) return { __all__: 'A module with cables cannot be moved to another device.' }
  if (hasAddresses) return { __all__: 'A module with IP addresses cannot be moved to another device.' }
  return hasAggregates ? { __all__: 'A module with members of a LAG cannot be moved to another device.' } : undefined
}

/** A module that has moved: the positions of the bays around it, before and after. */
interface Moved {
  readonly id: number
  readonly type: number
  readonly before: Place
  readonly after: Place
}

type Positions = (database: Queryable, bays: readonly number[]) => Promise<ReadonlyMap<number, readonly string[]>>

/** Modules in the bays of the module, the nearest first, with their types and bays. */
const nestedModules = (database: Queryable, id: number) =>
  database.query<{ id: number; type: number; bay: number }>(sql`
    select m.id, m.module_type_id as type, m.module_bay_id as bay from ${table(deviceModule.name)} m
    join ${table(moduleBay.name)} b on b.id = m.module_bay_id
    where m.id in ${withNested(id)} and m.id <> ${id}::bigint order by b._level, m.id`)

/** Takes the components, bays and nested modules of moved modules along; names that came from the templates follow. */
export const moveParts =
  (positionsOf: Positions): EffectFunction<typeof deviceModule.fields> =>
  async ({ action, rows, database, write }) => {
    if (action !== 'update') return
    for (const { previous, next } of rows) {
      if (!previous || !next || previous.module_bay === next.module_bay) continue
      const nested = await nestedModules(database, next.id)
      const bays = [previous.module_bay, ...nested.map(({ bay }) => bay)]
      const before = await positionsOf(database, bays)
      if (previous.device !== next.device) await changeDevice(database, write, next.id, next.device)
      await placeBays(database, write, next.id)
      await rename(database, write, {
        ...{ id: next.id, type: next.module_type },
        before: placeAt(before.get(previous.module_bay)),
        after: placeAt((await positionsOf(database, [next.module_bay])).get(next.module_bay)),
      })
      for (const { id, type, bay } of nested) {
        const after = placeAt((await positionsOf(database, [bay])).get(bay))
        await rename(database, write, { id, type, before: placeAt(before.get(bay)), after })
      }
    }
  }

const placeAt = (positions: readonly string[] = []): Place => ({ positions, chassisPosition: null })

async function changeDevice(database: Queryable, write: Writer, id: number, device: number): Promise<void> {
  const [place] = await database.query<{ _site: number; _location: number | null; _rack: number | null }>(sql`
    select site_id as _site, location_id as _location, rack_id as _rack
    from ${table('dcim.device')} where id = ${device}::bigint`)
  const idsIn = (model: Definition, own: Sql) =>
    database.queryColumn(sql`
      select x.id from ${table(model.name)} x where x.${own} in ${withNested(id)} order by x.id`)
  const modules = (await idsIn(deviceModule, identifier('id'))).map(Number).filter((each) => each !== id)
  // Ids are found before the first change: the modules of a device are found by its bays.
  for (const model of COMPONENTS) {
    const ids = await idsIn(model, identifier('module_id'))
    await updateRows(
      write,
      model,
      ids.map((each) => ({ id: Number(each), device, ...place })),
    )
  }
  await updateRows(
    write,
    deviceModule,
    modules.map((each) => ({ id: each, device })),
  )
}

/** The parent of a module's bays is the bay that contains the module. */
async function placeBays(database: Queryable, write: Writer, id: number): Promise<void> {
  const bays = await database.query<{ id: number; parent: number }>(sql`
    select b.id, m.module_bay_id as parent from ${table(moduleBay.name)} b
    join ${table(deviceModule.name)} m on m.id = b.module_id where m.id = ${id}::bigint order by b.id`)
  await updateRows(write, moduleBay, bays)
}

const TEXTS = ['name', 'label', 'position'] as const

async function rename(database: Queryable, write: Writer, { id, type, before, after }: Moved): Promise<void> {
  for (const model of COMPONENTS) {
    const texts = TEXTS.filter((name) => name in model.fields)
    const columns = join(texts.map((name) => identifier('t', name)))
    type Texts = Readonly<Record<string, unknown>> & { readonly id: number }
    const templates = await database.query<Texts>(sql`
      select t.id, ${columns} from ${table(`${model.name}template`)} t
      where t.module_type_id = ${type}::bigint
        and (${join(
          texts.map((name) => sql`${identifier('t', name)} like '%{module}%'`),
          ' or ',
        )})`)
    if (templates.length === 0) continue
    const components = await database.query<Texts>(sql`
      select t.id, ${columns} from ${table(model.name)} t where t.module_id = ${id}::bigint order by t.id`)
    const changes = components.flatMap((component) => {
      const template = templates.find((each) => fillPlaceholders(String(each.name), before) === component.name)
      if (!template) return []
      const changed = texts.flatMap((name) => {
        const [old, now] = [before, after].map((place) => fillPlaceholders(String(template[name]), place))
        return old === component[name] && now !== undefined && now !== old ? [[name, now] as const] : []
      })
      return changed.length > 0 ? [{ id: component.id, ...Object.fromEntries(changed) }] : []
    })
    await updateRows(write, model, changes)
  }
}

async function updateRows(write: Writer, model: Definition, rows: readonly { readonly id: number }[]): Promise<void> {
  // The keys are columns of the model's table.
  if (rows.length > 0) await write.update(model, rows as (Partial<RowOf<Fields>> & { readonly id: number })[])
}
