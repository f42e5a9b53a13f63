/** DNS: rules of zones and records, and records that follow from zones, addresses and prefixes. */
import { behaviourOf, packCode } from 'cadastre'
import { actions } from './actions.ts'
import { expireRecords, printZone } from './commands.ts'
import { deriveAll, NAMESERVER, RECORD, VIEW, ZONE } from './derive.ts'
import {
  addressesWritten,
  keepOneDefault,
  nameserversWritten,
  prefixesGoing,
  prefixesWritten,
  recordsWritten,
  setTtl,
  viewsWritten,
  zonesFromTemplates,
  zonesWritten,
} from './effects.ts'
import { fields, models } from './fields.ts'
import { nameserverRules, recordRules, recordTemplateRules, viewRules, zoneRules } from './rules.ts'

export default packCode({
  actions,
  fields,
  models,
  commands: {
    zone: {
      about: 'Print a zone as a zone file: its name and, if it is in several views, the name of the view.',
      run: printZone,
    },
  },
  jobs: [{ name: 'expire', label: 'Expiry of DNS records', everyMinutes: 60, run: expireRecords }],
  serves: { 'plugins/netbox-dns/prefixes': 'ipam.prefix' },
  behaviours: [
    behaviourOf(VIEW, { ...viewRules, afterWrite: [keepOneDefault, viewsWritten] }),
    behaviourOf(NAMESERVER, {
      ...nameserverRules,
      afterWrite: [nameserversWritten],
      beforeDelete: [nameserversWritten],
    }),
    behaviourOf(ZONE, { ...zoneRules, afterWrite: [zonesFromTemplates, zonesWritten] }),
    // The last of the models: a full derivation needs the tables of all.
    behaviourOf(RECORD, { ...recordRules, afterWrite: [setTtl, recordsWritten], rebuild: deriveAll }),
    behaviourOf('netbox_dns.recordtemplate', recordTemplateRules),
    behaviourOf('ipam.ipaddress', { afterWrite: [addressesWritten] }),
    behaviourOf('ipam.prefix', { afterWrite: [prefixesWritten], beforeDelete: [prefixesGoing] }),
  ],
})
