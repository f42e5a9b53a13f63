import { boolean, list, text } from '../../schema/field.ts'
import { custom } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/** The text with the first letter of each word in upper case. */
const titleCase = (value: Sql): Sql => sql`(
  select string_agg(upper(left(w.word, 1)) || substr(w.word, 2), ' ' order by w.position)
  from unnest(string_to_array(${value}, ' ')) with ordinality w(word, position)
)`

/** A type of object, with the id that filters and change records use. */
export const contentType = model({
  name: 'core.objecttype',
  path: 'core/object-types',
  page: false,
  labels: ['object type', 'object types'],

  fields: {
    app_label: text({ max: 100 }),
    app_name: text({ default: '', readOnly: true, filter: false }),
    model: text({ max: 100 }),
    model_name: text({ default: '', readOnly: true, filter: false }),
    model_name_plural: text({ default: '', readOnly: true, filter: false }),
    public: boolean({ default: false, readOnly: true }),
    features: list('text', { readOnly: true, default: [], max: 50 }),
    is_plugin_model: boolean({ default: false, readOnly: true, filter: false }),
    rest_api_endpoint: text({ nullable: true, readOnly: true, filter: false }),
    description: text({ default: '', readOnly: true, filter: false }),
  },

  display: (column) => sql`${column('app_name')} || ' > ' || ${titleCase(column('model_name'))}`,
  graphql: false,
  brief: words(`
    id url display app_label app_name model model_name model_name_plural public features
    is_plugin_model rest_api_endpoint description
  `),
  order: ['app_label', 'model'],
  search: ['app_label', 'model'],

  filters: {
    features: custom({
      value: 'text',
      multiple: false,
      where: ({ column }, [value]) => sql`strpos(lower(${column('features')}::text), lower(${value}::text)) > 0`,
    }),
  },
  methods: ['GET'],
  everybodyMayView: true,
})

export const contentTypeModel = registered(contentType, {
  columns: words(`
    display app_label app_name model model_name model_name_plural public features is_plugin_model
    rest_api_endpoint description
  `),
  panels: words(`
    app_label app_name model model_name model_name_plural public features is_plugin_model
    rest_api_endpoint description
  `),
})
