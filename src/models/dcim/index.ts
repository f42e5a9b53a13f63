import type { RegisteredModel } from '../registered-model.ts'
import { cableBehaviour } from './cable.rules.ts'
import { cable, cableView } from './cable.ts'
import { cableBundle, cableBundleView } from './cable-bundle.ts'
import { cablePath } from './cable-path.ts'
import { cableTerminationBehaviour } from './cable-termination.rules.ts'
import { cableTermination, cableTerminationView } from './cable-termination.ts'
import {
  consolePortTemplate,
  consolePortTemplateBehaviour,
  consolePortTemplateView,
  consoleServerPortTemplate,
  consoleServerPortTemplateBehaviour,
  consoleServerPortTemplateView,
  deviceBayTemplate,
  deviceBayTemplateBehaviour,
  deviceBayTemplateView,
  frontPortTemplate,
  frontPortTemplateBehaviour,
  frontPortTemplateView,
  moduleBayTemplate,
  moduleBayTemplateBehaviour,
  moduleBayTemplateView,
  powerOutletTemplate,
  powerOutletTemplateBehaviour,
  powerOutletTemplateView,
  powerPortTemplate,
  powerPortTemplateBehaviour,
  powerPortTemplateView,
  rearPortTemplate,
  rearPortTemplateBehaviour,
  rearPortTemplateView,
} from './component-templates.ts'
import {
  consolePort,
  consolePortBehaviour,
  consolePortView,
  consoleServerPort,
  consoleServerPortBehaviour,
  consoleServerPortView,
  frontPort,
  frontPortBehaviour,
  frontPortView,
  powerOutlet,
  powerOutletBehaviour,
  powerOutletView,
  powerPort,
  powerPortBehaviour,
  powerPortView,
  rearPort,
  rearPortBehaviour,
  rearPortView,
} from './components.ts'
import { coolingFeed, coolingFeedBehaviour, coolingFeedView } from './cooling-feed.ts'
import {
  coolingIntake,
  coolingIntakeBehaviour,
  coolingIntakeTemplate,
  coolingIntakeTemplateBehaviour,
  coolingIntakeView,
  coolingOutflow,
  coolingOutflowBehaviour,
  coolingOutflowTemplate,
  coolingOutflowTemplateBehaviour,
} from './cooling-ports.ts'
import { coolingSource, coolingSourceBehaviour } from './cooling-source.ts'
import { deviceBehaviour } from './device.rules.ts'
import { device } from './device.ts'
import { deviceView } from './device.view.ts'
import { deviceBay, deviceBayBehaviour, deviceBayView } from './device-bay.ts'
import { deviceRole, deviceRoleView } from './device-role.ts'
import { deviceTypeBehaviour } from './device-type.rules.ts'
import { deviceType, deviceTypeView } from './device-type.ts'
import { interfaceBehaviour } from './interface.rules.ts'
import { deviceInterface } from './interface.ts'
import { interfaceView } from './interface.view.ts'
import { interfaceTemplate, interfaceTemplateBehaviour, interfaceTemplateView } from './interface-template.ts'
import { inventoryItem, inventoryItemBehaviour, inventoryItemView } from './inventory-item.ts'
import { inventoryItemRole, inventoryItemRoleView } from './inventory-item-role.ts'
import {
  inventoryItemTemplate,
  inventoryItemTemplateBehaviour,
  inventoryItemTemplateView,
} from './inventory-item-template.ts'
import { location, locationBehaviour, locationView } from './location.ts'
import { macAddress, macAddressBehaviour, macAddressView } from './mac-address.ts'
import { manufacturer, manufacturerView } from './manufacturer.ts'
import { moduleBehaviour } from './module.rules.ts'
import { deviceModule, moduleView } from './module.ts'
import { moduleBay, moduleBayBehaviour, moduleBayView } from './module-bay.ts'
import { moduleBayType } from './module-bay-type.ts'
import { moduleType, moduleTypeBehaviour, moduleTypeView } from './module-type.ts'
import { moduleTypeProfile, moduleTypeProfileBehaviour, moduleTypeProfileView } from './module-type-profile.ts'
import { platform, platformView } from './platform.ts'
import { portMapping, portMappingBehaviour, portTemplateMapping } from './port-mapping.ts'
import { powerFeed, powerFeedBehaviour, powerFeedView } from './power-feed.ts'
import { powerPanel, powerPanelBehaviour, powerPanelView } from './power-panel.ts'
import { rackBehaviour } from './rack.rules.ts'
import { rack, rackView } from './rack.ts'
import { rackGroup, rackGroupView } from './rack-group.ts'
import { rackReservation, rackReservationBehaviour, rackReservationView } from './rack-reservation.ts'
import { rackRole, rackRoleView } from './rack-role.ts'
import { rackType, rackTypeBehaviour, rackTypeView } from './rack-type.ts'
import { region, regionView } from './region.ts'
import { site, siteBehaviour, siteView } from './site.ts'
import { siteGroup, siteGroupView } from './site-group.ts'
import { virtualChassis, virtualChassisBehaviour, virtualChassisView } from './virtual-chassis.ts'
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
  { model: coolingFeed, behaviour: coolingFeedBehaviour, view: coolingFeedView },
  { model: coolingIntake, behaviour: coolingIntakeBehaviour, view: coolingIntakeView },
  { model: coolingIntakeTemplate, behaviour: coolingIntakeTemplateBehaviour },
  { model: coolingOutflow, behaviour: coolingOutflowBehaviour },
  { model: coolingOutflowTemplate, behaviour: coolingOutflowTemplateBehaviour },
  { model: coolingSource, behaviour: coolingSourceBehaviour },
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
  { model: moduleBayType },
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
