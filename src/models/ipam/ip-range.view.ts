import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const ipRangeView = modelView('ipam.iprange', {
  context: ['vrf'],
  columns: words('start_address end_address size vrf status role tenant description'),
  moreColumns: words(`
    id tenant.group mark_populated mark_utilized comments tags created last_updated owner.group
    owner
  `),
  labels: {
    mark_populated: 'Marked Populated',
    mark_utilized: 'Marked Utilized',
  },
  part: 'addressSpace',
  panels: [
    [
      fieldGroup(
        'IP range',
        `
          family start_address end_address size mark_populated mark_utilized vrf role status tenant
          description
        `,
      ),
    ],
  ],
  cloned: ['vrf', 'tenant', 'status', 'role', 'description', 'mark_populated', 'mark_utilized'],
  form: [
    fieldGroup(
      'IP Range',
      'vrf start_address end_address role status mark_populated mark_utilized description tags',
    ),
  ],
  filters: [fieldGroup('Attributes', 'family vrf_id status role_id mark_populated mark_utilized')],
  bulkEdit: [
    fieldGroup('', ['status', 'role', 'vrf', 'tenant', 'mark_utilized', 'description']),
    fieldGroup('More', ['owner', 'comments', 'mark_populated']),
  ],
  importRequires: ['status'],
  imports: words(`
    start_address end_address vrf.name tenant.name status role.name mark_populated mark_utilized
    description owner.name comments tags.slug
  `),
  search: {
    weights: { start_address: 100, end_address: 300, description: 500, comments: 5000 },
    range: ['start_address', 'end_address'],
    shown: ['vrf', 'tenant', 'status', 'role', 'description'],
  },
})
