import { requirePermission } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { compareObjectAddress } from '../compare/compare-page.ts'
import { shownTitle } from '../components/model-title.ts'
import { shownName } from '../components/shown-name.ts'
import { type TabLink, tabBar } from '../components/tab-bar.ts'
import type { ApiRoutes } from '../data/ask-api.ts'
import { countLists, type ListCounts } from '../data/count-lists.ts'
import { readOne } from '../data/page-objects.ts'
import type { AddedToObjects, ExtendedObject, ObjectTab, TabContent } from '../frame/object-content.ts'
import { objectFacts, objectTitle } from '../frame/object-heading.ts'
import type { ModelPage } from '../frame/page-endpoint.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { earlierStateMenu } from '../frame/page-time.ts'
import { html } from '../html.ts'
import { objectButtons } from './object-buttons.ts'
import { trailTo } from './place-of-object.ts'
import { listsOfTabs, permittedTabs, type TabOfObject } from './tabs.ts'

/** A page about an object: its main page, or a tab. */
interface ObjectPage extends TabContent {
  /** Undefined for the main page. */
  readonly tab?: ObjectTab
  /** The tabs of the object with the numbers of their objects, if the caller has them. */
  readonly counted?: CountedTabs
}

/** The page of a tab. */
export const tabPage =
  (routes: ApiRoutes, added: AddedToObjects, tab: ObjectTab): ModelPage =>
  async (request, model) => {
    const { registry, settings } = request.service
    const { object } = await readOne(request, model)
    const list = tab.list?.(registry, model, object)
    if (list) requirePermission(request.actor, 'view', list.model, settings)
    if (tab.permission) requirePermission(request.actor, tab.permission, model, settings)
    const page = { request, model, object, routes, added }
    const response = await tab.load(page)
    return 'content' in response ? await objectFrame(page, { tab, ...response }) : response
  }

/** Heading, actions and tabs of an object around the content of one of its pages. */
export async function objectFrame(
  page: ExtendedObject,
  { tab, content, actions, counted, styles = [], scripts = [], ...response }: ObjectPage,
): Promise<PageResponse> {
  const { request, model, object } = page
  const list = pagePathOf(model) ?? '/'
  const address = `${list}${object.id}/`
  const name = shownName(request.service.registry, object)
  const label = tab?.label()
  const [tabs, buttons] = await Promise.all([
    tabLinks(page, tab, counted ?? (await countedTabs(page))),
    objectButtons(page, actions),
  ])
  return {
    ...response,
    title: label === undefined ? name : `${label} · ${name}`,
    model,
    styles: ['objects.css', 'object.css', ...styles],
    scripts: ['object.client.ts', ...scripts],
    breadcrumbs: [...(await trailTo(page)), ...(tab ? [{ label: tab.label(), path: `${address}${tab.path}/` }] : [])],
    body: html`<div class="heading">${objectTitle(page)}${await earlierStateMenu(request, model, compareObjectAddress(page))}${buttons}</div>${objectFacts(page)}${tabBar(tabs)}${content}`,
  }
}

interface CountedTabs {
  readonly tabs: readonly TabOfObject[]
  readonly counts: ListCounts
}

async function countedTabs(page: ExtendedObject): Promise<CountedTabs> {
  const tabs = await permittedTabs(page)
  return { tabs, counts: await countLists(page.request, listsOfTabs(tabs)) }
}

/** The pages of an object. */
async function tabLinks(
  page: ExtendedObject,
  current: ObjectTab | undefined,
  { tabs, counts }: CountedTabs,
): Promise<readonly TabLink[]> {
  const { request, model, object } = page
  const address = `${request.service.settings.basePath}${pagePathOf(model)}${object.id}/`
  const numbers = await Promise.all(tabs.map(({ tab }) => tab.count?.(page)))
  const links = tabs.flatMap(({ tab, list }, index): readonly TabLink[] => {
    const count = list && counts(list)
    const isCurrent = tab.path === current?.path
    if (list && count === undefined && !isCurrent) return []
    if (tab.isHiddenIfEmpty && count === 0 && !isCurrent) return []
    return [
      {
        label: tab.label(),
        href: `${address}${tab.path}/`,
        count: tab.isCounted ? count : numbers[index],
        isCurrent,
        group: tab.group,
      },
    ]
  })
  return [{ label: shownTitle(model), href: address, isCurrent: current === undefined }, ...links]
}
