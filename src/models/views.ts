import type { ModelView } from '../schema/view.ts'
import { circuitView } from './circuits/circuit.view.ts'
import { circuitGroupView } from './circuits/circuit-group.view.ts'
import { circuitGroupAssignmentView } from './circuits/circuit-group-assignment.view.ts'
import { circuitTerminationView } from './circuits/circuit-termination.view.ts'
import { circuitTypeView } from './circuits/circuit-type.view.ts'
import { providerView } from './circuits/provider.view.ts'
import { providerAccountView } from './circuits/provider-account.view.ts'
import { providerNetworkView } from './circuits/provider-network.view.ts'
import { virtualCircuitView } from './circuits/virtual-circuit.view.ts'
import { virtualCircuitTerminationView } from './circuits/virtual-circuit-termination.view.ts'
import { virtualCircuitTypeView } from './circuits/virtual-circuit-type.view.ts'
import { dataFileView } from './core/data-file.view.ts'
import { dataSourceView } from './core/data-source.view.ts'
import { jobView } from './core/job.view.ts'
import { objectChangeView } from './core/object-change.view.ts'
import { objectTypeView } from './core/object-type.view.ts'
import { cableView } from './dcim/cable.view.ts'
import { cableBundleView } from './dcim/cable-bundle.view.ts'
import { cableTerminationView } from './dcim/cable-termination.view.ts'
import { consolePortView } from './dcim/console-port.view.ts'
import { consolePortTemplateView } from './dcim/console-port-template.view.ts'
import { consoleServerPortView } from './dcim/console-server-port.view.ts'
import { consoleServerPortTemplateView } from './dcim/console-server-port-template.view.ts'
import { deviceView } from './dcim/device.view.ts'
import { deviceBayView } from './dcim/device-bay.view.ts'
import { deviceBayTemplateView } from './dcim/device-bay-template.view.ts'
import { deviceRoleView } from './dcim/device-role.view.ts'
import { deviceTypeView } from './dcim/device-type.view.ts'
import { frontPortView } from './dcim/front-port.view.ts'
import { frontPortTemplateView } from './dcim/front-port-template.view.ts'
import { interfaceView } from './dcim/interface.view.ts'
import { interfaceTemplateView } from './dcim/interface-template.view.ts'
import { inventoryItemView } from './dcim/inventory-item.view.ts'
import { inventoryItemRoleView } from './dcim/inventory-item-role.view.ts'
import { inventoryItemTemplateView } from './dcim/inventory-item-template.view.ts'
import { locationView } from './dcim/location.view.ts'
import { macAddressView } from './dcim/mac-address.view.ts'
import { manufacturerView } from './dcim/manufacturer.view.ts'
import { moduleView } from './dcim/module.view.ts'
import { moduleBayView } from './dcim/module-bay.view.ts'
import { moduleBayTemplateView } from './dcim/module-bay-template.view.ts'
import { moduleTypeView } from './dcim/module-type.view.ts'
import { moduleTypeProfileView } from './dcim/module-type-profile.view.ts'
import { platformView } from './dcim/platform.view.ts'
import { powerFeedView } from './dcim/power-feed.view.ts'
import { powerOutletView } from './dcim/power-outlet.view.ts'
import { powerOutletTemplateView } from './dcim/power-outlet-template.view.ts'
import { powerPanelView } from './dcim/power-panel.view.ts'
import { powerPortView } from './dcim/power-port.view.ts'
import { powerPortTemplateView } from './dcim/power-port-template.view.ts'
import { rackView } from './dcim/rack.view.ts'
import { rackGroupView } from './dcim/rack-group.view.ts'
import { rackReservationView } from './dcim/rack-reservation.view.ts'
import { rackRoleView } from './dcim/rack-role.view.ts'
import { rackTypeView } from './dcim/rack-type.view.ts'
import { rearPortView } from './dcim/rear-port.view.ts'
import { rearPortTemplateView } from './dcim/rear-port-template.view.ts'
import { regionView } from './dcim/region.view.ts'
import { siteView } from './dcim/site.view.ts'
import { siteGroupView } from './dcim/site-group.view.ts'
import { virtualChassisView } from './dcim/virtual-chassis.view.ts'
import { virtualDeviceContextView } from './dcim/virtual-device-context.view.ts'
import { bookmarkView } from './extras/bookmark.view.ts'
import { configContextView } from './extras/config-context.view.ts'
import { configContextProfileView } from './extras/config-context-profile.view.ts'
import { configTemplateView } from './extras/config-template.view.ts'
import { customFieldView } from './extras/custom-field.view.ts'
import { customFieldChoiceSetView } from './extras/custom-field-choice-set.view.ts'
import { customLinkView } from './extras/custom-link.view.ts'
import { eventRuleView } from './extras/event-rule.view.ts'
import { exportTemplateView } from './extras/export-template.view.ts'
import { imageAttachmentView } from './extras/image-attachment.view.ts'
import { journalEntryView } from './extras/journal-entry.view.ts'
import { notificationView } from './extras/notification.view.ts'
import { notificationGroupView } from './extras/notification-group.view.ts'
import { savedFilterView } from './extras/saved-filter.view.ts'
import { scriptView } from './extras/script.view.ts'
import { scriptModuleView } from './extras/script-module.view.ts'
import { subscriptionView } from './extras/subscription.view.ts'
import { tableConfigView } from './extras/table-config.view.ts'
import { tagView } from './extras/tag.view.ts'
import { taggedItemView } from './extras/tagged-item.view.ts'
import { webhookView } from './extras/webhook.view.ts'
import { webhookDeliveryView } from './extras/webhook-delivery.view.ts'
import { aggregateView } from './ipam/aggregate.view.ts'
import { asnView } from './ipam/asn.view.ts'
import { asnRangeView } from './ipam/asn-range.view.ts'
import { fhrpGroupView } from './ipam/fhrp-group.view.ts'
import { fhrpGroupAssignmentView } from './ipam/fhrp-group-assignment.view.ts'
import { ipAddressView } from './ipam/ip-address.view.ts'
import { ipRangeView } from './ipam/ip-range.view.ts'
import { prefixView } from './ipam/prefix.view.ts'
import { rirView } from './ipam/rir.view.ts'
import { roleView } from './ipam/role.view.ts'
import { routeTargetView } from './ipam/route-target.view.ts'
import { serviceView } from './ipam/service.view.ts'
import { serviceTemplateView } from './ipam/service-template.view.ts'
import { vlanView } from './ipam/vlan.view.ts'
import { vlanGroupView } from './ipam/vlan-group.view.ts'
import { vlanTranslationPolicyView } from './ipam/vlan-translation-policy.view.ts'
import { vlanTranslationRuleView } from './ipam/vlan-translation-rule.view.ts'
import { vrfView } from './ipam/vrf.view.ts'
import { contactView } from './tenancy/contact.view.ts'
import { contactAssignmentView } from './tenancy/contact-assignment.view.ts'
import { contactGroupView } from './tenancy/contact-group.view.ts'
import { contactRoleView } from './tenancy/contact-role.view.ts'
import { tenantView } from './tenancy/tenant.view.ts'
import { tenantGroupView } from './tenancy/tenant-group.view.ts'
import { groupView } from './users/group.view.ts'
import { ownerView } from './users/owner.view.ts'
import { ownerGroupView } from './users/owner-group.view.ts'
import { permissionView } from './users/permission.view.ts'
import { tokenView } from './users/token.view.ts'
import { userView } from './users/user.view.ts'
import { clusterView } from './virtualization/cluster.view.ts'
import { clusterGroupView } from './virtualization/cluster-group.view.ts'
import { clusterTypeView } from './virtualization/cluster-type.view.ts'
import { virtualDiskView } from './virtualization/virtual-disk.view.ts'
import { virtualMachineView } from './virtualization/virtual-machine.view.ts'
import { virtualMachineTypeView } from './virtualization/virtual-machine-type.view.ts'
import { vmInterfaceView } from './virtualization/vm-interface.view.ts'
import { ikePolicyView } from './vpn/ike-policy.view.ts'
import { ikeProposalView } from './vpn/ike-proposal.view.ts'
import { ipsecPolicyView } from './vpn/ipsec-policy.view.ts'
import { ipsecProfileView } from './vpn/ipsec-profile.view.ts'
import { ipsecProposalView } from './vpn/ipsec-proposal.view.ts'
import { l2vpnView } from './vpn/l2vpn.view.ts'
import { l2vpnTerminationView } from './vpn/l2vpn-termination.view.ts'
import { tunnelView } from './vpn/tunnel.view.ts'
import { tunnelGroupView } from './vpn/tunnel-group.view.ts'
import { tunnelTerminationView } from './vpn/tunnel-termination.view.ts'
import { wirelessLanView } from './wireless/wireless-lan.view.ts'
import { wirelessLanGroupView } from './wireless/wireless-lan-group.view.ts'
import { wirelessLinkView } from './wireless/wireless-link.view.ts'

