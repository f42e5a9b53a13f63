import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

/** A BGP extended community by which VRFs exchange routes. */
export const routeTarget = model({
  name: 'ipam.routetarget',
  path: 'ipam/route-targets',
  labels: ['route target', 'route targets'],
  about: 'An extended BGP community by which VRFs import and export routes.',

  fields: {
    name: text({ max: 21, unique: true, collation: 'natural' }),
    tenant,
    description,
    owner,
    comments,
    ...housekeeping,
  },

  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['name', 'description'],

  filters: {
    ...byIdAnd('rd', 'importing_vrf', related('importing_vrfs', 'ipam.vrf')),
    ...byIdAnd('rd', 'exporting_vrf', related('exporting_vrfs', 'ipam.vrf')),
    ...byIdAnd('identifier', 'importing_l2vpn', related('importing_l2vpns', 'vpn.l2vpn')),
    ...byIdAnd('identifier', 'exporting_l2vpn', related('exporting_l2vpns', 'vpn.l2vpn')),
  },
  features: PRIMARY,
})

export const routeTargetModel = registered(routeTarget, {
  columns: words('name tenant description'),
  panels: words('name tenant description'),
  tables: [
    { model: 'ipam.vrf', by: { import_target_id: 'id' }, label: 'Importing VRFs' },
    { model: 'ipam.vrf', by: { export_target_id: 'id' }, label: 'Exporting VRFs' },
    { model: 'vpn.l2vpn', by: { import_target_id: 'id' }, label: 'Importing L2VPNs' },
    { model: 'vpn.l2vpn', by: { export_target_id: 'id' }, label: 'Exporting L2VPNs' },
  ],
  form: { 'Route Target': words('name description tags') },
  filters: { VRF: words('importing_vrf_id exporting_vrf_id') },
  search: { shown: words('tenant description') },
})
