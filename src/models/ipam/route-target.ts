import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

/** A BGP extended community by which VRFs exchange routes. */
export const routeTarget = model({
  name: 'ipam.routetarget',
  path: 'ipam/route-targets',
  labels: ['route target', 'route targets'],

  fields: {
    name: text({ max: 21, unique: true, collation: 'natural' }),
    tenant,
    description,
    owner,
    comments,
    ...housekeeping,
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['name', 'description'],

  filters: {
    importing_vrf_id: related('importing_vrfs', 'ipam.vrf'),
    importing_vrf: related('importing_vrfs', 'ipam.vrf', 'rd'),
    exporting_vrf_id: related('exporting_vrfs', 'ipam.vrf'),
    exporting_vrf: related('exporting_vrfs', 'ipam.vrf', 'rd'),
    importing_l2vpn_id: related('importing_l2vpns', 'vpn.l2vpn'),
    importing_l2vpn: related('importing_l2vpns', 'vpn.l2vpn', 'identifier'),
    exporting_l2vpn_id: related('exporting_l2vpns', 'vpn.l2vpn'),
    exporting_l2vpn: related('exporting_l2vpns', 'vpn.l2vpn', 'identifier'),
  },
  features: PRIMARY,
})
