import { choices } from '../../schema/choices.ts'
import { LOGGED, owner, timestamps } from '../../schema/common.ts'
import { boolean, choice, integer, objectTypes, text } from '../../schema/field.ts'
import { objectTypeFilter, textFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, titled, words } from '../../schema/view.ts'

const customLinkButtonClass = choices([
  ['default', 'Default'],
  ['blue', 'Blue'],
  ['indigo', 'Indigo'],
  ['purple', 'Purple'],
  ['pink', 'Pink'],
  ['red', 'Red'],
  ['orange', 'Orange'],
  ['yellow', 'Yellow'],
  ['green', 'Green'],
  ['teal', 'Teal'],
  ['cyan', 'Cyan'],
  ['gray', 'Gray'],
  ['black', 'Black'],
  ['white', 'White'],
  ['ghost-dark', 'Link'],
])

/** A link shown on objects' pages, rendered from templates. */
export const customLink = model({
  name: 'extras.customlink',
  path: 'extras/custom-links',
  labels: ['custom link', 'custom links'],
  about: 'A link from the pages of objects to another system.',

  fields: {
    object_types: objectTypes({ filter: false, feature: 'customLinks' }),
    name: text({ max: 100, unique: true }),
    enabled: boolean({ default: true }),
    link_text: text({}),
    link_url: text({ label: 'Link URL' }),
    weight: integer({ size: 'small', range: [0, 32767], default: 100 }),
    group_name: text({ max: 50, default: '' }),
    button_class: choice(customLinkButtonClass, {
      default: 'default',
      max: 30,
      bare: true,
      filter: 'single',
    }),
    new_window: boolean({ default: false }),
    owner,
    ...timestamps,
  },

  graphql: { enums: { button_class: ['CustomLinkButtonClassEnum', ''] } },
  brief: ['id', 'url', 'display', 'name'],
  order: ['group_name', 'weight', 'name'],
  search: ['group_name', 'link_url', 'name', 'link_text'],

  filters: {
    link_text: textFilter('link_text', { single: true, withoutEmpty: true }),
    link_url: textFilter('link_url', { single: true, withoutEmpty: true }),
    object_type_id: objectTypeFilter('object_types', { byId: true }),
    object_type: objectTypeFilter('object_types', { textLookups: true }),
  },
  features: [...LOGGED, 'cloning', 'exportTemplates'],
})

export const customLinkModel = registered(customLink, {
  columns: words('name object_types enabled group_name button_class new_window'),
  moreColumns: { without: ['owner.group'] },
  labels: titled('object_types new_window'),
  panels: { 'Custom Link': words('name enabled group_name weight button_class new_window') },
  cloned: words('object_types enabled weight group_name button_class new_window'),
  form: {
    'Custom Link': words('name object_types weight group_name button_class enabled new_window'),
    Templates: words('link_text link_url'),
  },
  filters: { Attributes: words('object_type_id enabled new_window weight') },
  bulkEdit: words('owner enabled new_window weight button_class'),
  importRequires: ['weight'],
})