/** How the objects of each model are shown and edited. */
export const VIEWS: readonly ModelView[] = [
  circuitGroupAssignmentView,
  circuitGroupView,
  circuitTerminationView,
  circuitTypeView,
  circuitView,
  providerAccountView,
  providerNetworkView,
  providerView,
  virtualCircuitTerminationView,
  virtualCircuitTypeView,
  virtualCircuitView,
  dataFileView,
  dataSourceView,
  jobView,
  objectChangeView,
  objectTypeView,
  cableBundleView,
  cableTerminationView,
  cableView,
  consolePortTemplateView,
  consolePortView,
  consoleServerPortTemplateView,
  consoleServerPortView,
  deviceBayTemplateView,
  deviceBayView,
  deviceRoleView,
  deviceTypeView,
  deviceView,
  frontPortTemplateView,
  frontPortView,
  interfaceTemplateView,
  interfaceView,
  inventoryItemRoleView,
  inventoryItemTemplateView,
  inventoryItemView,
  locationView,
  macAddressView,
  manufacturerView,
  moduleBayTemplateView,
  moduleBayView,
  moduleTypeProfileView,
  moduleTypeView,
  moduleView,
  platformView,
  powerFeedView,
  powerOutletTemplateView,
  powerOutletView,
  powerPanelView,
  powerPortTemplateView,
  powerPortView,
  rackGroupView,
  rackReservationView,
  rackRoleView,
  rackTypeView,
  rackView,
  rearPortTemplateView,
  rearPortView,
  regionView,
  siteGroupView,
  siteView,
  virtualChassisView,
  virtualDeviceContextView,
  bookmarkView,
  configContextProfileView,
  configContextView,
  configTemplateView,
  customFieldChoiceSetView,
  customFieldView,
  customLinkView,
  eventRuleView,
  exportTemplateView,
  imageAttachmentView,
  journalEntryView,
  notificationGroupView,
  notificationView,
  savedFilterView,
  scriptModuleView,
  scriptView,
  subscriptionView,
  tableConfigView,
  tagView,
  taggedItemView,
  webhookDeliveryView,
  webhookView,
  aggregateView,
  asnRangeView,
  asnView,
  fhrpGroupAssignmentView,
  fhrpGroupView,
  ipAddressView,
  ipRangeView,
  prefixView,
  rirView,
  roleView,
  routeTargetView,
  serviceTemplateView,
  serviceView,
  vlanGroupView,
  vlanTranslationPolicyView,
  vlanTranslationRuleView,
  vlanView,
  vrfView,
  contactAssignmentView,
  contactGroupView,
  contactRoleView,
  contactView,
  tenantGroupView,
  tenantView,
  groupView,
  ownerGroupView,
  ownerView,
  permissionView,
  tokenView,
  userView,
  clusterGroupView,
  clusterTypeView,
  clusterView,
  virtualDiskView,
  virtualMachineTypeView,
  virtualMachineView,
  vmInterfaceView,
  ikePolicyView,
  ikeProposalView,
  ipsecPolicyView,
  ipsecProfileView,
  ipsecProposalView,
  l2vpnTerminationView,
  l2vpnView,
  tunnelGroupView,
  tunnelTerminationView,
  tunnelView,
  wirelessLanGroupView,
  wirelessLanView,
  wirelessLinkView,
]
