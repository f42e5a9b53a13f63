import { mayAct } from '../../identity/permitted-rows.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { FilteredList } from '../data/count-lists.ts'
import { mayActOn } from '../data/page-objects.ts'
import { type AddedToObjects, type ExtendedObject, isFor, type ObjectTab } from '../frame/object-content.ts'
import { childrenTab } from './children-tab.ts'
import { OBJECT_TABS } from './object-contents.ts'

/** The tabs of the model's objects: those of its view, then those of features, then those that plugins add. */
export const tabsOf = (registry: Registry, model: Model, added: AddedToObjects): readonly ObjectTab[] =>
  tabsIn(registry)(added)(model)

const tabsIn = oncePer((registry: Registry) =>
  oncePer(({ tabs }: AddedToObjects) =>
    oncePer((model: Model): readonly ObjectTab[] => [
      ...(registry.view(model).tabs ?? []).map((children) => childrenTab(registry, children)),
      ...[...OBJECT_TABS, ...tabs].filter((tab) => isFor(tab, model)),
    ]),
  ),
)

/** A tab of an object, with the list that it shows. */
export interface TabOfObject {
  readonly tab: ObjectTab
  readonly list: FilteredList | undefined
}

/** The tabs of an object that the sender may open. */
export async function permittedTabs({
  request,
  model,
  object,
  added,
}: ExtendedObject): Promise<readonly TabOfObject[]> {
  const { service, actor } = request
  const { registry, settings } = service
  const tabs = tabsOf(registry, model, added)
    .map((tab) => ({ tab, list: tab.list?.(registry, model, object) }))
    .filter(({ list }) => list === undefined || mayAct(actor, 'view', list.model, settings))
  const permitted = await Promise.all(
    tabs.map(({ tab: { permission } }) =>
      permission === undefined ? true : mayActOn(request, permission, model, Number(object.id)),
    ),
  )
  return tabs.filter((_, index) => permitted[index])
}

/** The lists whose numbers of objects the tab bar needs. */
export const listsOfTabs = (tabs: readonly TabOfObject[]): readonly FilteredList[] =>
  tabs.flatMap(({ tab, list }) => (list && (tab.isCounted || tab.isHiddenIfEmpty) ? [list] : []))
