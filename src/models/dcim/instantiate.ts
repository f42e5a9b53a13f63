import { ApiError } from '../../base/errors.ts'
import type { Fields } from '../../schema/field.ts'
import type { Definition } from '../../schema/model.ts'
import type { RowOf, Writer } from '../../schema/rule.ts'
import { empty, identifier, join, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { consolePort, consoleServerPort, frontPort, powerOutlet, powerPort, rearPort } from './components.ts'
import { coolingIntake, coolingOutflow } from './cooling-ports.ts'
import { deviceBay } from './device-bay.ts'
import { deviceInterface } from './interface.ts'
import { inventoryItem } from './inventory-item.ts'
import { moduleBay } from './module-bay.ts'
import { fillPlaceholders, type Place } from './placeholders.ts'
import { portMapping } from './port-mapping.ts'

/** A kind of component: its model, and the fields copied from the template besides name and label. */
export interface Kind {
  readonly component: Definition
  readonly copied: readonly string[]
}

/**
 * Kinds of components by the prefix of their counters in device types and module types, in the order in which those of a
 * device are created: each after the kinds that it refers to.
 */
export const KINDS = {
  console_port: { component: consolePort, copied: ['type'] },
  console_server_port: { component: consoleServerPort, copied: ['type'] },
  power_port: { component: powerPort, copied: ['type', 'maximum_draw', 'allocated_draw'] },
  power_outlet: { component: powerOutlet, copied: ['type', 'color', 'feed_leg'] },
  cooling_intake: {
    component: coolingIntake,
    copied: ['type', 'diameter', 'diameter_unit', 'max_flow', 'max_flow_unit'],
  },
  cooling_outflow: { component: coolingOutflow, copied: ['type', 'diameter', 'diameter_unit'] },
  interface: {
    component: deviceInterface,
    copied: ['type', 'channels', 'channel_id', 'enabled', 'mgmt_only', 'poe_mode', 'poe_type', 'rf_role'],
  },
  rear_port: { component: rearPort, copied: ['type', 'color', 'positions'] },
  front_port: { component: frontPort, copied: ['type', 'color', 'positions'] },
  module_bay: { component: moduleBay, copied: ['position', 'enabled'] },
  device_bay: { component: deviceBay, copied: ['enabled'] },
  inventory_item: {
    component: inventoryItem,
    copied: ['role_id', 'manufacturer_id', 'part_id'],
  },
} satisfies Record<string, Kind>
export type KindName = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[] // no others

/** A new owner of components: a device, or a module within one. */
interface Holder extends Place {
  /** Device type or module type. */
  readonly type: number
  readonly device: {
    readonly id: number
    readonly site: number
    readonly location: number | null
    readonly rack: number | null
  }
  readonly module: { readonly id: number; readonly bay: number } | null
  /** Existing components of the device that the holder adopts instead of creating new ones. */
  readonly adopts: boolean
  readonly replicates: boolean
}

interface StoredTemplate {
  readonly id: number
  readonly owner: number
  readonly name: string
  readonly label: string
  /** Other templates that this one refers to. */
  readonly power_port_id?: number | null
  readonly cooling_intake_id?: number | null
  readonly bridge_id?: number | null
  readonly parent_id?: number | null
  readonly component_type?: string | null
  readonly component_id?: number | null
  readonly [copied: string]: unknown
}

interface Template extends StoredTemplate {
  /** Values of the copied fields, for each component created from the template. */
  readonly copies: Row
}

/** Columns of templates that refer to other templates, or to the order of a tree. */
export const REFERENCES: Partial<Record<KindName, readonly string[]>> = {
  power_outlet: ['power_port_id'],
  cooling_outflow: ['cooling_intake_id'],
  interface: ['bridge_id', 'parent_id'],
  inventory_item: ['parent_id', 'component_type', 'component_id', '_level'],
}

type Row = Record<string, unknown>

/** Ids of the bay types of a module bay template. */
const BAY_TYPES = sql`, array(
  select x.modulebaytype_id from ${table('dcim.modulebaytemplate.module_bay_types')} x
  where x.modulebaytemplate_id = t.id order by 1) as module_bay_types`

const TYPE_MODELS = { device_type: 'dcim.devicetype', module_type: 'dcim.moduletype' } as const

/**
 * Creates the components that the types of the holders list, with one insert per kind, whatever the number of holders.
 * `order` is the order of kinds. Throws ApiError if two components of a holder would have the same name. NetBox
 * 4.6.8 dcim/models/devices.py and modules.py.
 */
export class Instantiation {
  readonly #database: Queryable
  readonly #write: Writer
  readonly #by: 'device_type' | 'module_type'
  readonly #holders: readonly Holder[]
  /** Ids of components by kind, holder and template. */
  readonly #made = new Map<string, number>()

  constructor(
    { database, write }: { readonly database: Queryable; readonly write: Writer },
    by: 'device_type' | 'module_type',
    holders: readonly Holder[],
  ) {
    this.#database = database
    this.#write = write
    this.#by = by
    this.#holders = holders
  }

  async run(order: readonly KindName[]): Promise<void> {
    const present = await this.#presentKinds(order)
    const bridges: { holder: number; template: Template }[] = []
    for (const name of present) {
      const templates = await this.#templates(name)
      if (name === 'inventory_item') await this.#makeTree(templates)
      else await this.#make(name, templates)
      if (name === 'front_port' && this.#by === 'device_type') await this.#connectPorts()
      if (name === 'interface') {
        for (const { holder, template } of this.#pairs(templates)) {
          if (typeof template.bridge_id === 'number' || typeof template.parent_id === 'number') {
            bridges.push({ holder, template })
          }
        }
      }
    }
    if (this.#by === 'module_type' && present.includes('front_port')) await this.#connectPorts()
    await this.#setBridges(bridges)
  }

  /** Kinds for which any of the types has templates, according to the counters of the types. */
  async #presentKinds(order: readonly KindName[]): Promise<readonly KindName[]> {
    const sums = order.map((name) => sql`sum(t.${identifier(`${name}_template_count`)})::int`)
    const types = table(TYPE_MODELS[this.#by])
    const [counts = []] = await this.#database.queryArrays(sql`
      select ${join(sums)} from ${types} t where t.id = any(${this.#types()}::bigint[])`)
    return order.filter((_, index) => Number(counts[index] ?? 0) > 0)
  }

  #types(): number[] {
    return [...new Set(this.#holders.map(({ type }) => type))]
  }

  async #templates(name: KindName): Promise<ReadonlyMap<number, readonly Template[]>> {
    const { component, copied }: Kind = KINDS[name]
    const columns = [...copied, ...(REFERENCES[name] ?? [])].map((column) => identifier('t', column))
    const owner = identifier('t', `${this.#by}_id`)
    const bayTypes = name === 'module_bay' ? BAY_TYPES : empty
    const rows = await this.#database.query<Row & StoredTemplate>(sql`
      select t.id, ${owner} as owner, t.name, t.label, ${join(columns)}${bayTypes}
      from ${table(`${component.name}template`)} t
      where ${owner} = any(${this.#types()}::bigint[]) order by ${owner}, t.name, t.id`)
    const copiesOf = (row: Row) =>
      Object.fromEntries(copied.map((key) => [key in component.fields ? key : key.replace(/_id$/, ''), row[key]]))
    return Map.groupBy(
      rows.map((row): Template => ({ ...row, copies: copiesOf(row) })),
      ({ owner }) => owner,
    )
  }

  /** Each holder with each template of its type. */
  #pairs(templates: ReadonlyMap<number, readonly Template[]>) {
    return this.#holders.flatMap(({ type }, holder) =>
      (templates.get(type) ?? []).map((template) => ({ holder, template })),
    )
  }

  async #make(name: KindName, templates: ReadonlyMap<number, readonly Template[]>): Promise<void> {
    const pairs = this.#pairs(templates).map((pair) => ({ ...pair, row: this.#row(name, pair) }))
    this.#refuseDoubleNames(pairs)
    const adopted = await this.#adopt(name, pairs)
    const fresh = pairs.filter(({ holder }, index) => !adopted.has(index) && this.#holders[holder]?.replicates)
    if (fresh.length === 0) return
    const ids = await this.#write.create(
      KINDS[name].component as Definition,
      fresh.map(({ row }) => row) as Partial<RowOf<Fields>>[], // keys are columns of the component's table
    )
    fresh.forEach(({ holder, template }, index) => {
      this.#remember(name, holder, template.id, ids[index] ?? 0)
    })
  }

  #row(name: KindName, { holder: at, template }: { holder: number; template: Template }): Row {
    const holder = this.#holders[at]
    if (!holder) throw new Error(`No holder ${at}`)
    const { device, module } = holder
    const text = (value: unknown) => fillPlaceholders(String(value), holder) ?? String(value)
    return {
      ...template.copies,
      device: device.id,
      name: text(template.name),
      label: text(template.label),
      _site: device.site,
      _location: device.location,
      _rack: device.rack,
      ...(name === 'inventory_item' ? { part_id: template.part_id } : {}),
      ...(name === 'device_bay' || name === 'inventory_item' ? {} : { module: module?.id ?? null }),
      ...(name === 'module_bay'
        ? {
            position: text(template.position),
            parent: module?.bay ?? null,
            module_bay_types: template.module_bay_types,
          }
        : {}),
      ...(name === 'power_outlet' ? { power_port: this.#recall('power_port', at, template.power_port_id) } : {}),
      ...(name === 'cooling_outflow'
        ? { cooling_intake: this.#recall('cooling_intake', at, template.cooling_intake_id) }
        : {}),
    }
  }

  #refuseDoubleNames(pairs: readonly { holder: number; row: Row }[]): void {
    for (const list of Map.groupBy(pairs, ({ holder }) => holder).values()) {
      const names = list.map(({ row }) => String(row.name))
      const double = names.filter((name, index) => names.indexOf(name) !== index)
      if (double.length > 0) {
        const detail = `Components would have the same name: ${[...new Set(double)].join(', ')}.`
        throw new ApiError({ kind: 'malformed', detail })
      }
    }
  }

  /** Adopts components of the same name that belong to no module. Returns the positions of those pairs. */
  async #adopt(
    name: KindName,
    pairs: readonly { holder: number; template: Template; row: Row }[],
  ): Promise<ReadonlySet<number>> {
    const holders = this.#holders.filter(({ adopts }) => adopts)
    const adopted = new Set<number>()
    if (holders.length === 0) return adopted
    const component = KINDS[name].component as Definition
    const loose = await this.#database.query<{ id: number; device: number; name: string }>(sql`
      select t.id, t.device_id as device, t.name
      from ${table(component.name)} t
      where t.module_id is null and t.device_id = any(${holders.map(({ device }) => device.id)}::bigint[])`)
    const ids = new Map(loose.map((component) => [`${component.device} ${component.name}`, component.id]))
    const changes: Row[] = []
    pairs.forEach(({ holder: at, template, row }, index) => {
      const holder = this.#holders[at]
      const id = ids.get(`${row.device} ${row.name}`)
      if (!holder?.adopts || id === undefined) return
      adopted.add(index)
      this.#remember(name, at, template.id, id)
      const place = name === 'module_bay' ? { parent: holder.module?.bay ?? null } : {}
      changes.push({ id, module: holder.module?.id ?? null, ...place })
    })
    if (changes.length > 0) {
      await this.#write.update(
        component,
        changes as (Partial<RowOf<Fields>> & { readonly id: number })[], // keys are columns of its table
      )
    }
    return adopted
  }

  /** Creates inventory items, level by level: an item needs the id of its parent. */
  async #makeTree(templates: ReadonlyMap<number, readonly Template[]>): Promise<void> {
    const levels = Map.groupBy(this.#pairs(templates), ({ template }) => Number(template._level))
    for (const level of [...levels.keys()].sort((left, right) => left - right)) {
      const pairs = levels.get(level) ?? []
      const rows = pairs.map((pair) => ({
        ...this.#row('inventory_item', pair),
        parent: this.#recall('inventory_item', pair.holder, pair.template.parent_id),
        ...this.#componentOf(pair),
      }))
      const ids = await this.#write.create(inventoryItem, rows as Partial<ItemRow>[])
      pairs.forEach(({ holder, template }, index) => {
        this.#remember('inventory_item', holder, template.id, ids[index] ?? 0)
      })
    }
  }

  #componentOf({ holder, template }: { holder: number; template: Template }): Row {
    const type = template.component_type?.replace(/template$/, '')
    const kind = KIND_NAMES.find((candidate) => KINDS[candidate].component.name === type)
    const id = kind ? this.#recall(kind, holder, template.component_id) : null
    return id === null ? {} : { component_type: type, component_id: id }
  }

  async #connectPorts(): Promise<void> {
    const owner = identifier('t', `${this.#by}_id`)
    const mappings = await this.#database.query<{
      owner: number
      front: number
      front_position: number
      rear: number
      rear_position: number
    }>(sql`
      select ${owner} as owner, t.front_port_id as front, t.front_port_position as front_position,
        t.rear_port_id as rear, t.rear_port_position as rear_position
      from ${table('dcim.porttemplatemapping')} t
      where ${owner} = any(${this.#types()}::bigint[]) order by t.id`)
    const rows = this.#holders.flatMap(({ type, device }, holder) =>
      mappings.flatMap((mapping) => {
        if (mapping.owner !== type) return []
        const front = this.#recall('front_port', holder, mapping.front)
        const rear = this.#recall('rear_port', holder, mapping.rear)
        if (front === null || rear === null) return []
        return {
          device: device.id,
          front_port: front,
          front_port_position: mapping.front_position,
          rear_port: rear,
          rear_port_position: mapping.rear_position,
        }
      }),
    )
    if (rows.length > 0) await this.#write.create(portMapping, rows)
  }

  /** Bridges and parents are set after all interfaces have been created. */
  async #setBridges(bridges: readonly { holder: number; template: Template }[]): Promise<void> {
    const rows = bridges.flatMap(({ holder, template }) => {
      const id = this.#recall('interface', holder, template.id)
      const bridge = this.#recall('interface', holder, template.bridge_id)
      const parent = this.#recall('interface', holder, template.parent_id)
      return id === null ? [] : [{ id, bridge, parent }]
    })
    if (rows.length > 0) await this.#write.update(deviceInterface, rows)
  }

  #remember(name: KindName, holder: number, template: number, id: number): void {
    this.#made.set(`${name} ${holder} ${template}`, id)
  }

  #recall(name: KindName, holder: number, template: number | null | undefined): number | null {
    return this.#made.get(`${name} ${holder} ${template}`) ?? null
  }
}

type ItemRow = RowOf<typeof inventoryItem.fields>
