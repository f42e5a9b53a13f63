import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, counter, date, decimal, foreignKey, json, manyToMany, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { isJsonObject } from '../../schema/json.ts'
import { checkSchema } from '../../schema/json-schema.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type Change, type Normalizer, type Refusal, type Rule } from '../../schema/rule.ts'
import { registered, tab, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { weightUnit } from '../core/choices.ts'
import { templatePresenceFilters } from './component-presence.ts'
import { componentLists } from './component-template.ts'
import { coolingMethod } from './cooling.ts'
import { refuseNegative, weightNeedsUnit } from './measures.rules.ts'
import { bayTypeFilters } from './module-bay-type.ts'
import { moduleTypeProfile } from './module-type-profile.ts'
import { storedGrams } from './units.ts'

const moduleAirflow = choices([
  ['front-to-rear', 'Front to rear'],
  ['rear-to-front', 'Rear to front'],
  ['left-to-right', 'Left to right'],
  ['right-to-left', 'Right to left'],
  ['side-to-rear', 'Side to rear'],
  ['passive', 'Passive'],
])

/** A make and model of module and the components that its modules come with. */
export const moduleType = model({
  name: 'dcim.moduletype',
  path: 'dcim/module-types',
  labels: ['module type', 'module types'],
  about: 'A model of module with its ports, which new modules of the type get.',
  earlier: {
    without: [
      ...['cooling_method', 'end_of_life', 'module_bay_types'],
      ...['cooling_intake_template_count', 'cooling_outflow_template_count'],
    ],
  },

  fields: {
    profile: foreignKey('dcim.moduletypeprofile', { related: 'module_types', nullable: true }),
    manufacturer: foreignKey('dcim.manufacturer', { related: 'module_types' }),
    model: text({ max: 100 }),
    part_number: text({ max: 50, default: '' }),
    airflow: choice(moduleAirflow, { nullable: true, blank: true, filter: 'single' }),
    cooling_method: choice(coolingMethod, { nullable: true, blank: true, filter: 'single' }),
    weight: decimal({ unit: 'weight_unit', digits: 8, places: 2, nullable: true }),
    weight_unit: choice(weightUnit, { nullable: true, blank: true, filter: 'single' }),
    end_of_life: date({ nullable: true }),
    description,
    attributes: json({ column: 'attribute_data', nullable: true }),
    module_bay_types: manyToMany('dcim.modulebaytype', { related: 'module_types' }),
    owner,
    comments,
    ...housekeeping,
    module_count: counter('dcim.module', 'module_type'),
    console_port_template_count: counter('dcim.consoleporttemplate', 'module_type'),
    console_server_port_template_count: counter('dcim.consoleserverporttemplate', 'module_type'),
    power_port_template_count: counter('dcim.powerporttemplate', 'module_type'),
    power_outlet_template_count: counter('dcim.poweroutlettemplate', 'module_type'),
    cooling_intake_template_count: counter('dcim.coolingintaketemplate', 'module_type'),
    cooling_outflow_template_count: counter('dcim.coolingoutflowtemplate', 'module_type'),
    interface_template_count: counter('dcim.interfacetemplate', 'module_type'),
    front_port_template_count: counter('dcim.frontporttemplate', 'module_type'),
    rear_port_template_count: counter('dcim.rearporttemplate', 'module_type'),
    module_bay_template_count: counter('dcim.modulebaytemplate', 'module_type'),
    _abs_weight: storedGrams('weight', 'weight_unit'),
  },

  display: '{model}',
  graphql: { enums: { airflow: ['ModuleAirflowEnum', ''] } },
  brief: words('id url display profile manufacturer model description module_count'),
  order: ['profile', 'manufacturer', 'model'],
  search: ['comments', 'description', 'part_number', 'manufacturer.name', 'model'],
  unique: [{ fields: ['manufacturer', 'model'] }],

  filters: {
    ...templatePresenceFilters('module_type_id'),
    ...bayTypeFilters,
    profile: related('profile', 'dcim.moduletypeprofile', 'name'),
  },
  keyFilter: { prefix: 'attr_', field: 'attributes' },
  features: [...PRIMARY, 'imageAttachments'],
})

type TypeChange = Change<typeof moduleType.fields>

const schemaOf = async ({ next, read }: TypeChange): Promise<unknown> => {
  if (next.profile === null) return undefined
  const { schema } = await read.get(moduleTypeProfile, next.profile)
  return isJsonObject(schema) && Object.keys(schema).length > 0 ? schema : undefined
}

/** A change contains only the attributes that differ; the others are kept. */
const mergeAttributes: Normalizer<typeof moduleType.fields> = ({ next, previous, sent }) =>
  sent.has('attributes') && isJsonObject(next.attributes) && isJsonObject(previous?.attributes)
    ? { attributes: { ...previous.attributes, ...next.attributes } }
    : undefined

const attributesFitSchema: Rule<typeof moduleType.fields> = async (change): Promise<Refusal | undefined> => {
  const schema = await schemaOf(change)
  const complaint = schema === undefined ? undefined : checkSchema(schema, change.next.attributes)
  return complaint === undefined ? undefined : { __all__: complaint }
}

/** Without a schema, stored attributes have no meaning and are dropped; those of the body are kept. */
const dropMeaninglessAttributes: Normalizer<typeof moduleType.fields> = async (change) => {
  const { next, previous, sent } = change
  if (!previous || next.attributes === null || sent.has('attributes')) return
  return (await schemaOf(change)) === undefined ? { attributes: null } : undefined
}

/** Refuses bay types into which installed modules would no longer fit. */
const keepsFitting: Rule<typeof moduleType.fields> = async ({ next, previous, read }) => {
  const { module_bay_types: types } = next
  if (!previous || types.length === 0) return
  const ofBay = table('dcim.modulebay.module_bay_types')
  const isChanged = types.toSorted().join() !== previous.module_bay_types.toSorted().join()
  const misfits = isChanged
    ? await read.database.queryColumn(sql`
        select m.id from ${table('dcim.module')} m
        where m.module_type_id = ${next.id}::bigint
          and exists (select from ${ofBay} wide where wide.modulebay_id = m.module_bay_id)
          and not exists (
            select from ${ofBay} wide
            where wide.modulebay_id = m.module_bay_id and wide.modulebaytype_id = any(${types}::bigint[]))
        limit 1`)
    : []
  return misfits.length > 0
    ? { module_bay_types: 'Modules of this type are installed in bays into which they would no longer fit.' }
    : undefined
}

export const moduleTypeModel = registered(moduleType, {
  behaviour: behaviour(moduleType, {
    normalize: [mergeAttributes],
    modelRules: [weightNeedsUnit, refuseNegative('weight'), attributesFitSchema, keepsFitting],
    beforeSave: [dropMeaninglessAttributes],
  }),
  context: ['manufacturer'],
  columns: words('model profile manufacturer part_number module_count'),
  moreColumns: { without: words('cooling_method end_of_life module_bay_types'), plus: ['attributes'] },
  labels: { module_count: 'Module Count', model: 'Module Type' },
  panels: words(`
    profile manufacturer model part_number description airflow cooling_method weight end_of_life
    module_bay_types
  `),
  tabs: [
    tab('interfaces', 'dcim.interfacetemplate', { module_type_id: 'id' }),
    tab('front-ports', 'dcim.frontporttemplate', { module_type_id: 'id' }),
    tab('rear-ports', 'dcim.rearporttemplate', { module_type_id: 'id' }),
    tab('console-ports', 'dcim.consoleporttemplate', { module_type_id: 'id' }),
    tab('console-server-ports', 'dcim.consoleserverporttemplate', { module_type_id: 'id' }),
    tab('power-ports', 'dcim.powerporttemplate', { module_type_id: 'id' }),
    tab('power-outlets', 'dcim.poweroutlettemplate', { module_type_id: 'id' }),
    tab('module-bays', 'dcim.modulebaytemplate', { module_type_id: 'id' }),
  ],
  cloned: words('profile manufacturer weight weight_unit airflow'),
  setElsewhere: { attributes: 'the fields of the profile' },
  form: {
    'Module Type': words('manufacturer model part_number description tags'),
    Hardware: words('airflow cooling_method weight weight_unit end_of_life module_bay_types'),
    'Profile & Attributes': ['profile'],
  },
  filters: {
    Hardware: words('profile_id manufacturer_id part_number module_count airflow'),
    Components: words(`
      console_ports console_server_ports power_ports power_outlets interfaces pass_through_ports
      module_bays
    `),
    Weight: words('weight weight_unit'),
  },
  bulkEdit: {
    'Module Type': words('profile manufacturer part_number description'),
    Chassis: words('airflow weight weight_unit'),
  },
  importColumns: {
    attribute_data: { value: 'json', field: 'attributes' },
    attributes: { value: 'json', field: 'attributes' },
  },
  importComponents: componentLists('module_type'),
  imports: words(`
    manufacturer.name model part_number description airflow cooling_method weight weight_unit
    end_of_life module_bay_types.name profile.name attribute_data owner.name comments tags.slug
  `),
  search: {
    weights: { model: 100, part_number: 200 },
    shown: words('manufacturer model part_number description'),
  },
})
