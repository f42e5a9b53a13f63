import { description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { foreignKey, integer, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type EffectFunction } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'

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

  filters: { virtual_machine: related('virtual_machine', 'virtualization.virtualmachine', 'name') },
  features: PRIMARY,
  changeRelates: 'virtual_machine',
})

/** Sets a virtual machine's disk size to the sum of its virtual disks; null without any. */
const sumUpDisks: EffectFunction<typeof virtualDisk.fields> = async ({ rows, database }) => {
  const machines = rows.flatMap(({ next, previous }) => [next, previous].flatMap((row) => row?.virtual_machine ?? []))
  await database.execute(sql`
    ${updateTable('virtualization.virtualmachine')} m
    set disk = (select sum(d.size) from ${table('virtualization.virtualdisk')} d where d.virtual_machine_id = m.id)
    where m.id = any(${[...new Set(machines)]}::bigint[])`)
}

export const virtualDiskModel = registered(virtualDisk, {
  behaviour: behaviour(virtualDisk, { afterWrite: [sumUpDisks] }),
  context: ['virtual_machine'],
  columns: words('name virtual_machine size description'),
  moreColumns: words('id tags'),
  labels: { virtual_machine: 'Virtual Machine' },
  panels: words('virtual_machine name size description'),
  form: { Disk: words('virtual_machine name size description tags') },
  filters: { 'Virtual Machine': ['virtual_machine_id'], Attributes: ['size'] },
  bulkEdit: { '': words('size description'), More: words('owner virtual_machine') },
  search: { shown: words('virtual_machine size description') },
})
