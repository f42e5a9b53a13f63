import type { RegisteredModel } from '../registered-model.ts'
import { cableBehaviour } from './cable.rules.ts'
import { cable } from './cable.ts'
import { cableView } from './cable.view.ts'
import { cableBundle } from './cable-bundle.ts'
import { cableBundleView } from './cable-bundle.view.ts'
import { cablePath } from './cable-path.ts'
import { cableTerminationBehaviour } from './cable-termination.rules.ts'
import { cableTermination } from './cable-termination.ts'
import { cableTerminationView } from './cable-termination.view.ts'
import { consolePortBehaviour } from './console-port.rules.ts'
import { consolePort } from './console-port.ts'
import { consolePortView } from './console-port.view.ts'
import { consolePortTemplateBehaviour } from './console-port-template.rules.ts'
import { consolePortTemplate } from './console-port-template.ts'
import { consolePortTemplateView } from './console-port-template.view.ts'
import { consoleServerPortBehaviour } from './console-server-port.rules.ts'
import { consoleServerPort } from './console-server-port.ts'
import { consoleServerPortView } from './console-server-port.view.ts'
import { consoleServerPortTemplateBehaviour } from './console-server-port-template.rules.ts'
import { consoleServerPortTemplate } from './console-server-port-template.ts'
import { consoleServerPortTemplateView } from './console-server-port-template.view.ts'
import { deviceBehaviour } from './device.rules.ts'
import { device } from './device.ts'
import { deviceView } from './device.view.ts'
import { deviceBayBehaviour } from './device-bay.rules.ts'
import { deviceBay } from './device-bay.ts'
import { deviceBayView } from './device-bay.view.ts'
import { deviceBayTemplateBehaviour } from './device-bay-template.rules.ts'
import { deviceBayTemplate } from './device-bay-template.ts'
import { deviceBayTemplateView } from './device-bay-template.view.ts'
import { deviceRole } from './device-role.ts'
import { deviceRoleView } from './device-role.view.ts'
import { deviceTypeBehaviour } from './device-type.rules.ts'
import { deviceType } from './device-type.ts'
import { deviceTypeView } from './device-type.view.ts'
import { frontPortBehaviour } from './front-port.rules.ts'
import { frontPort } from './front-port.ts'
import { frontPortView } from './front-port.view.ts'
import { frontPortTemplateBehaviour } from './front-port-template.rules.ts'
import { frontPortTemplate } from './front-port-template.ts'
import { frontPortTemplateView } from './front-port-template.view.ts'
import { interfaceBehaviour } from './interface.rules.ts'
import { deviceInterface } from './interface.ts'
import { interfaceView } from './interface.view.ts'
import { interfaceTemplateBehaviour } from './interface-template.rules.ts'
import { interfaceTemplate } from './interface-template.ts'
import { interfaceTemplateView } from './interface-template.view.ts'
import { inventoryItemBehaviour } from './inventory-item.rules.ts'
import { inventoryItem } from './inventory-item.ts'
import { inventoryItemView } from './inventory-item.view.ts'
import { inventoryItemRole } from './inventory-item-role.ts'
import { inventoryItemRoleView } from './inventory-item-role.view.ts'
import { inventoryItemTemplateBehaviour } from './inventory-item-template.rules.ts'
import { inventoryItemTemplate } from './inventory-item-template.ts'
import { inventoryItemTemplateView } from './inventory-item-template.view.ts'
import { locationBehaviour } from './location.rules.ts'
import { location } from './location.ts'
import { locationView } from './location.view.ts'
import { macAddressBehaviour } from './mac-address.rules.ts'
import { macAddress } from './mac-address.ts'
import { macAddressView } from './mac-address.view.ts'
import { manufacturer } from './manufacturer.ts'
import { manufacturerView } from './manufacturer.view.ts'
import { moduleBehaviour } from './module.rules.ts'
import { deviceModule } from './module.ts'
import { moduleView } from './module.view.ts'
import { moduleBayBehaviour } from './module-bay.rules.ts'
import { moduleBay } from './module-bay.ts'
import { moduleBayView } from './module-bay.view.ts'
import { moduleBayTemplateBehaviour } from './module-bay-template.rules.ts'
import { moduleBayTemplate } from './module-bay-template.ts'
import { moduleBayTemplateView } from './module-bay-template.view.ts'
import { moduleTypeBehaviour } from './module-type.rules.ts'
import { moduleType } from './module-type.ts'
import { moduleTypeView } from './module-type.view.ts'
import { moduleTypeProfileBehaviour } from './module-type-profile.rules.ts'
import { moduleTypeProfile } from './module-type-profile.ts'
import { moduleTypeProfileView } from './module-type-profile.view.ts'
import { platform } from './platform.ts'
import { platformView } from './platform.view.ts'
import { portMappingBehaviour } from './port-mapping.rules.ts'
import { portMapping } from './port-mapping.ts'
import { portTemplateMapping } from './port-template-mapping.ts'
import { powerFeedBehaviour } from './power-feed.rules.ts'
import { powerFeed } from './power-feed.ts'
import { powerFeedView } from './power-feed.view.ts'
import { powerOutletBehaviour } from './power-outlet.rules.ts'
import { powerOutlet } from './power-outlet.ts'
import { powerOutletView } from './power-outlet.view.ts'
import { powerOutletTemplateBehaviour } from './power-outlet-template.rules.ts'
import { powerOutletTemplate } from './power-outlet-template.ts'
import { powerOutletTemplateView } from './power-outlet-template.view.ts'
import { powerPanelBehaviour } from './power-panel.rules.ts'
import { powerPanel } from './power-panel.ts'
import { powerPanelView } from './power-panel.view.ts'
import { powerPortBehaviour } from './power-port.rules.ts'
import { powerPort } from './power-port.ts'
import { powerPortView } from './power-port.view.ts'
import { powerPortTemplateBehaviour } from './power-port-template.rules.ts'
import { powerPortTemplate } from './power-port-template.ts'
import { powerPortTemplateView } from './power-port-template.view.ts'
import { rackBehaviour } from './rack.rules.ts'
import { rack } from './rack.ts'
import { rackView } from './rack.view.ts'
import { rackGroup } from './rack-group.ts'
import { rackGroupView } from './rack-group.view.ts'
import { rackReservationBehaviour } from './rack-reservation.rules.ts'
import { rackReservation } from './rack-reservation.ts'
import { rackReservationView } from './rack-reservation.view.ts'
import { rackRole } from './rack-role.ts'
import { rackRoleView } from './rack-role.view.ts'
import { rackTypeBehaviour } from './rack-type.rules.ts'
import { rackType } from './rack-type.ts'
import { rackTypeView } from './rack-type.view.ts'
import { rearPortBehaviour } from './rear-port.rules.ts'
import { rearPort } from './rear-port.ts'
import { rearPortView } from './rear-port.view.ts'
import { rearPortTemplateBehaviour } from './rear-port-template.rules.ts'
import { rearPortTemplate } from './rear-port-template.ts'
import { rearPortTemplateView } from './rear-port-template.view.ts'
import { region } from './region.ts'
import { regionView } from './region.view.ts'
import { siteBehaviour } from './site.rules.ts'
import { site } from './site.ts'
import { siteView } from './site.view.ts'
import { siteGroup } from './site-group.ts'
import { siteGroupView } from './site-group.view.ts'
import { virtualChassisBehaviour } from './virtual-chassis.rules.ts'
import { virtualChassis } from './virtual-chassis.ts'
import { virtualChassisView } from './virtual-chassis.view.ts'
import { virtualDeviceContextBehaviour } from './virtual-device-context.rules.ts'
import { virtualDeviceContext } from './virtual-device-context.ts'
import { virtualDeviceContextView } from './virtual-device-context.view.ts'

