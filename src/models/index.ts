import type { Definition } from '../schema/model.ts'
import type { Behaviour } from '../schema/rule.ts'
import { circuitBehaviour } from './circuits/circuit.rules.ts'
import { circuit } from './circuits/circuit.ts'
import { circuitGroup } from './circuits/circuit-group.ts'
import { circuitGroupAssignment } from './circuits/circuit-group-assignment.ts'
import { circuitTerminationBehaviour } from './circuits/circuit-termination.rules.ts'
import { circuitTermination } from './circuits/circuit-termination.ts'
import { circuitType } from './circuits/circuit-type.ts'
import { provider } from './circuits/provider.ts'
import { providerAccount } from './circuits/provider-account.ts'
import { providerNetwork } from './circuits/provider-network.ts'
import { virtualCircuitRules } from './circuits/virtual-circuit.rules.ts'
import { virtualCircuit } from './circuits/virtual-circuit.ts'
import { virtualCircuitTerminationRules } from './circuits/virtual-circuit-termination.rules.ts'
import { virtualCircuitTermination } from './circuits/virtual-circuit-termination.ts'
import { virtualCircuitType } from './circuits/virtual-circuit-type.ts'
import { autoSyncRecord } from './core/auto-sync-record.ts'
import { configRevision } from './core/config-revision.ts'
import { dataFile } from './core/data-file.ts'
import { dataSource } from './core/data-source.ts'
import { event } from './core/event.ts'
import { job } from './core/job.ts'
import { jobTask } from './core/job-task.ts'
import { jobWorker } from './core/job-worker.ts'
import { objectChange } from './core/object-change.ts'
import { contentType } from './core/object-type.ts'
import { searchEntry } from './core/search-entry.ts'
import { searchIndex } from './core/search-index.ts'
import { unindexedChange } from './core/unindexed-change.ts'
import { cableBehaviour } from './dcim/cable.rules.ts'
import { cable } from './dcim/cable.ts'
import { cableBundle } from './dcim/cable-bundle.ts'
import { cablePath } from './dcim/cable-path.ts'
import { cableTerminationBehaviour } from './dcim/cable-termination.rules.ts'
import { cableTermination } from './dcim/cable-termination.ts'
import { consolePortBehaviour } from './dcim/console-port.rules.ts'
import { consolePort } from './dcim/console-port.ts'
import { consolePortTemplateRules } from './dcim/console-port-template.rules.ts'
import { consolePortTemplate } from './dcim/console-port-template.ts'
import { consoleServerPortBehaviour } from './dcim/console-server-port.rules.ts'
import { consoleServerPort } from './dcim/console-server-port.ts'
import { consoleServerPortTemplateRules } from './dcim/console-server-port-template.rules.ts'
import { consoleServerPortTemplate } from './dcim/console-server-port-template.ts'
import { deviceBehaviour } from './dcim/device.rules.ts'
import { device } from './dcim/device.ts'
import { deviceBayBehaviour } from './dcim/device-bay.rules.ts'
import { deviceBay } from './dcim/device-bay.ts'
import { deviceBayTemplateRules } from './dcim/device-bay-template.rules.ts'
import { deviceBayTemplate } from './dcim/device-bay-template.ts'
import { deviceRole } from './dcim/device-role.ts'
import { deviceTypeBehaviour } from './dcim/device-type.rules.ts'
import { deviceType } from './dcim/device-type.ts'
import { frontPortBehaviour } from './dcim/front-port.rules.ts'
import { frontPort } from './dcim/front-port.ts'
import { frontPortTemplateBehaviour } from './dcim/front-port-template.rules.ts'
import { frontPortTemplate } from './dcim/front-port-template.ts'
import { interfaceBehaviour } from './dcim/interface.rules.ts'
import { deviceInterface } from './dcim/interface.ts'
import { interfaceTemplateRules } from './dcim/interface-template.rules.ts'
import { interfaceTemplate } from './dcim/interface-template.ts'
import { inventoryItemBehaviour } from './dcim/inventory-item.rules.ts'
import { inventoryItem } from './dcim/inventory-item.ts'
import { inventoryItemRole } from './dcim/inventory-item-role.ts'
import { inventoryItemTemplateRules } from './dcim/inventory-item-template.rules.ts'
import { inventoryItemTemplate } from './dcim/inventory-item-template.ts'
import { locationBehaviour } from './dcim/location.rules.ts'
import { location } from './dcim/location.ts'
import { macAddressRules } from './dcim/mac-address.rules.ts'
import { macAddress } from './dcim/mac-address.ts'
import { manufacturer } from './dcim/manufacturer.ts'
import { moduleBehaviour } from './dcim/module.rules.ts'
import { deviceModule } from './dcim/module.ts'
import { moduleBayBehaviour } from './dcim/module-bay.rules.ts'
import { moduleBay } from './dcim/module-bay.ts'
import { moduleBayTemplateRules } from './dcim/module-bay-template.rules.ts'
import { moduleBayTemplate } from './dcim/module-bay-template.ts'
import { moduleTypeBehaviour } from './dcim/module-type.rules.ts'
import { moduleType } from './dcim/module-type.ts'
import { moduleTypeProfileRules } from './dcim/module-type-profile.rules.ts'
import { moduleTypeProfile } from './dcim/module-type-profile.ts'
import { platform } from './dcim/platform.ts'
import { portMappingBehaviour } from './dcim/port-mapping.rules.ts'
import { portMapping } from './dcim/port-mapping.ts'
import { portTemplateMapping } from './dcim/port-template-mapping.ts'
import { powerFeedRules } from './dcim/power-feed.rules.ts'
import { powerFeed } from './dcim/power-feed.ts'
import { powerOutletBehaviour } from './dcim/power-outlet.rules.ts'
import { powerOutlet } from './dcim/power-outlet.ts'
import { powerOutletTemplateRules } from './dcim/power-outlet-template.rules.ts'
import { powerOutletTemplate } from './dcim/power-outlet-template.ts'
import { powerPanelRules } from './dcim/power-panel.rules.ts'
import { powerPanel } from './dcim/power-panel.ts'
import { powerPortBehaviour } from './dcim/power-port.rules.ts'
import { powerPort } from './dcim/power-port.ts'
import { powerPortTemplateRules } from './dcim/power-port-template.rules.ts'
import { powerPortTemplate } from './dcim/power-port-template.ts'
import { rackBehaviour } from './dcim/rack.rules.ts'
import { rack } from './dcim/rack.ts'
import { rackGroup } from './dcim/rack-group.ts'
import { rackReservationRules } from './dcim/rack-reservation.rules.ts'
import { rackReservation } from './dcim/rack-reservation.ts'
import { rackRole } from './dcim/rack-role.ts'
import { rackTypeBehaviour } from './dcim/rack-type.rules.ts'
import { rackType } from './dcim/rack-type.ts'
import { rearPortBehaviour } from './dcim/rear-port.rules.ts'
import { rearPort } from './dcim/rear-port.ts'
import { rearPortTemplateBehaviour } from './dcim/rear-port-template.rules.ts'
import { rearPortTemplate } from './dcim/rear-port-template.ts'
import { region } from './dcim/region.ts'
import { siteBehaviour } from './dcim/site.rules.ts'
import { site } from './dcim/site.ts'
import { siteGroup } from './dcim/site-group.ts'
import { virtualChassisBehaviour } from './dcim/virtual-chassis.rules.ts'
import { virtualChassis } from './dcim/virtual-chassis.ts'
import { virtualDeviceContextRules } from './dcim/virtual-device-context.rules.ts'
import { virtualDeviceContext } from './dcim/virtual-device-context.ts'
import { bookmark } from './extras/bookmark.ts'
import { configContextBehaviour } from './extras/config-context.rules.ts'
import { configContext } from './extras/config-context.ts'
import { configContextProfileBehaviour } from './extras/config-context-profile.rules.ts'
import { configContextProfile } from './extras/config-context-profile.ts'
import { configTemplateBehaviour } from './extras/config-template.rules.ts'
import { configTemplate } from './extras/config-template.ts'
import { customFieldBehaviour } from './extras/custom-field.rules.ts'
import { customField } from './extras/custom-field.ts'
import { customFieldChoiceSetBehaviour } from './extras/custom-field-choice-set.rules.ts'
import { customFieldChoiceSet } from './extras/custom-field-choice-set.ts'
import { customLink } from './extras/custom-link.ts'
import { dashboard } from './extras/dashboard.ts'
import { eventCursor } from './extras/event-cursor.ts'
import { eventRuleRules } from './extras/event-rule.rules.ts'
import { eventRule } from './extras/event-rule.ts'
import { exportTemplateBehaviour } from './extras/export-template.rules.ts'
import { exportTemplate } from './extras/export-template.ts'
import { imageAttachmentBehaviour } from './extras/image-attachment.rules.ts'
import { imageAttachment } from './extras/image-attachment.ts'
import { journalEntryBehaviour } from './extras/journal-entry.rules.ts'
import { journalEntry } from './extras/journal-entry.ts'
import { notificationBehaviour } from './extras/notification.rules.ts'
import { notification } from './extras/notification.ts'
import { notificationGroup } from './extras/notification-group.ts'
import { savedFilterRules } from './extras/saved-filter.rules.ts'
import { savedFilter } from './extras/saved-filter.ts'
import { scriptBehaviour } from './extras/script.rules.ts'
import { script } from './extras/script.ts'
import { scriptModule } from './extras/script-module.ts'
import { subscription } from './extras/subscription.ts'
import { tableConfigRules } from './extras/table-config.rules.ts'
import { tableConfig } from './extras/table-config.ts'
import { tag } from './extras/tag.ts'
import { taggedItem } from './extras/tagged-item.ts'
import { webhook } from './extras/webhook.ts'
import { webhookDelivery } from './extras/webhook-delivery.ts'
import { aggregateRules } from './ipam/aggregate.rules.ts'
import { aggregate } from './ipam/aggregate.ts'
import { asn } from './ipam/asn.ts'
import { asnRangeRules } from './ipam/asn-range.rules.ts'
import { asnRange } from './ipam/asn-range.ts'
import { fhrpGroup } from './ipam/fhrp-group.ts'
import { fhrpGroupAssignment } from './ipam/fhrp-group-assignment.ts'
import { ipAddressBehaviour } from './ipam/ip-address.rules.ts'
import { ipAddress } from './ipam/ip-address.ts'
import { ipRangeRules } from './ipam/ip-range.rules.ts'
import { ipRange } from './ipam/ip-range.ts'
import { prefixBehaviour } from './ipam/prefix.rules.ts'
import { prefix } from './ipam/prefix.ts'
import { rir } from './ipam/rir.ts'
import { role } from './ipam/role.ts'
import { routeTarget } from './ipam/route-target.ts'
import { service } from './ipam/service.ts'
import { serviceTemplate } from './ipam/service-template.ts'
import { vlanRules } from './ipam/vlan.rules.ts'
import { vlan } from './ipam/vlan.ts'
import { vlanGroupRules } from './ipam/vlan-group.rules.ts'
import { vlanGroup } from './ipam/vlan-group.ts'
import { vlanTranslationPolicy } from './ipam/vlan-translation-policy.ts'
import { vlanTranslationRule } from './ipam/vlan-translation-rule.ts'
import { vrf } from './ipam/vrf.ts'
import { contact } from './tenancy/contact.ts'
import { contactAssignment } from './tenancy/contact-assignment.ts'
import { contactGroup } from './tenancy/contact-group.ts'
import { contactRole } from './tenancy/contact-role.ts'
import { tenant } from './tenancy/tenant.ts'
import { tenantGroupBehaviour } from './tenancy/tenant-group.rules.ts'
import { tenantGroup } from './tenancy/tenant-group.ts'
import { group } from './users/group.ts'
import { idempotencyKey } from './users/idempotency-key.ts'
import { identity } from './users/identity.ts'
import { loginFailures } from './users/login-failures.ts'
import { owner } from './users/owner.ts'
import { ownerGroup } from './users/owner-group.ts'
import { permission } from './users/permission.ts'
import { session } from './users/session.ts'
import { token } from './users/token.ts'
import { user } from './users/user.ts'
import { userConfig } from './users/user-config.ts'
import { clusterBehaviour } from './virtualization/cluster.rules.ts'
import { cluster } from './virtualization/cluster.ts'
import { clusterGroup } from './virtualization/cluster-group.ts'
import { clusterType } from './virtualization/cluster-type.ts'
import { virtualDiskBehaviour } from './virtualization/virtual-disk.rules.ts'
import { virtualDisk } from './virtualization/virtual-disk.ts'
import { virtualMachineBehaviour } from './virtualization/virtual-machine.rules.ts'
import { virtualMachine } from './virtualization/virtual-machine.ts'
import { virtualMachineType } from './virtualization/virtual-machine-type.ts'
import { vmInterfaceBehaviour } from './virtualization/vm-interface.rules.ts'
import { vmInterface } from './virtualization/vm-interface.ts'
import { ikePolicyRules } from './vpn/ike-policy.rules.ts'
import { ikePolicy } from './vpn/ike-policy.ts'
import { ikeProposal } from './vpn/ike-proposal.ts'
import { ipsecPolicy } from './vpn/ipsec-policy.ts'
import { ipsecProfile } from './vpn/ipsec-profile.ts'
import { ipsecProposalRules } from './vpn/ipsec-proposal.rules.ts'
import { ipsecProposal } from './vpn/ipsec-proposal.ts'
import { l2vpn } from './vpn/l2vpn.ts'
import { l2vpnTerminationRules } from './vpn/l2vpn-termination.rules.ts'
import { l2vpnTermination } from './vpn/l2vpn-termination.ts'
import { tunnel } from './vpn/tunnel.ts'
import { tunnelGroup } from './vpn/tunnel-group.ts'
import { tunnelTerminationRules } from './vpn/tunnel-termination.rules.ts'
import { tunnelTermination } from './vpn/tunnel-termination.ts'
import { wirelessLanBehaviour } from './wireless/wireless-lan.rules.ts'
import { wirelessLan } from './wireless/wireless-lan.ts'
import { wirelessLanGroup } from './wireless/wireless-lan-group.ts'
import { wirelessLinkBehaviour } from './wireless/wireless-link.rules.ts'
import { wirelessLink } from './wireless/wireless-link.ts'

