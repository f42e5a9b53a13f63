import type { RegisteredModel } from '../registered-model.ts'
import { cableBehaviour } from './cable.rules.ts'
import { cable, cableView } from './cable.ts'
import { cableBundle, cableBundleView } from './cable-bundle.ts'
import { cablePath } from './cable-path.ts'
import { cableTerminationBehaviour } from './cable-termination.rules.ts'
import { cableTermination, cableTerminationView } from './cable-termination.ts'
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
import { deviceRole, deviceRoleView } from './device-role.ts'
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
import { inventoryItemRole, inventoryItemRoleView } from './inventory-item-role.ts'
import { inventoryItemTemplateBehaviour } from './inventory-item-template.rules.ts'
import { inventoryItemTemplate } from './inventory-item-template.ts'
import { inventoryItemTemplateView } from './inventory-item-template.view.ts'
import { location, locationBehaviour, locationView } from './location.ts'
import { macAddress, macAddressBehaviour, macAddressView } from './mac-address.ts'
import { manufacturer, manufacturerView } from './manufacturer.ts'
import { moduleBehaviour } from './module.rules.ts'
import { deviceModule, moduleView } from './module.ts'
import { moduleBayBehaviour } from './module-bay.rules.ts'
import { moduleBay } from './module-bay.ts'
import { moduleBayView } from './module-bay.view.ts'
import { moduleBayTemplateBehaviour } from './module-bay-template.rules.ts'
import { moduleBayTemplate } from './module-bay-template.ts'
import { moduleBayTemplateView } from './module-bay-template.view.ts'
import { moduleType, moduleTypeBehaviour, moduleTypeView } from './module-type.ts'
import {
  moduleTypeProfile,
  moduleTypeProfileBehaviour,
  moduleTypeProfileView,
} from './module-type-profile.ts'
import { platform, platformView } from './platform.ts'
import { portMapping, portMappingBehaviour } from './port-mapping.ts'
import { portTemplateMapping } from './port-template-mapping.ts'
import { powerFeed, powerFeedBehaviour, powerFeedView } from './power-feed.ts'
import { powerOutletBehaviour } from './power-outlet.rules.ts'
import { powerOutlet } from './power-outlet.ts'
import { powerOutletView } from './power-outlet.view.ts'
import { powerOutletTemplateBehaviour } from './power-outlet-template.rules.ts'
import { powerOutletTemplate } from './power-outlet-template.ts'
import { powerOutletTemplateView } from './power-outlet-template.view.ts'
import { powerPanel, powerPanelBehaviour, powerPanelView } from './power-panel.ts'
import { powerPortBehaviour } from './power-port.rules.ts'
import { powerPort } from './power-port.ts'
import { powerPortView } from './power-port.view.ts'
import { powerPortTemplateBehaviour } from './power-port-template.rules.ts'
import { powerPortTemplate } from './power-port-template.ts'
import { powerPortTemplateView } from './power-port-template.view.ts'
import { rackBehaviour } from './rack.rules.ts'
import { rack, rackView } from './rack.ts'
import { rackGroup, rackGroupView } from './rack-group.ts'
import {
  rackReservation,
  rackReservationBehaviour,
  rackReservationView,
} from './rack-reservation.ts'
import { rackRole, rackRoleView } from './rack-role.ts'
import { rackType, rackTypeBehaviour, rackTypeView } from './rack-type.ts'
import { rearPortBehaviour } from './rear-port.rules.ts'
import { rearPort } from './rear-port.ts'
import { rearPortView } from './rear-port.view.ts'
import { rearPortTemplateBehaviour } from './rear-port-template.rules.ts'
import { rearPortTemplate } from './rear-port-template.ts'
import { rearPortTemplateView } from './rear-port-template.view.ts'
import { region, regionView } from './region.ts'
import { site, siteBehaviour, siteView } from './site.ts'
import { siteGroup, siteGroupView } from './site-group.ts'
import { virtualChassisBehaviour } from './virtual-chassis.rules.ts'
import { virtualChassis, virtualChassisView } from './virtual-chassis.ts'
import {
  virtualDeviceContext,
  virtualDeviceContextBehaviour,
  virtualDeviceContextView,
} from './virtual-device-context.ts'

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
