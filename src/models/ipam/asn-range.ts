import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { foreignKey, integer, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, tab, words } from '../../schema/view.ts'

/** A range from which AS numbers are assigned. */
export const asnRange = model({
  name: 'ipam.asnrange',
  path: 'ipam/asn-ranges',
  labels: ['ASN range', 'ASN ranges'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    slug: slug({ max: 100, unique: true }),
    rir: foreignKey('ipam.rir', { related: 'asn_ranges' }),
    start: integer({ size: 'big', range: [1, 4294967295] }),
    end: integer({ size: 'big', range: [1, 4294967295], example: (n) => 100 * n }),
    tenant,
    description,
    owner,
    comments,
    ...housekeeping,
  },

  display: '{name} ({start}-{end})',
  graphql: { optional: ['rir'] },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['name', 'description'],

  features: PRIMARY,
})

const endsAfterStart: Rule<typeof asnRange.fields> = ({ next }) =>
  next.end <= next.start ? { __all__: `The range must end after ${next.start}, where it starts.` } : undefined

export const asnRangeModel = registered(asnRange, {
  behaviour: rulesFor(asnRange, endsAfterStart),
  context: ['rir'],
  columns: words('name rir start end tenant description'),
  panels: words('name rir start end tenant description'),
  tabs: [tab('asns', 'ipam.asn', { asn__gte: 'start', asn__lte: 'end' }, { label: 'ASNs', hiddenIfEmpty: false })],
  form: { 'ASN Range': words('name slug rir start end description tags') },
  filters: { Range: words('rir_id start end') },
  bulkEdit: words('rir tenant description'),
  search: { weights: { slug: null }, shown: words('rir tenant description') },
})
