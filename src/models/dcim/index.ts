import type { RegisteredModel } from '../../schema/view.ts'
import { cableModel } from './cable.view.ts'
import { cableBundleModel } from './cable-bundle.ts'
import { cablePath } from './cable-path.ts'
import { cableTerminationModel } from './cable-termination.view.ts'
import {
  consolePortTemplateModel,
  consoleServerPortTemplateModel,
  deviceBayTemplateModel,
  frontPortTemplateModel,
  moduleBayTemplateModel,
  powerOutletTemplateModel,
  powerPortTemplateModel,
  rearPortTemplateModel,
} from './component-templates.ts'
import {
  consolePortModel,
  consoleServerPortModel,
  frontPortModel,
  powerOutletModel,
  powerPortModel,
  rearPortModel,
} from './components.ts'
import { coolingFeedModel } from './cooling-feed.ts'
import {
  coolingIntakeModel,
  coolingIntakeTemplateModel,
  coolingOutflowModel,
  coolingOutflowTemplateModel,
} from './cooling-ports.ts'
import { coolingSourceModel } from './cooling-source.ts'
import { deviceModel } from './device.view.ts'
import { deviceBayModel } from './device-bay.ts'
import { deviceRoleModel } from './device-role.ts'
import { deviceTypeModel } from './device-type.view.ts'
import { deviceInterfaceModel } from './interface.view.ts'
import { interfaceTemplateModel } from './interface-template.ts'
import { inventoryItemModel } from './inventory-item.ts'
import { inventoryItemRoleModel } from './inventory-item-role.ts'
import { inventoryItemTemplateModel } from './inventory-item-template.ts'
import { locationModel } from './location.ts'
import { macAddressModel } from './mac-address.ts'
import { manufacturerModel } from './manufacturer.ts'
import { deviceModuleModel } from './module.view.ts'
import { moduleBayModel } from './module-bay.ts'
import { moduleBayType } from './module-bay-type.ts'
import { moduleTypeModel } from './module-type.ts'
import { moduleTypeProfileModel } from './module-type-profile.ts'
import { platformModel } from './platform.ts'
import { portMappingModel, portTemplateMapping } from './port-mapping.ts'
import { powerFeedModel } from './power-feed.ts'
import { powerPanelModel } from './power-panel.ts'
import { rackModel } from './rack.view.ts'
import { rackGroupModel } from './rack-group.ts'
import { rackReservationModel } from './rack-reservation.ts'
import { rackRoleModel } from './rack-role.ts'
import { rackTypeModel } from './rack-type.ts'
import { regionModel } from './region.ts'
import { siteModel } from './site.ts'
import { siteGroupModel } from './site-group.ts'
import { virtualChassisModel } from './virtual-chassis.ts'
import { virtualDeviceContextModel } from './virtual-device-context.ts'

/** Sites, racks, devices, their components and cables. */
export const DCIM: readonly RegisteredModel[] = [
  cableModel,
  cableBundleModel,
  { model: cablePath },
  cableTerminationModel,
  consolePortModel,
  consolePortTemplateModel,
  consoleServerPortModel,
  consoleServerPortTemplateModel,
  coolingFeedModel,
  coolingIntakeModel,
  coolingIntakeTemplateModel,
  coolingOutflowModel,
  coolingOutflowTemplateModel,
  coolingSourceModel,
  deviceModel,
  deviceBayModel,
  deviceBayTemplateModel,
  deviceRoleModel,
  deviceTypeModel,
  frontPortModel,
  frontPortTemplateModel,
  deviceInterfaceModel,
  interfaceTemplateModel,
  inventoryItemModel,
  inventoryItemRoleModel,
  inventoryItemTemplateModel,
  locationModel,
  macAddressModel,
  manufacturerModel,
  deviceModuleModel,
  moduleBayModel,
  moduleBayTemplateModel,
  { model: moduleBayType },
  moduleTypeModel,
  moduleTypeProfileModel,
  platformModel,
  portMappingModel,
  { model: portTemplateMapping },
  powerFeedModel,
  powerOutletModel,
  powerOutletTemplateModel,
  powerPanelModel,
  powerPortModel,
  powerPortTemplateModel,
  rackModel,
  rackGroupModel,
  rackReservationModel,
  rackRoleModel,
  rackTypeModel,
  rearPortModel,
  rearPortTemplateModel,
  regionModel,
  siteModel,
  siteGroupModel,
  virtualChassisModel,
  virtualDeviceContextModel,
]