/** Every model, by app and name. */
export const MODELS: readonly Definition[] = [
  circuit,
  circuitGroup,
  circuitGroupAssignment,
  circuitTermination,
  circuitType,
  provider,
  providerAccount,
  providerNetwork,
  virtualCircuit,
  virtualCircuitTermination,
  virtualCircuitType,
  autoSyncRecord,
  configRevision,
  dataFile,
  dataSource,
  event,
  job,
  jobTask,
  jobWorker,
  objectChange,
  searchEntry,
  searchIndex,
  unindexedChange,
  contentType,
  cable,
  cableBundle,
  cablePath,
  cableTermination,
  consolePort,
  consolePortTemplate,
  consoleServerPort,
  consoleServerPortTemplate,
  device,
  deviceBay,
  deviceBayTemplate,
  deviceRole,
  deviceType,
  frontPort,
  frontPortTemplate,
  deviceInterface,
  interfaceTemplate,
  inventoryItem,
  inventoryItemRole,
  inventoryItemTemplate,
  location,
  macAddress,
  manufacturer,
  deviceModule,
  moduleBay,
  moduleBayTemplate,
  moduleType,
  moduleTypeProfile,
  platform,
  portMapping,
  portTemplateMapping,
  powerFeed,
  powerOutlet,
  powerOutletTemplate,
  powerPanel,
  powerPort,
  powerPortTemplate,
  rack,
  rackGroup,
  rackReservation,
  rackRole,
  rackType,
  rearPort,
  rearPortTemplate,
  region,
  site,
  siteGroup,
  virtualChassis,
  virtualDeviceContext,
  bookmark,
  configContext,
  configContextProfile,
  configTemplate,
  customField,
  customFieldChoiceSet,
  customLink,
  dashboard,
  eventCursor,
  eventRule,
  exportTemplate,
  imageAttachment,
  journalEntry,
  notification,
  notificationGroup,
  savedFilter,
  script,
  scriptModule,
  subscription,
  tableConfig,
  tag,
  taggedItem,
  webhook,
  webhookDelivery,
  aggregate,
  asn,
  asnRange,
  fhrpGroup,
  fhrpGroupAssignment,
  ipAddress,
  ipRange,
  prefix,
  rir,
  role,
  routeTarget,
  service,
  serviceTemplate,
  vlan,
  vlanGroup,
  vlanTranslationPolicy,
  vlanTranslationRule,
  vrf,
  contact,
  contactAssignment,
  contactGroup,
  contactRole,
  tenant,
  tenantGroup,
  group,
  permission,
  owner,
  ownerGroup,
  token,
  user,
  userConfig,
  idempotencyKey,
  identity,
  loginFailures,
  session,
  cluster,
  clusterGroup,
  clusterType,
  virtualDisk,
  virtualMachine,
  virtualMachineType,
  vmInterface,
  ikePolicy,
  ikeProposal,
  ipsecPolicy,
  ipsecProfile,
  ipsecProposal,
  l2vpn,
  l2vpnTermination,
  tunnel,
  tunnelGroup,
  tunnelTermination,
  wirelessLan,
  wirelessLanGroup,
  wirelessLink,
]

