import { foreignKey } from '../../schema/field.ts'
import { choiceFilter, related, relatedTree } from '../../schema/filter.ts'
import { deviceStatus } from './choices/device-status.ts'

/** Where the component's device stands, copied from the device. */
export const componentPlace = {
  _site: foreignKey('dcim.site', {
    onDelete: 'setNull',
    related: '+',
    nullable: true,
    hidden: true,
    repeats: 'device',
  }),
  _location: foreignKey('dcim.location', {
    onDelete: 'setNull',
    related: '+',
    nullable: true,
    hidden: true,
    repeats: 'device',
  }),
  _rack: foreignKey('dcim.rack', {
    onDelete: 'setNull',
    related: '+',
    nullable: true,
    hidden: true,
    repeats: 'device',
  }),
}

/** Form of the module that a component belongs to. */
export const INSTALLED_IN = ['id', 'url', 'display', 'device', 'module_bay'] as const

/** Filters of every component by its device and what the device belongs to. */
export const componentFilters = {
  region_id: relatedTree('device.site.region', 'dcim.region'),
  region: relatedTree('device.site.region', 'dcim.region', 'slug'),
  site_group_id: relatedTree('device.site.group', 'dcim.sitegroup'),
  site_group: relatedTree('device.site.group', 'dcim.sitegroup', 'slug'),
  site_id: related('_site', 'dcim.site'),
  site: related('_site', 'dcim.site', 'slug'),
  location_id: related('_location', 'dcim.location'),
  location: related('_location', 'dcim.location', 'slug'),
  rack_id: related('_rack', 'dcim.rack'),
  rack: related('_rack', 'dcim.rack', 'name'),
  device: related('device', 'dcim.device', 'name'),
  device_type_id: related('device.device_type', 'dcim.devicetype'),
  device_type: related('device.device_type', 'dcim.devicetype', 'model'),
  device_role_id: related('device.role', 'dcim.devicerole'),
  device_role: related('device.role', 'dcim.devicerole', 'slug'),
  virtual_chassis_id: related('device.virtual_chassis', 'dcim.virtualchassis'),
  virtual_chassis: related('device.virtual_chassis', 'dcim.virtualchassis', 'name'),
  device_status: choiceFilter('device.status', deviceStatus),
  tenant_id: related('device.tenant', 'tenancy.tenant'),
  tenant: related('device.tenant', 'tenancy.tenant', 'slug'),
}
