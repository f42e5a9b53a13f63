import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { Content } from '../components/html.ts'
import { html } from '../components/html.ts'
import { shownPlural, shownTitle } from '../components/model-title.ts'
import type { FramedPage, PageFrame } from '../frame/page-frame.ts'
import { countLists, type ListCounts } from './count-lists.ts'
import { objectButtons } from './object-buttons.ts'
import { objectTitle } from './object-heading.ts'
import { tabBar } from './tab-bar.ts'
import { listsOfTabs, objectTabs } from './tabs.ts'

/** A page about an object: its main page or a tab. */
export interface ObjectPart extends Pick<FramedPage, 'scripts' | 'styles' | 'status'> {
  /** Address below the object's; '' for the main page. */
  readonly path: string
  /** Label of the tab; absent for the main page. */
  readonly label?: string
  /** Buttons beside those of every page. */
  readonly actions?: Content
  /** Numbers of the objects of the tabs, if they are known already. */
  readonly counts?: ListCounts
  readonly body: Content
}

/** Heading, actions and tabs of an object around a part of its pages. */
export async function objectFrame(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
  object: JsonObject,
  { path, label, body, actions, counts, styles = [], scripts = [], ...part }: ObjectPart,
): Promise<HttpResponse> {
  const list = pagePathOf(model) ?? '/'
  const page = `${list}${object.id}/`
  const name = String(object.display)
  const [tabs, buttons] = await Promise.all([
    tabLinks(request, model, object, { path, counts }),
    objectButtons(request, model, object, actions),
  ])
  return await frame(request, {
    ...part,
    title: label === undefined ? name : `${label} · ${name}`,
    model,
    styles: ['objects.css', 'object.css', ...styles],
    scripts: ['object.client.ts', ...scripts],
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label: name, path: page },
      ...(label === undefined ? [] : [{ label, path: `${page}${path}/` }]),
    ],
    body: html`<div class="heading">${objectTitle(request, model, object)}${buttons}</div>${tabBar(tabs)}${body}`,
  })
}

async function tabLinks(
  request: ApiRequest,
  model: Model,
  object: JsonObject,
  { path: current, counts }: Pick<ObjectPart, 'path'> & { counts: ListCounts | undefined },
) {
  const { basePath } = request.service.settings
  const root = `${basePath}${pagePathOf(model)}${object.id}/`
  const tabs = objectTabs(request, model, object)
  const countOf = counts ?? (await countLists(request, listsOfTabs(tabs)))
  const links = tabs
    .map((tab) => ({ ...tab, count: tab.list && countOf(tab.list) }))
    .filter(
      ({ count, isHiddenIfEmpty, path }) => !isHiddenIfEmpty || count !== 0 || path === current,
    )
    .map(({ path, label, count, isUncounted }) => ({
      label,
      href: `${root}${path}/`,
      count: isUncounted ? undefined : count,
      isCurrent: path === current,
    }))
  return [{ label: shownTitle(model), href: root, isCurrent: current === '' }, ...links]
}