/** Behaviour of the models beyond their declarations. */
export const BEHAVIOURS: readonly Behaviour[] = [
  customFieldBehaviour,
  customFieldChoiceSetBehaviour,
  siteBehaviour,
  locationBehaviour,
  rackTypeBehaviour,
  rackBehaviour,
  rackReservationRules,
  deviceTypeBehaviour,
  deviceBehaviour,
  interfaceBehaviour,
  macAddressRules,
  virtualChassisBehaviour,

  aggregateRules,
  asnRangeRules,
  ipAddressBehaviour,
  ipRangeRules,
  prefixBehaviour,
  vlanRules,
  vlanGroupRules,
  ikePolicyRules,
  ipsecProposalRules,
  l2vpnTerminationRules,
  tunnelTerminationRules,
  wirelessLanBehaviour,
  wirelessLinkBehaviour,
  frontPortBehaviour,
  frontPortTemplateBehaviour,
  scriptBehaviour,
  circuitTerminationBehaviour,
  cableTerminationBehaviour,
  consolePortBehaviour,
  consoleServerPortBehaviour,
  powerPortBehaviour,
  powerOutletBehaviour,
  consolePortTemplateRules,
  consoleServerPortTemplateRules,
  moduleBayTemplateRules,
  powerPortTemplateRules,
  powerOutletTemplateRules,
  interfaceTemplateRules,
  deviceBayTemplateRules,
  inventoryItemTemplateRules,
  deviceBayBehaviour,
  powerPanelRules,
  powerFeedRules,
  virtualDeviceContextRules,
  moduleTypeProfileRules,
  moduleTypeBehaviour,
  moduleBayBehaviour,
  moduleBehaviour,
  inventoryItemBehaviour,
  rearPortBehaviour,
  rearPortTemplateBehaviour,
  cableBehaviour,
  portMappingBehaviour,
  clusterBehaviour,
  virtualMachineBehaviour,
  virtualDiskBehaviour,
  vmInterfaceBehaviour,
  circuitBehaviour,
  virtualCircuitRules,
  virtualCircuitTerminationRules,
  journalEntryBehaviour,
  imageAttachmentBehaviour,
  notificationBehaviour,
  savedFilterRules,
  exportTemplateBehaviour,
  tableConfigRules,
  configContextProfileBehaviour,
  configContextBehaviour,
  eventRuleRules,
  configTemplateBehaviour,
  tenantGroupBehaviour,
]