/** Sites, racks, devices, their components and cables. */
export const DCIM: readonly RegisteredModel[] = [
  { model: cable, behaviour: cableBehaviour, view: cableView },
  { model: cableBundle, view: cableBundleView },
  { model: cablePath },
  { model: cableTermination, behaviour: cableTerminationBehaviour, view: cableTerminationView },
  { model: consolePort, behaviour: consolePortBehaviour, view: consolePortView },
  {
    model: consolePortTemplate,
    behaviour: consolePortTemplateBehaviour,
    view: consolePortTemplateView,
  },
  { model: consoleServerPort, behaviour: consoleServerPortBehaviour, view: consoleServerPortView },
  {
    model: consoleServerPortTemplate,
    behaviour: consoleServerPortTemplateBehaviour,
    view: consoleServerPortTemplateView,
  },
  { model: device, behaviour: deviceBehaviour, view: deviceView },
  { model: deviceBay, behaviour: deviceBayBehaviour, view: deviceBayView },
  { model: deviceBayTemplate, behaviour: deviceBayTemplateBehaviour, view: deviceBayTemplateView },
  { model: deviceRole, view: deviceRoleView },
  { model: deviceType, behaviour: deviceTypeBehaviour, view: deviceTypeView },
  { model: frontPort, behaviour: frontPortBehaviour, view: frontPortView },
  { model: frontPortTemplate, behaviour: frontPortTemplateBehaviour, view: frontPortTemplateView },
  { model: deviceInterface, behaviour: interfaceBehaviour, view: interfaceView },
  { model: interfaceTemplate, behaviour: interfaceTemplateBehaviour, view: interfaceTemplateView },
  { model: inventoryItem, behaviour: inventoryItemBehaviour, view: inventoryItemView },
  { model: inventoryItemRole, view: inventoryItemRoleView },
  {
    model: inventoryItemTemplate,
    behaviour: inventoryItemTemplateBehaviour,
    view: inventoryItemTemplateView,
  },
  { model: location, behaviour: locationBehaviour, view: locationView },
  { model: macAddress, behaviour: macAddressBehaviour, view: macAddressView },
  { model: manufacturer, view: manufacturerView },
  { model: deviceModule, behaviour: moduleBehaviour, view: moduleView },
  { model: moduleBay, behaviour: moduleBayBehaviour, view: moduleBayView },
  { model: moduleBayTemplate, behaviour: moduleBayTemplateBehaviour, view: moduleBayTemplateView },
  { model: moduleType, behaviour: moduleTypeBehaviour, view: moduleTypeView },
  { model: moduleTypeProfile, behaviour: moduleTypeProfileBehaviour, view: moduleTypeProfileView },
  { model: platform, view: platformView },
  { model: portMapping, behaviour: portMappingBehaviour },
  { model: portTemplateMapping },
  { model: powerFeed, behaviour: powerFeedBehaviour, view: powerFeedView },
  { model: powerOutlet, behaviour: powerOutletBehaviour, view: powerOutletView },
  {
    model: powerOutletTemplate,
    behaviour: powerOutletTemplateBehaviour,
    view: powerOutletTemplateView,
  },
  { model: powerPanel, behaviour: powerPanelBehaviour, view: powerPanelView },
  { model: powerPort, behaviour: powerPortBehaviour, view: powerPortView },
  { model: powerPortTemplate, behaviour: powerPortTemplateBehaviour, view: powerPortTemplateView },
  { model: rack, behaviour: rackBehaviour, view: rackView },
  { model: rackGroup, view: rackGroupView },
  { model: rackReservation, behaviour: rackReservationBehaviour, view: rackReservationView },
  { model: rackRole, view: rackRoleView },
  { model: rackType, behaviour: rackTypeBehaviour, view: rackTypeView },
  { model: rearPort, behaviour: rearPortBehaviour, view: rearPortView },
  { model: rearPortTemplate, behaviour: rearPortTemplateBehaviour, view: rearPortTemplateView },
  { model: region, view: regionView },
  { model: site, behaviour: siteBehaviour, view: siteView },
  { model: siteGroup, view: siteGroupView },
  { model: virtualChassis, behaviour: virtualChassisBehaviour, view: virtualChassisView },
  {
    model: virtualDeviceContext,
    behaviour: virtualDeviceContextBehaviour,
    view: virtualDeviceContextView,
  },
]
