import type { ApiRequest } from '../../api/api-request.ts'
import type { PermissionAction } from '../../identity/actor.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Feature } from '../../schema/model.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { shownPlural } from '../components/model-title.ts'
import type { PlainText } from '../texts/dictionaries.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { listOfChildren } from './children.ts'
import type { FilteredList } from './count-lists.ts'

/** A page about an object, beside its main one. */
export interface ObjectTab {
  /** Last segment of its address. */
  readonly path: string
  readonly label: string
  /** The objects that it lists; their number stands beside the label. */
  readonly list?: FilteredList
  /** Left out while its list is empty. */
  readonly isHiddenIfEmpty?: boolean
  /** Its list decides whether it is shown, but its number is not. */
  readonly isUncounted?: boolean
  /** Action that the sender has to be allowed to perform. */
  readonly permission?: PermissionAction
}

/** A tab of the models that have a feature. */
interface FeatureTab {
  readonly path: string
  readonly label: PlainText
  /** The model of the listed objects, and their relation to the shown one. */
  readonly of: string
  readonly relation: string
  readonly isCounted: boolean
}

const FEATURE_TABS: Readonly<Partial<Record<Feature, FeatureTab>>> = {
  contacts: {
    path: 'contacts',
    label: 'Contacts',
    of: SYSTEM.contactAssignment,
    relation: 'object',
    isCounted: true,
  },
  imageAttachments: {
    path: 'image-attachments',
    label: 'Images',
    of: SYSTEM.imageAttachment,
    relation: 'parent',
    isCounted: true,
  },
  journaling: {
    path: 'journal',
    label: 'Journal',
    of: SYSTEM.journalEntry,
    relation: 'assigned_object',
    isCounted: true,
  },
  changeLogging: {
    path: 'changelog',
    label: 'Changelog',
    of: SYSTEM.objectChange,
    relation: 'changed_object',
    isCounted: false,
  },
  jobs: { path: 'jobs', label: 'Jobs', of: SYSTEM.job, relation: 'object', isCounted: false },
}

/** Addresses of the tabs that the model's objects have, beside those of its view. */
export function tabPathsOf(model: Model): readonly string[] {
  const features = Object.entries(FEATURE_TABS) as [Feature, FeatureTab][] // keys are widened
  return [
    ...ownTabs(model).map(({ path }) => path),
    ...features.filter(([feature]) => model.has(feature)).map(([, { path }]) => path),
  ]
}

/** The tabs of an object whose objects the sender may view. */
export function objectTabs(
  { service, actor }: ApiRequest,
  model: Model,
  object: JsonObject,
): readonly ObjectTab[] {
  const { registry, settings } = service
  const children = (registry.view(model).tabs ?? []).map((each): ObjectTab => {
    const list = listOfChildren(registry, each, object)
    return {
      path: each.path,
      label: each.label === undefined ? shownPlural(list.model) : translateLabel(each.label),
      list,
      isHiddenIfEmpty: each.hiddenIfEmpty === true,
    }
  })
  const handMade = (registry.view(model).ownTabs ?? []).map(
    ({ path, label, ...each }): ObjectTab => {
      return {
        path,
        label: translateLabel(label),
        list: listOfChildren(registry, each, object),
        isHiddenIfEmpty: true,
        isUncounted: true,
      }
    },
  )
  const features = Object.entries(FEATURE_TABS) as [Feature, FeatureTab][] // keys are widened
  const common = features
    .filter(([feature]) => model.has(feature))
    .flatMap(([, { path, label, of, relation, isCounted }]): readonly ObjectTab[] => {
      const listed = registry.models.get(of)
      if (!listed || !mayAct(actor, 'view', listed, settings)) return []
      const list = { model: listed, query: listQueryOf(listed, relation, model, object) }
      return [{ path, label: translate(label), ...(isCounted && { list }) }]
    })
  const visible = [...children, ...handMade].filter(
    ({ list }) => list && mayAct(actor, 'view', list.model, settings),
  )
  const own = ownTabs(model).filter(
    ({ permission }) => permission === undefined || mayAct(actor, permission, model, settings),
  )
  return [...visible, ...own, ...common]
}

/** The lists whose numbers of objects the tabs show. */
export const listsOfTabs = (tabs: readonly ObjectTab[]): readonly FilteredList[] =>
  tabs.flatMap(({ list }) => list ?? [])

/** Tabs that follow from fields of the model. */
function ownTabs({ fields }: Model): readonly ObjectTab[] {
  const tabs: ObjectTab[] = []
  if (fields.has('connected_endpoints')) tabs.push({ path: 'trace', label: translate('Trace') })
  if (fields.has('config_context')) {
    tabs.push({ path: 'config-context', label: translate('Config context') })
    tabs.push({ path: 'render-config', label: translate('Render config') })
  }
  if (fields.has('log_entries')) tabs.push({ path: 'log', label: translate('Log') })
  if (fields.has('is_executable')) {
    tabs.push({ path: 'run', label: translate('Run'), permission: 'run' })
  }
  return tabs
}

/** Filters of the objects whose generic relation leads to this one. */
export function listQueryOf(
  listed: Model,
  relation: string,
  model: Model,
  { id }: JsonObject,
): URLSearchParams {
  const field = listed.fields.get(relation)
  if (field?.kind !== 'genericForeignKey') throw new Error(`${listed.name} has no ${relation}`)
  const keys = genericKeys(relation, field)
  return new URLSearchParams({ [keys.type]: model.name, [keys.id]: String(id) })
}
