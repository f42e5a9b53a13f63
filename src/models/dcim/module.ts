import type { Messages } from '../../base/errors.ts'
import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, derived, foreignKey, instruction, text } from '../../schema/field.ts'
import { byIdAnd, related, relatedTree, textFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { fitsInto } from './module-bay-type.ts'

const WORDS: ReadonlyMap<unknown, boolean> = new Map([
  ...[true, 1, '1', 'true', 'True', 'yes', 'on'].map((word) => [word, true] as const),
  ...[false, 0, '0', 'false', 'False', 'no', 'off'].map((word) => [word, false] as const),
])

/** Parses an option of a write that is true or false. */
function readYesOrNo(input: unknown): { readonly value: boolean } | { readonly refused: Messages } {
  const value = WORDS.get(input)
  return value === undefined ? { refused: ['Must be a valid boolean.'] } : { value }
}

const moduleStatus = choices([
  ['offline', 'Offline', 'gray'],
  ['active', 'Active', 'green'],
  ['planned', 'Planned', 'cyan'],
  ['staged', 'Staged', 'blue'],
  ['failed', 'Failed', 'red'],
  ['decommissioning', 'Decommissioning', 'yellow'],
])

/** A field-replaceable part in a module bay, with components of its own. */
export const deviceModule = model({
  name: 'dcim.module',
  path: 'dcim/modules',
  inDocuments: false,
  labels: ['module', 'modules'],
  about: 'A line card or another part that is installed in a bay of a device.',
  earlier: { without: ['is_bay_compatible'] },

  fields: {
    device: foreignKey('dcim.device', { onDelete: 'cascade', related: 'modules' }),
    module_bay: foreignKey('dcim.modulebay', {
      onDelete: 'cascade',
      related: 'installed_module',
      unique: true,
      projection: ['id', 'url', 'display_url', 'display', 'name'],
    }),
    module_type: foreignKey('dcim.moduletype', { related: 'instances' }),
    status: choice(moduleStatus, { default: 'active' }),
    serial: text({ max: 50, default: '', label: 'Serial number' }),
    asset_tag: text({ max: 50, nullable: true, unique: true, blank: true }),
    description,
    owner,
    comments,
    ...housekeeping,
    is_bay_compatible: derived('boolean', (column) => fitsInto(column('module_bay'), column('module_type')), {
      isTyped: true,
    }),
    replicate_components: instruction({ type: 'boolean', default: true }, readYesOrNo),
    adopt_components: instruction({ type: 'boolean', default: false }, readYesOrNo),
  },

  display: '{module_bay.name}: {module_type.model} ({id})',
  brief: ['id', 'url', 'display', 'device', 'module_bay', 'module_type', 'description'],
  order: ['module_bay'],
  search: ['comments', 'description', 'asset_tag', 'device.name', 'serial'],

  filters: {
    ...byIdAnd('name', 'profile', related('module_type.profile', 'dcim.moduletypeprofile')),
    ...byIdAnd('slug', 'manufacturer', related('module_type.manufacturer', 'dcim.manufacturer')),
    module_type: related('module_type', 'dcim.moduletype', 'model'),
    ...byIdAnd('slug', 'region', relatedTree('device.site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('device.site.group', 'dcim.sitegroup')),
    ...byIdAnd('slug', 'site', related('device.site', 'dcim.site')),
    ...byIdAnd('slug', 'location', related('device.location', 'dcim.location')),
    ...byIdAnd('name', 'rack', related('device.rack', 'dcim.rack')),
    device: related('device', 'dcim.device', 'name'),
    serial: textFilter('serial', { default: 'ie' }),
  },
  features: PRIMARY,
})
