import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const ikeProposalView = modelView('vpn.ikeproposal', {
  columns: words(`
    name authentication_method encryption_algorithm authentication_algorithm group sa_lifetime
    description
  `),
  moreColumns: ['id', 'comments', 'tags', 'created', 'last_updated', 'owner.group', 'owner'],
  labels: {
    authentication_method: 'Authentication Method',
    encryption_algorithm: 'Encryption Algorithm',
    authentication_algorithm: 'Authentication Algorithm',
    sa_lifetime: 'SA Lifetime',
  },
  panels: [
    [
      fieldGroup(
        'IKE proposal',
        `
          name description authentication_method encryption_algorithm authentication_algorithm group
          sa_lifetime
        `,
      ),
    ],
  ],
  tables: [{ model: 'vpn.ikepolicy', by: { ike_proposal_id: 'id' }, label: 'IKE Policies' }],
  cloned: words(
    'authentication_method encryption_algorithm authentication_algorithm group sa_lifetime',
  ),
  form: [
    fieldGroup('Proposal', ['name', 'description', 'tags']),
    fieldGroup(
      'Parameters',
      'authentication_method encryption_algorithm authentication_algorithm group sa_lifetime',
    ),
  ],
  filters: [
    fieldGroup(
      'Parameters',
      'authentication_method encryption_algorithm authentication_algorithm group',
    ),
  ],
  bulkEdit: [
    fieldGroup(
      '',
      `
        authentication_method encryption_algorithm authentication_algorithm group sa_lifetime
        description
      `,
    ),
  ],
  imports: words(`
    name description authentication_method encryption_algorithm authentication_algorithm group
    sa_lifetime owner.name comments tags.slug
  `),
  search: { weights: { name: 100, description: 500, comments: 5000 }, shown: ['description'] },
})
