import { housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { type Fields, foreignKey, type NoFields, text } from '../../schema/field.ts'
import { byIdAnd, choiceFilter, related, relatedTree } from '../../schema/filter.ts'
import { type Definition, model } from '../../schema/model.ts'
import type { Read, Refusal } from '../../schema/rule.ts'
import { deviceStatus } from './choices.ts'
import { device } from './device.ts'

const copiedFromDevice = {
  onDelete: 'setNull',
  related: '+',
  nullable: true,
  hidden: true,
  repeats: 'device',
} as const

/** Place of the component's device, copied from the device. */
const componentPlace = {
  _site: foreignKey('dcim.site', copiedFromDevice),
  _location: foreignKey('dcim.location', copiedFromDevice),
  _rack: foreignKey('dcim.rack', copiedFromDevice),
}

/** Projection of the module that a component belongs to. */
export const INSTALLED_IN = ['id', 'url', 'display', 'device', 'module_bay'] as const

/** Filters of every component by its device and the properties of the device. */
const componentFilters = {
  ...byIdAnd('slug', 'region', relatedTree('device.site.region', 'dcim.region')),
  ...byIdAnd('slug', 'site_group', relatedTree('device.site.group', 'dcim.sitegroup')),
  ...byIdAnd('slug', 'site', related('_site', 'dcim.site')),
  ...byIdAnd('slug', 'location', related('_location', 'dcim.location')),
  ...byIdAnd('name', 'rack', related('_rack', 'dcim.rack')),
  device: related('device', 'dcim.device', 'name'),
  ...byIdAnd('model', 'device_type', related('device.device_type', 'dcim.devicetype')),
  ...byIdAnd('slug', 'device_role', related('device.role', 'dcim.devicerole')),
  ...byIdAnd('name', 'virtual_chassis', related('device.virtual_chassis', 'dcim.virtualchassis')),
  device_status: choiceFilter('device.status', deviceStatus),
  ...byIdAnd('slug', 'tenant', related('device.tenant', 'tenancy.tenant')),
}

/**
 * The device of a component; `related`: name of the inverse relation from the device to its components of this model.
 */
export const ofDevice = (related: string) => ({
  device: foreignKey('dcim.device', { onDelete: 'cascade', related }),
})

/** The device of a component, and the module if the component belongs to one. */
export const ofDeviceOrModule = (related: string) => ({
  ...ofDevice(related),
  module: foreignKey('dcim.module', {
    onDelete: 'cascade',
    related,
    nullable: true,
    projection: INSTALLED_IN,
  }),
})

/** Name and label of a component. */
export const labelled = {
  name: text({ max: 64, collation: 'natural' }),
  label: text({ max: 64, default: '' }),
}

type Component<Own, Derived> = Pick<Definition, 'name' | 'path' | 'labels' | 'brief'> &
  Partial<Omit<Definition, 'fields'>> & {
    /** Fields before the owner; the device is one of them. */
    readonly fields: Own
    /** Fields after the owner, tags, custom fields and timestamps. */
    readonly derived?: Derived
  }

/**
 * A model of components of devices. Its fields are `fields`, owner, tags, custom fields, `derived`, and hidden copies
 * of the device's place. Objects are ordered by device and name, have names that are unique in the device and have
 * all filters of devices.
 */
export function component<const Own extends Fields, const Derived extends Fields = NoFields>({
  fields,
  derived,
  filters,
  ...definition
}: Component<Own, Derived>) {
  return model({
    display: '{name}[ ({label})]',
    order: ['device', 'name'],
    search: ['description', 'name', 'label'],
    indexes: [{ partsOf: 'label' }, { partsOf: 'description' }],
    unique: [{ fields: ['device', 'name'] }],
    features: PRIMARY,
    changeRelates: 'device',
    ...definition,
    filters: { ...componentFilters, ...filters },
    fields: { ...fields, owner, ...housekeeping, ...(derived as Derived), ...componentPlace },
  })
}

interface InDevice {
  readonly device: number
}

/** Refuses to move a component to another device, because its cables and addresses belong to its device. */
export const staysInDevice = ({
  next,
  previous,
}: {
  readonly next: InDevice
  readonly previous: InDevice | undefined
}): Refusal | undefined =>
  previous && previous.device !== next.device ? { device: 'A component cannot be moved to another device.' } : undefined

/** Refuses a cabled component that is marked as connected: the mark is for connections without a cable. */
export const cableOrMark = ({
  next,
}: {
  readonly next: { readonly cable: number | null; readonly mark_connected: boolean }
}): Refusal | undefined =>
  next.cable !== null && next.mark_connected ? { mark_connected: 'A cable is already connected here.' } : undefined

/** Sets the place of a component from its device. NetBox 4.6.8 ComponentModel.save. */
export async function fillComponentPlace({
  next,
  read,
}: {
  readonly next: { readonly device: number }
  readonly read: Read
}): Promise<{ _site: number; _location: number | null; _rack: number | null }> {
  const holder = await read.get(device, next.device)
  return { _site: holder.site, _location: holder.location, _rack: holder.rack }
}
