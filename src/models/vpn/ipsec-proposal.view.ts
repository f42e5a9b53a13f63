import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const ipsecProposalView = modelView('vpn.ipsecproposal', {
  columns: words(`
    name encryption_algorithm authentication_algorithm sa_lifetime_seconds sa_lifetime_data
    description
  `),
  moreColumns: ['id', 'comments', 'tags', 'created', 'last_updated', 'owner.group', 'owner'],
  labels: {
    encryption_algorithm: 'Encryption Algorithm',
    authentication_algorithm: 'Authentication Algorithm',
    sa_lifetime_seconds: 'SA Lifetime (Seconds)',
    sa_lifetime_data: 'SA Lifetime (KB)',
  },
  formLabels: { encryption_algorithm: 'Encryption', authentication_algorithm: 'Authentication' },
  panels: [
    [
      fieldGroup(
        'IPSec proposal',
        `
          name description encryption_algorithm authentication_algorithm sa_lifetime_seconds
          sa_lifetime_data
        `,
      ),
    ],
  ],
  tables: [{ model: 'vpn.ipsecpolicy', by: { ipsec_proposal_id: 'id' }, label: 'IPSec Policies' }],
  cloned: words(
    'encryption_algorithm authentication_algorithm sa_lifetime_seconds sa_lifetime_data',
  ),
  form: [
    fieldGroup('Proposal', ['name', 'description', 'tags']),
    fieldGroup(
      'Parameters',
      'encryption_algorithm authentication_algorithm sa_lifetime_seconds sa_lifetime_data',
    ),
  ],
  filters: [fieldGroup('Parameters', ['encryption_algorithm', 'authentication_algorithm'])],
  bulkEdit: [
    fieldGroup(
      '',
      `
        encryption_algorithm authentication_algorithm sa_lifetime_seconds sa_lifetime_data
        description
      `,
    ),
  ],
  imports: words(`
    name description encryption_algorithm authentication_algorithm sa_lifetime_seconds
    sa_lifetime_data owner.name comments tags.slug
  `),
  search: { weights: { name: 100, description: 500, comments: 5000 }, shown: ['description'] },
})
