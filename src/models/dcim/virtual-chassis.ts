import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { counter, foreignKey, reverse, text } from '../../schema/field.ts'
import { byIdAnd, related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { modelView, words } from '../../schema/view.ts'

/** Devices that act as one, such as a switch stack. */
export const virtualChassis = model({
  name: 'dcim.virtualchassis',
  path: 'dcim/virtual-chassis',
  labels: ['virtual chassis', 'virtual chassis'],

  fields: {
    name: text({ max: 64, collation: 'natural' }),
    domain: text({ max: 30, default: '' }),
    master: foreignKey('dcim.device', {
      related: 'vc_master_for',
      nullable: true,
      unique: true,
      resetOnPut: true,
      projection: ['id', 'url', 'display_url', 'display', 'name'],
    }),
    description,
    owner,
    comments,
    ...housekeeping,
    member_count: counter('dcim.device', 'virtual_chassis'),
    members: reverse('dcim.device', 'virtual_chassis', {
      projection: ['id', 'url', 'display_url', 'display', 'name'],
    }),
  },

  brief: ['id', 'url', 'display', 'name', 'master', 'description', 'member_count'],
  naturalKey: ['name'],
  order: ['name'],
  search: ['domain', 'members.name', 'name', 'description'],

  filters: {
    master: related('master', 'dcim.device', 'name'),
    ...byIdAnd('slug', 'region', relatedTree('master.site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('master.site.group', 'dcim.sitegroup')),
    ...byIdAnd('slug', 'site', related('master.site', 'dcim.site')),
    ...byIdAnd('slug', 'tenant', related('master.tenant', 'tenancy.tenant')),
  },
  features: PRIMARY,
})

export const virtualChassisView = modelView(virtualChassis, {
  context: ['master'],
  columns: words('name domain master member_count'),
  moreColumns: words('id description comments tags created last_updated owner.group owner'),
  labels: {
    member_count: 'Members',
  },
  panels: words('domain master description'),
  form: {
    'Virtual Chassis': words('name domain description tags'),
    'Member Devices': ['members'],
  },
  filters: {
    Location: words('region_id site_group_id site_id'),
    Tenant: ['tenant_id'],
  },
  bulkEdit: words('domain description'),
  imports: words('name domain master.name description owner.name comments tags.slug'),
  search: { weights: { domain: 300 }, shown: words('master domain description') },
})
