import { choices } from '../../schema/choices.ts'
import { comments, description, LOGGED } from '../../schema/common.ts'
import { choice, dateTime, derived, json, list, objectType, reverse, slug, tags, text } from '../../schema/field.ts'
import { OBJECT_ICONS, SUBJECT_ICONS } from '../../schema/menu.ts'
import { model } from '../../schema/model.ts'
import { titleCase } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'

/** Path of the models that users define, and of their definitions, as clients of custom objects expect it. */
export const CUSTOM_MODELS_PATH = 'plugins/custom-objects'

/** Names of types and fields: words of lower-case letters and digits, joined by single underscores. */
export const NAME_PATTERN = [
  /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
  'Only lower-case letters, digits and single underscores are allowed, a letter first.',
] as const

const ACRONYMS: ReadonlySet<string> = new Set(['ipam', 'vpn'])
const typeIcon = choices(
  [...OBJECT_ICONS, ...SUBJECT_ICONS].map(
    (name) => [name, ACRONYMS.has(name) ? name.toUpperCase() : titleCase(name)] as const,
  ),
)

/** A model that users define while the service runs. */
export const customObjectType = model({
  name: 'custom_objects.customobjecttype',
  path: `${CUSTOM_MODELS_PATH}/custom-object-types`,
  labels: ['custom object type', 'custom object types'],
  about: 'A kind of object that you define, such as a contract or a licence.',

  fields: {
    name: text({ max: 100, unique: true, pattern: NAME_PATTERN, example: (n) => `kind_${n}` }),
    slug: slug({ max: 100, unique: true }),
    verbose_name: text({ max: 100, default: '', help: 'Name of one object; by default the name' }),
    verbose_name_plural: text({ max: 100, default: '', help: 'Name of several objects; by default with an "s"' }),
    description,
    version: text({
      max: 50,
      default: '',
      pattern: [/^(\d+!)?\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?$/, 'Enter a version such as 1.2.0.'],
      example: null,
    }),
    group_name: text({ max: 100, default: '', help: 'Heading in the menu' }),
    menu_section: text({
      max: 100,
      default: '',
      help: 'Subject of the menu, such as Circuits or a new one; by default Custom Objects',
    }),
    icon: choice(typeIcon, {
      nullable: true,
      blank: true,
      filter: false,
      help: 'Icon of the subject of the menu, unless it has one',
    }),
    display_expression: text({
      max: 500,
      default: '',
      filter: false,
      help: 'Name of an object, such as "{{ number }} ({{ supplier }})"; by default its primary field',
      example: null,
    }),
    unique_together: json({
      default: [],
      help: 'Lists of fields whose values may occur only once together: [["supplier", "number"]]',
      example: null,
    }),
    ordering: list('text', {
      default: [],
      blank: true,
      help: 'Fields by which lists are sorted, with "-" for descending',
      example: null,
    }),
    extends: objectType({
      nullable: true,
      example: null,
      help: 'Type of objects that get the fields, instead of objects of their own: dcim.device',
    }),
    applies_to: json({
      default: {},
      objectOnly: true,
      help: 'Limits an extension to some objects, by fields and their values: {"role": ["router"]}',
      example: null,
    }),
    object_type_name: text({ max: 100, default: '', readOnly: true, label: 'Object type' }),
    table_model_name: derived('text', (column) => sql`split_part(${column('object_type_name')}, '.', 2)`),
    schema_document: json({ nullable: true, readOnly: true, filter: false }),
    comments,
    tags: tags(),
    created: dateTime({ nullable: true, readOnly: true, auto: 'insert' }),
    last_updated: dateTime({ nullable: true, readOnly: true, auto: 'save', unlogged: true }),
    fields: reverse('custom_objects.customobjecttypefield', 'custom_object_type', {
      projection: [
        ...['id', 'url', 'display', 'name', 'label', 'type', 'description', 'group_name', 'required', 'unique'],
        ...['primary', 'context', 'default', 'weight', 'search_weight', 'schema_id', 'related_object_type'],
        ...['related_object_types', 'related_object_filter', 'is_polymorphic', 'on_delete_behavior', 'choice_set'],
      ],
      order: ['weight', 'id'],
    }),
  },

  graphql: false,
  display: (column) => sql`coalesce(nullif(${column('verbose_name')}, ''), replace(${column('name')}, '_', ' '))`,
  brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['group_name', 'name'],
  search: ['name', 'slug', 'verbose_name', 'description', 'comments'],
  features: LOGGED,
  isShared: true,
})
