import { fieldGroup, modelView } from '../../schema/view.ts'

export const vlanTranslationRuleView = modelView('ipam.vlantranslationrule', {
  columns: ['policy', 'local_vid', 'remote_vid', 'description'],
  moreColumns: ['id'],
  labels: { local_vid: 'Local VID', remote_vid: 'Remote VID' },
  panels: [
    [fieldGroup('VLAN translation rule', ['policy', 'local_vid', 'remote_vid', 'description'])],
  ],
  cloned: ['policy'],
  form: [fieldGroup('VLAN Translation Rule', 'policy local_vid remote_vid description tags')],
  filters: [fieldGroup('Attributes', ['policy_id', 'local_vid', 'remote_vid'])],
  bulkEdit: [fieldGroup('', ['policy', 'local_vid', 'remote_vid'])],
  imports: ['policy.name', 'local_vid', 'remote_vid', 'tags.slug'],
  search: {
    weights: { policy: 100, local_vid: 200, remote_vid: 200 },
    shown: ['policy', 'local_vid', 'remote_vid'],
  },
})
