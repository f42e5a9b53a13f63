/** Columns of an import that narrow the interface in the column `name`: its device or virtual machine. */
export const holderColumns = (name: string) => ({
  device: { to: 'dcim.device', narrows: { [name]: 'device' } },
  virtual_machine: { to: 'virtualization.virtualmachine', narrows: { [name]: 'virtual_machine' } },
})

/** The column of an interface of a device or virtual machine, for the generic relation `assigns`. */
export const interfaceColumn = (assigns: string) => ({
  to: ['dcim.interface', 'virtualization.vminterface'],
  assigns,
})
