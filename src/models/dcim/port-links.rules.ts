import type { Messages } from '../../base/errors.ts'
import type { Fields } from '../../schema/field.ts'
import type { Definition } from '../../schema/model.ts'
import type { Effect, Read, Refusal, RowOf } from '../../schema/rule.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { OPPOSITE, type PortLink, type PortSide } from './port-links.ts'
import { portMapping, portTemplateMapping } from './port-mapping.ts'

/** Models that link ports, and models that link their templates. */
const WIRING = {
  port: { mapping: portMapping as Definition, owners: ['device'] },
  template: { mapping: portTemplateMapping as Definition, owners: ['device_type', 'module_type'] },
} as const
type Wired = keyof typeof WIRING

type Change = { readonly next: Port; readonly previous: object | undefined; readonly read: Read }
type Port = { readonly id: number; readonly positions: number }

/** The links that a body lists; undefined if it has none. Stored rows have them in the form of change records. */
function linksOf(side: PortSide, port: object): readonly PortLink[] | undefined {
  const list = (port as Record<string, unknown>)[`${OPPOSITE[side]}_ports`]
  return Array.isArray(list) && !list.some((link: object) => !('port' in link)) ? list : undefined
}

interface Mapping extends Record<string, unknown> {
  readonly id: number
}

/** Rules and effects of the pass-through ports of one side, or of their templates. */
export function portLinks(wired: Wired, side: PortSide) {
  const { mapping, owners } = WIRING[wired]
  const other = OPPOSITE[side]
  const [near, far] = [`${side}_port`, `${other}_port`]
  const listed = `${other}_ports`
  const farModel = `dcim.${other}port${wired === 'port' ? '' : 'template'}`

  const mappingsOf = (read: Read, name: string, ids: readonly number[]): Promise<Mapping[]> =>
    // Columns of both mapping tables.
    read.all(mapping, { [name]: ids } as never) as unknown as Promise<Mapping[]>

  const refuseEach = (
    links: readonly PortLink[],
    refuse: (link: PortLink) => Messages | undefined,
  ): Refusal | undefined => {
    const refusals = links.map((link) => refuse(link) ?? {})
    return refusals.some((messages) => Object.keys(messages).length > 0) ? { [listed]: refusals } : undefined
  }

  const linkedPortsExist = async ({ next, read }: Change): Promise<Refusal | undefined> => {
    const links = linksOf(side, next) ?? []
    if (links.length === 0) return
    // Stored links remain allowed, whatever the writing user may view.
    const stored = await mappingsOf(read, near, [next.id])
    const visible = await Promise.all(links.map(({ port }) => read.shows({ name: farModel }, port)))
    const availablePorts = new Set([
      ...links.filter((_, index) => visible[index]).map(({ port }) => port),
      ...stored.map((mapping) => mapping[far]),
    ])
    return refuseEach(links, ({ port }) =>
      availablePorts.has(port) ? undefined : { [far]: [`There is no ${other} port ${port}.`] },
    )
  }

  const positionsAreFree = async ({ next, read }: Change): Promise<Refusal | undefined> => {
    const links = linksOf(side, next) ?? []
    if (links.length === 0) return
    const ids = [...new Set(links.map(({ port }) => port))]
    const taken = new Set(
      (await mappingsOf(read, far, ids))
        .filter((mapping) => mapping[near] !== next.id)
        .map((mapping) => `${mapping[far]} ${mapping[`${far}_position`]}`),
    )
    return refuseEach(links, ({ port, portPosition }) =>
      taken.has(`${port} ${portPosition}`)
        ? { non_field_errors: [`Position ${portPosition} of the ${other} port is already mapped.`] }
        : undefined,
    )
  }

  const positionsSuffice = async ({ next, previous, read }: Change): Promise<Refusal | undefined> => {
    if (!previous) return
    const count = (await mappingsOf(read, near, [next.id])).length
    return next.positions < count
      ? { positions: `${count} positions are in use, so there cannot be fewer.` }
      : undefined
  }

  /** Makes the stored links match the body; unchanged links keep their rows. */
  const wire = async ({
    action,
    rows,
    database,
    write,
  }: Pick<Effect<Fields>, 'database' | 'write' | 'action'> & {
    readonly rows: readonly { readonly next: Port | undefined }[]
  }): Promise<void> => {
    if (action === 'delete') return
    const ports = rows.flatMap(({ next }) => {
      const links = next && linksOf(side, next)
      return next && links ? [{ port: next, links }] : []
    })
    if (ports.length === 0) return
    const stored = await database.query<Mapping>(sql`
      select id, ${identifier(`${near}_id`)} as own, ${identifier(`${near}_position`)} as position,
        ${identifier(`${far}_id`)} as port, ${identifier(`${far}_position`)} as "portPosition"
      from ${table(mapping.name)} where ${identifier(`${near}_id`)} = any(${ports.map(({ port }) => port.id)}::bigint[])`)
    const keyOf = (id: unknown, link: Record<string, unknown> | PortLink) =>
      `${id} ${link.position} ${link.port} ${link.portPosition}`
    // If several links have the same position, the last one counts.
    const linksByKey = new Map(
      ports.flatMap(({ port, links }) =>
        [...new Map(links.map((link) => [link.position, link])).values()].map(
          (link) => [keyOf(port.id, link), { port, link }] as const,
        ),
      ),
    )
    const kept = new Set(stored.map((mapping) => keyOf(mapping.own, mapping)))
    const gone = stored.filter((mapping) => !linksByKey.has(keyOf(mapping.own, mapping)))
    if (gone.length > 0) {
      await write.remove(
        mapping,
        gone.map(({ id }) => id),
      )
    }
    const fresh = [...linksByKey].flatMap(([key, pair]) => (kept.has(key) ? [] : [pair]))
    if (fresh.length === 0) return
    const holders = await frontHolders(
      database,
      fresh.map(({ port, link }) => (side === 'front' ? port.id : link.port)),
    )
    await write.create(
      mapping,
      fresh.map(({ port, link }) => ({
        ...holders.get(side === 'front' ? port.id : link.port),
        [near]: port.id,
        [`${near}_position`]: link.position,
        [far]: link.port,
        [`${far}_position`]: link.portPosition,
      })) as Partial<RowOf<Fields>>[], // keys are columns of the mapping's table
    )
  }

  /** A mapping belongs to the device or type of its front port. */
  const frontHolders = async (
    database: Effect<Fields>['database'],
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, Record<string, unknown>>> => {
    const front = table(wired === 'port' ? 'dcim.frontport' : 'dcim.frontporttemplate')
    const rows = await database.queryArrays(sql`
      select id, ${identifier(`${owners[0]}_id`)}, ${identifier(`${owners.at(-1)}_id`)}
      from ${front} where id = any(${ids}::bigint[])`)
    return new Map(
      rows.map(([id, first, last]) => [
        Number(id),
        Object.fromEntries([[owners[0], first] as const, [owners.at(-1), last] as const]),
      ]),
    )
  }

  return {
    serializerRules: [linkedPortsExist, positionsAreFree],
    modelRules: [positionsSuffice],
    beforeChangeRecord: [wire],
  }
}
