import { LOGGED, timestamps } from '../../schema/common.ts'
import { choice, foreignKey, genericForeignKey, integer, list } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { words } from '../../schema/view.ts'
import { cableTerminationFilters } from './cable.ts'
import { CABLE_TERMINATION_MODELS } from './cabling/cabled.ts'
import { cableEnd } from './choices.ts'

/** One object at one end of a cable. */
export const cableTermination = model({
  name: 'dcim.cabletermination',
  path: 'dcim/cable-terminations',
  page: false,
  labels: ['cable termination', 'cable terminations'],

  fields: {
    cable: foreignKey('dcim.cable', {
      onDelete: 'cascade',
      related: 'terminations',
      readOnly: true,
      bare: true,
    }),
    cable_end: choice(cableEnd, { readOnly: true, max: 1, bare: true, filter: 'single' }),
    termination: genericForeignKey(CABLE_TERMINATION_MODELS, {
      nullable: false,
      readOnly: true,
      related: 'cable_terminations',
    }),
    connector: integer({
      size: 'small',
      range: [1, 256],
      nullable: true,
      readOnly: true,
      filter: false,
    }),
    positions: list('integer', { nullable: true, readOnly: true, range: [1, 1024] }),
    ...timestamps,
    _device: foreignKey('dcim.device', { onDelete: 'cascade', nullable: true, hidden: true }),
    _rack: foreignKey('dcim.rack', { onDelete: 'cascade', nullable: true, hidden: true }),
    _location: foreignKey('dcim.location', { onDelete: 'cascade', nullable: true, hidden: true }),
    _site: foreignKey('dcim.site', { onDelete: 'cascade', nullable: true, hidden: true }),
  },

  display: 'Cable {cable.display} to {termination.display}',
  graphql: {
    isPart: true,
    none: ['custom_fields', 'tags'],
    optional: ['cable'],
    back: {
      _device: 'cabletermination_set',
      _rack: 'cabletermination_set',
      _location: 'cabletermination_set',
      _site: 'cabletermination_set',
    },
  },
  brief: words(`
    id url display cable cable_end termination_type termination_id connector positions
  `),
  order: ['cable', 'cable_end', 'connector', 'id'],
  unique: [{ fields: ['termination_type', 'termination_id'] }, { fields: ['cable', 'cable_end', 'connector'] }],

  filters: {
    ...cableTerminationFilters,
    cable: related('cable', 'dcim.cable', 'id', { single: true }),
  },
  features: LOGGED,
  methods: ['GET'],
  changeRelates: 'termination',
  changeSide: { of: 'cable', side: 'cable_end' },
})
