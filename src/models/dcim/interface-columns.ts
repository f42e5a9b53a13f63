import type { ImportColumn } from '../../schema/import-column.ts'

/**
 * Columns of an import that name an interface of a device or virtual machine in the column `name`, for the generic
 * relation `assigns`.
 */
export const interfaceColumns = (
  assigns: string,
  name = 'interface',
): Readonly<Record<string, ImportColumn>> => ({
  device: { to: 'dcim.device', narrows: { [name]: 'device' } },
  virtual_machine: {
    to: 'virtualization.virtualmachine',
    narrows: { [name]: 'virtual_machine' },
  },
  [name]: { to: ['dcim.interface', 'virtualization.vminterface'], assigns },
})
