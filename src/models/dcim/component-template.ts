import { LOGGED, timestamps } from '../../schema/common.ts'
import { type Fields, foreignKey } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import type { ImportedComponents } from '../../schema/import-column.ts'
import { type Definition, model } from '../../schema/model.ts'
import type { Refusal } from '../../schema/rule.ts'
import { type NameOf, type RegisteredModel, type Registration, registered } from '../../schema/view.ts'
import { labelled } from './component.ts'

type ComponentTemplate<Own> = Pick<Definition, 'name' | 'path' | 'labels'> &
  Partial<Pick<Definition, 'brief' | 'earlier' | 'filters' | 'graphql'>> & {
    /** Fields between the label and the timestamps. */
    readonly fields: Own
  }

/**
 * A model of components that devices or modules of a type are created with. Its fields are device type, module type,
 * name, label, `fields` and timestamps. Names are unique in the type.
 */
export function componentTemplate<const Own extends Fields>({
  fields,
  filters,
  ...definition
}: ComponentTemplate<Own>) {
  const ofType = {
    onDelete: 'cascade',
    related: `${definition.name.slice(definition.name.indexOf('.') + 1)}s`,
    nullable: true,
    resetOnPut: true,
  } as const
  return model({
    page: false,
    display: '{name}[ ({label})]',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['device_type', 'module_type', 'name'],
    search: ['name', 'description'],
    unique: [{ fields: ['device_type', 'name'] }, { fields: ['module_type', 'name'] }],
    features: LOGGED,
    changeRelates: ['device_type', 'module_type'],
    ...definition,
    filters: { device_type_id: related('device_type', 'dcim.devicetype'), ...filters },
    fields: {
      device_type: foreignKey('dcim.devicetype', {
        ...ofType,
        filter: false,
        example: 'dcim.devicetype',
      }),
      module_type: foreignKey('dcim.moduletype', ofType),
      ...labelled,
      ...fields,
      ...timestamps,
    },
  })
}

export const staysInType = ({
  next,
  previous,
}: {
  readonly next: { readonly device_type: number | null }
  readonly previous: { readonly device_type: number | null } | undefined
}): Refusal | undefined =>
  previous && previous.device_type !== next.device_type
    ? { device_type: 'A component template cannot be moved to another device type.' }
    : undefined

export const belongsToOneType = ({
  next,
}: {
  readonly next: { readonly device_type: number | null; readonly module_type: number | null }
}): Refusal | undefined =>
  (next.device_type === null) === (next.module_type === null)
    ? { __all__: 'A component template belongs to a device type or to a module type.' }
    : undefined

interface Typed {
  readonly device_type: number | null
  readonly module_type: number | null
}

/** Whether two templates belong to the same device type or module type. */
export const areOfOneType = (left: Typed, right: Typed): boolean =>
  (left.device_type === null || left.device_type === right.device_type) &&
  (left.module_type === null || left.module_type === right.module_type)

interface ComponentTemplateView<F extends Fields> extends Partial<Registration<F>> {
  /** Relations to the types that can have such a component. */
  readonly types?: readonly ('device_type' | 'module_type')[]
  /** The model's own fields, which can all be changed for many objects at once. */
  readonly fields: readonly NameOf<F>[]
}

/**
 * The view of a component that devices and modules get from their type: name, label, its specific `fields`,
 * description.
 */
export function componentTemplateModel<F extends Fields>(
  model: Definition<F>,
  { types = ['device_type', 'module_type'], fields, ...differences }: ComponentTemplateView<F>,
): RegisteredModel {
  const all = [...types, 'name', 'label', ...fields, 'description']
  return registered<Fields, string>(model, {
    context: types,
    columns: ['display', 'name', 'description'],
    moreColumns: ['label', ...fields],
    panels: all,
    form: all,
    bulkEdit: ['label', ...fields, 'description'],
    ...differences,
  })
}

/** Lists of components in records of module types, as the community's library of types names them. */
const OF_MODULE_TYPES = {
  'console-ports': 'dcim.consoleporttemplate',
  'console-server-ports': 'dcim.consoleserverporttemplate',
  'power-ports': 'dcim.powerporttemplate',
  'power-outlets': 'dcim.poweroutlettemplate',
  'cooling-intakes': 'dcim.coolingintaketemplate',
  'cooling-outflows': 'dcim.coolingoutflowtemplate',
  interfaces: 'dcim.interfacetemplate',
  'rear-ports': 'dcim.rearporttemplate',
  'front-ports': 'dcim.frontporttemplate',
  'port-mappings': 'dcim.porttemplatemapping',
  'module-bays': 'dcim.modulebaytemplate',
}
const OF_DEVICE_TYPES = {
  ...OF_MODULE_TYPES,
  'device-bays': 'dcim.devicebaytemplate',
  'inventory-items': 'dcim.inventoryitemtemplate',
}

/** Components of a device type or module type. */
export const componentLists = (via: 'device_type' | 'module_type'): Readonly<Record<string, ImportedComponents>> =>
  Object.fromEntries(
    Object.entries(via === 'device_type' ? OF_DEVICE_TYPES : OF_MODULE_TYPES).map(([name, model]) => [
      name,
      { model, via },
    ]),
  )
