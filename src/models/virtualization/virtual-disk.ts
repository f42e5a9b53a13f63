import { description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { foreignKey, integer, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

/** A disk of a virtual machine. */
export const virtualDisk = model({
  name: 'virtualization.virtualdisk',
  path: 'virtualization/virtual-disks',
  labels: ['virtual disk', 'virtual disks'],

  fields: {
    virtual_machine: foreignKey('virtualization.virtualmachine', {
      onDelete: 'cascade',
      related: 'virtualdisks',
    }),
    name: text({ max: 64, collation: 'natural' }),
    description,
    size: integer({ unit: 'MB', range: [0, 2147483647] }),
    owner,
    ...housekeeping,
  },

  brief: ['id', 'url', 'display', 'virtual_machine', 'name', 'description', 'size'],
  order: ['virtual_machine', 'name'],
  search: ['name', 'description'],
  unique: [{ fields: ['virtual_machine', 'name'] }],

  filters: {
    virtual_machine: related('virtual_machine', 'virtualization.virtualmachine', 'name'),
  },
  features: PRIMARY,
  changeRelates: 'virtual_machine',
})
