import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { counter, decimal, foreignKey, integer, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

/** Common properties of virtual machines of a type. */
export const virtualMachineType = model({
  name: 'virtualization.virtualmachinetype',
  path: 'virtualization/virtual-machine-types',
  labels: ['virtual machine type', 'virtual machine types'],

  fields: {
    name: text({ max: 100 }),
    slug: slug({ max: 100, unique: true }),
    default_platform: foreignKey('dcim.platform', { onDelete: 'setNull', related: '+' }),
    default_vcpus: decimal({
      digits: 6,
      places: 2,
      range: [0.01, 9999.99],
      nullable: true,
      label: 'Default vCPUs',
    }),
    default_memory: integer({ unit: 'MB', range: [0, 2147483647], nullable: true }),
    description,
    owner,
    comments,
    ...housekeeping,
    virtual_machine_count: counter('virtualization.virtualmachine', 'virtual_machine_type'),
  },

  brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],
  unique: [{ fields: ['name'], ignoreCase: ['name'] }],

  features: [...PRIMARY, 'imageAttachments'],
})

export const virtualMachineTypeModel = registered(virtualMachineType, {
  columns: words(`
    name default_platform default_vcpus default_memory virtual_machine_count description
  `),
  labels: { virtual_machine_count: 'VM count' },
  panels: words('name default_platform default_vcpus default_memory description'),
  cloned: words('default_platform default_vcpus default_memory'),
  form: {
    'Virtual Machine Type': words('name slug description tags'),
    Defaults: words('default_platform default_vcpus default_memory'),
  },
  filters: {
    Attributes: words('default_platform_id default_vcpus default_memory virtual_machine_count'),
  },
  bulkEdit: {
    'Virtual Machine Type': ['description'],
    Defaults: words('default_platform default_vcpus default_memory'),
  },
  search: { shown: words('default_platform default_vcpus default_memory description') },
})
