import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { counter, decimal, foreignKey, integer, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

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
