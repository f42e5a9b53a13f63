import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const ikePolicyView = modelView('vpn.ikepolicy', {
  columns: ['name', 'version', 'mode', 'proposals', 'description'],
  moreColumns: words('id preshared_key comments tags created last_updated owner.group owner'),
  labels: { preshared_key: 'Pre-shared Key' },
  panels: [[fieldGroup('IKE policy', ['name', 'description', 'version', 'mode', 'preshared_key'])]],
  tables: [{ model: 'vpn.ikeproposal', by: { ike_policy_id: 'id' }, label: 'Proposals' }],
  cloned: ['version', 'mode', 'proposals'],
  form: [
    fieldGroup('Policy', ['name', 'description', 'tags']),
    fieldGroup('Parameters', ['version', 'mode', 'proposals', 'preshared_key']),
  ],
  filters: [fieldGroup('Parameters', ['version', 'mode', 'ike_proposal_id'])],
  bulkEdit: [fieldGroup('', ['version', 'mode', 'preshared_key', 'description'])],
  importRequires: ['proposals'],
  imports: words(
    'name description version mode proposals.name preshared_key owner.name comments tags.slug',
  ),
  search: { weights: { name: 100, description: 500, comments: 5000 }, shown: ['description'] },
})
