import type { Model } from '../../schema/registry.ts'
import { parentsPart } from '../addresses/parents-part.ts'
import { addressSpacePart } from '../addresses/space-part.ts'
import { vlanIdsPart } from '../addresses/vlan-ids-part.ts'
import { agentPart } from '../administration/agents.ts'
import { permissionPart } from '../administration/permission-part.ts'
import { webhookTestPart } from '../administration/webhook-test-part.ts'
import { branchPart } from '../branches/branch-part.ts'
import { changeRequestPart } from '../branches/change-request-part.ts'
import { changedInPart } from '../branches/changed-in.ts'
import { branchChangesTab } from '../branches/changes-tab.ts'
import { conflictsTab } from '../branches/conflicts-tab.ts'
import { circuitSidesPart } from '../cabling/circuit-sides.ts'
import { connectPart } from '../cabling/connect-link.ts'
import { connectPortsPart, panelTab } from '../cabling/panel-tab.ts'
import { powerTab } from '../cabling/power-tab.ts'
import { cablePathPart, portPathPart, traceTab } from '../cabling/trace-tab.ts'
import { type AddedToObjects, isFor, type ObjectPart, type ObjectTab } from '../frame/object-content.ts'
import { unablePeoplePart } from '../object-parts/unable-people.ts'
import { packPart } from '../packs/pack-part.ts'
import { chassisMembersPart } from '../racks/chassis-members.ts'
import { devicePicturesPart } from '../racks/device-pictures.ts'
import { rackElevationPart } from '../racks/elevation-part.ts'
import { feedLoadPart } from '../racks/feed-load-part.ts'
import { floorListPart } from '../racks/floor-list.ts'
import { jobPart, logTab } from '../scripts/job-part.ts'
import { runTab } from '../scripts/run-tab.ts'
import { importPlanPart } from '../start/import-plan-part.ts'
import { actionsPart } from './action-buttons.ts'
import { changePart } from './change-part.ts'
import { changelogTab } from './changelog-tab.ts'
import { findingsTab, jobsTab } from './children-tab.ts'
import { configContextTab } from './config-context-tab.ts'
import { contactsTab } from './contacts-tab.ts'
import { attemptsPart, filePart } from './document-parts.ts'
import { dueTab } from './due-tab.ts'
import { imagesTab } from './images-tab.ts'
import { journalTab } from './journal-tab.ts'
import { membersPart } from './members-part.ts'
import { neighboursPart } from './place-of-object.ts'
import { renderConfigTab } from './render-config-tab.ts'
import { ofFollowers, ofTypes, typeNotices } from './type-tabs.ts'

/** The parts of the pages of a model's objects, in the order of a page; those that plugins add come last. */
export const partsOf = (model: Model, { parts }: AddedToObjects): readonly ObjectPart[] =>
  [...OBJECT_PARTS, ...parts].filter((part) => isFor(part, model))

const OBJECT_PARTS: readonly ObjectPart[] = [
  neighboursPart,
  connectPortsPart,
  connectPart,
  actionsPart,
  addressSpacePart,
  parentsPart,
  attemptsPart,
  branchPart,
  changedInPart,
  changeRequestPart,
  ...typeNotices,
  agentPart,
  cablePathPart,
  portPathPart,
  changePart,
  chassisMembersPart,
  circuitSidesPart,
  devicePicturesPart,
  feedLoadPart,
  filePart,
  permissionPart,
  floorListPart,
  importPlanPart,
  jobPart,
  membersPart,
  packPart,
  rackElevationPart,
  unablePeoplePart,
  vlanIdsPart,
  webhookTestPart,
]

/** The tabs of the pages of objects, in the order of the bar; those of a view come before them. */
export const OBJECT_TABS: readonly ObjectTab[] = [
  branchChangesTab,
  conflictsTab,
  panelTab,
  powerTab,
  traceTab,
  ...ofFollowers,
  ...ofTypes,
  configContextTab,
  renderConfigTab,
  findingsTab,
  dueTab,
  logTab,
  runTab,
  contactsTab,
  imagesTab,
  journalTab,
  changelogTab,
  jobsTab,
]
