/**
 * An example of a plugin: maintenance contracts of devices.
 * `PLUGINS=./examples/maintenance.ts npm start` serves them at /api/plugins/maintenance/contracts/.
 */
import {
  choice,
  choices,
  comments,
  date,
  description,
  foreignKey,
  housekeeping,
  manyToMany,
  model,
  PRIMARY,
  plugin,
  type Rule,
  related,
  rulesFor,
  text,
} from 'cadastre'
import { device } from 'cadastre/models/dcim/device'

const contractLevel = choices([
  ['basic', 'Basic', 'gray'],
  ['next-day', 'Next business day', 'blue'],
  ['four-hours', 'Four hours', 'green'],
])

/** A contract with a manufacturer, which covers some devices for some time. */
const contract = model({
  name: 'maintenance.contract',
  path: 'plugins/maintenance/contracts',
  labels: ['contract', 'contracts'],

  fields: {
    number: text({ max: 50, unique: true, help: 'Number that the manufacturer has given it' }),
    manufacturer: foreignKey('dcim.manufacturer', { onDelete: 'protect' }),
    level: choice(contractLevel, { default: 'basic' }),
    start_date: date({}),
    end_date: date({ nullable: true }),
    devices: manyToMany('dcim.device', { related: 'contracts' }),
    description,
    comments,
    ...housekeeping,
  },

  display: '{number}',
  brief: ['id', 'url', 'display', 'number', 'description'],
  order: ['number'],
  // Other plugins and packs may have contracts too.
  graphql: { type: 'MaintenanceContractType', root: 'maintenance_contract' },
  search: ['number', 'description', 'comments'],
  filters: {
    device_id: related('devices', 'dcim.device'),
    device: related('devices', 'dcim.device', 'name'),
    site: related('devices.site', 'dcim.site', 'slug'),
  },
  features: PRIMARY,
})

type ContractRule = Rule<typeof contract.fields>

const endsAfterItStarts: ContractRule = ({ next }) =>
  next.end_date !== null && next.end_date < next.start_date
    ? { end_date: 'A contract ends after it starts.' }
    : undefined

const coversNoOfflineDevice: ContractRule = async ({ next, read }) => {
  const covered = await read.getMany(device, next.devices)
  const offline = covered.find(({ status }) => status === 'offline')
  return offline && { devices: `${offline.display} is offline.` }
}

export default plugin({
  name: 'maintenance',
  label: 'Maintenance',
  version: '1.0.0',
  description: 'Maintenance contracts of devices',
  models: [contract],
  behaviours: [rulesFor(contract, endsAfterItStarts, coversNoOfflineDevice)],
})
