import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, manyToMany, text } from '../../schema/field.ts'
import { byIdAnd, related, textFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'

const ikeVersion = choices([
  [1, 'IKEv1'],
  [2, 'IKEv2'],
])

const ikeMode = choices([
  ['aggressive', 'Aggressive'],
  ['main', 'Main'],
])

/** Authentication of the two ends before a tunnel is set up. */
export const ikePolicy = model({
  name: 'vpn.ikepolicy',
  path: 'vpn/ike-policies',
  labels: ['IKE policy', 'IKE policies'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    description,
    version: choice(ikeVersion, { default: 2, required: true, example: 2 }),
    mode: choice(ikeMode, { nullable: true, example: null }),
    proposals: manyToMany('vpn.ikeproposal', { related: 'ike_policies' }),
    preshared_key: text({ default: '', label: 'Pre-shared key', isSecret: true }),
    owner,
    comments,
    ...housekeeping,
  },

  graphql: { enums: { mode: ['IKEModeEnum', ''], version: ['IKEVersionEnum', 'VERSION'] } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  filters: {
    preshared_key: textFilter('preshared_key', { single: true, withoutEmpty: true }),
    ...byIdAnd('name', 'ike_proposal', related('proposals', 'vpn.ikeproposal')),
  },
  features: PRIMARY,
})

/** A mode is required by version 1 of IKE and refused by version 2. */
const modeFitsVersion: Rule<typeof ikePolicy.fields> = ({ next }) => {
  if (next.version === 1 && !next.mode) return { __all__: 'IKEv1 needs a mode.' }
  if (next.version === 2 && next.mode) return { __all__: 'IKEv2 does not use a mode.' }
  return
}

export const ikePolicyModel = registered(ikePolicy, {
  behaviour: rulesFor(ikePolicy, modeFitsVersion),
  columns: words('name version mode proposals description'),
  labels: { preshared_key: 'Pre-shared Key' },
  panels: words('name description version mode preshared_key'),
  tables: [{ model: 'vpn.ikeproposal', by: { ike_policy_id: 'id' }, label: 'Proposals' }],
  cloned: words('version mode proposals'),
  form: {
    Policy: words('name description tags'),
    Parameters: words('version mode proposals preshared_key'),
  },
  filters: { Parameters: words('version mode ike_proposal_id') },
  bulkEdit: { without: ['proposals'] },
  importRequires: ['proposals'],
  search: { shown: ['description'] },
})
