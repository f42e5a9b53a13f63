import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const ipsecPolicyView = modelView('vpn.ipsecpolicy', {
  columns: ['name', 'proposals', 'pfs_group', 'description'],
  moreColumns: ['id', 'comments', 'tags', 'created', 'last_updated', 'owner.group', 'owner'],
  labels: { pfs_group: 'PFS Group' },
  panels: [[fieldGroup('IPSec policy', ['name', 'description', 'pfs_group'])]],
  tables: [{ model: 'vpn.ipsecproposal', by: { ipsec_policy_id: 'id' }, label: 'Proposals' }],
  cloned: ['proposals', 'pfs_group'],
  form: [
    fieldGroup('Policy', ['name', 'description', 'tags']),
    fieldGroup('Parameters', ['proposals', 'pfs_group']),
  ],
  filters: [fieldGroup('Parameters', ['ipsec_proposal_id', 'pfs_group'])],
  bulkEdit: [fieldGroup('', ['pfs_group', 'description'])],
  importRequires: ['proposals'],
  imports: words('name description proposals.name pfs_group owner.name comments tags.slug'),
  search: { weights: { name: 100, description: 500, comments: 5000 }, shown: ['description'] },
})
