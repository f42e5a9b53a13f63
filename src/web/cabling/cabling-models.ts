/** Names of the models with special pages about connections. */
export const CABLING_MODELS = {
  address: 'ipam.ipaddress',
  cable: 'dcim.cable',
  circuit: 'circuits.circuit',
  circuitTermination: 'circuits.circuittermination',
  device: 'dcim.device',
  frontPort: 'dcim.frontport',
  interface: 'dcim.interface',
  powerFeed: 'dcim.powerfeed',
  powerOutlet: 'dcim.poweroutlet',
  powerPort: 'dcim.powerport',
  rearPort: 'dcim.rearport',
} as const
