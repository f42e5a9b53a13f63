import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { parametersOf } from '../../read/query/parameters.ts'
import { pluralTitleOf } from '../../schema/class-name.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Referrer } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Children } from '../../schema/view.ts'
import { fieldLabel } from '../components/field-label.ts'
import { pluralsApart, shownPlural, shownPluralNoun } from '../components/model-title.ts'
import { panel } from '../components/panel.ts'
import { linkToObject, valueDisplay } from '../components/value.ts'
import { countLists, type FilteredList, type ListCounts } from '../data/count-lists.ts'
import { displayOptions } from '../data/display-options.ts'
import { contextsBeside, ownContexts } from '../data/object-names.ts'
import { readList } from '../data/page-objects.ts'
import type { ExtendedObject, RequestedObject } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { objectRows } from '../lists/object-rows.ts'
import { addButton, addLink, addMenu } from '../object-parts/add-child.ts'
import { columnsOfChildren, listOfChildren, listsOfChildren } from '../object-parts/children.ts'
import { numeral, sentenceCase, translate } from '../texts/translate.ts'
import { imagePanel, imagesOf } from './images-tab.ts'
import { referrerQuery } from './referrer-query.ts'
import { listsOfTabs, permittedTabs, type TabOfObject } from './tabs.ts'

/** Maximum number of objects of each kind that are named. */
const NAMED = 6

/** A list of which the page names the first objects, under a heading. */
interface NamedList extends FilteredList {
  readonly label: string
}

/** The first objects of each list, with their number; lists without objects are left out. */
async function objectOverview(
  page: RequestedObject,
  lists: readonly NamedList[],
  counts: ListCounts,
): Promise<Content> {
  const { request, object } = page
  const { settings } = request.service
  const cards = await Promise.all(
    lists.map(async (list): Promise<Content> => {
      const count = counts(list)
      if (count === undefined || count === 0) return undefined
      const status = list.model.fields.get('status')
      // The list reads the contexts of its objects too, so that these need no separate read.
      const { context = [] } = request.service.registry.view(list.model)
      const fields = ['id', 'url', 'display', ...(status ? ['status'] : []), ...context]
      const query = new URLSearchParams(list.query)
      query.set('limit', String(NAMED))
      const { objects } = await readList(request, list.model, { query, paths: fields, count })
      const contexts = contextsBeside(request.service.registry, ownContexts(request, list.model, objects), [
        object,
        ...objects,
      ])
      const options = displayOptions(request, contexts)
      const href = `${settings.basePath}${pagePathOf(list.model)}?${list.query}`
      const items = objects.map(
        (object) =>
          html`<li><span>${linkToObject(object, options)}</span>${status && valueDisplay(status, object.status, options)}</li>`,
      )
      return html`<section class="card"><h2><a href="${href}">${list.label}</a> <span class="count">${numeral(count)}</span>${addLink(page, list)}</h2><ul class="plain">${items}</ul></section>`
    }),
  )
  return cards.some(Boolean) && html`<div class="overview">${cards}</div>`
}

/** Maximum number of kinds that the page of a new object offers. */
const OFFERED = 8

/** For an object to which nothing belongs yet: the kinds that may, each with the form for the first one. */
function firstChildren(page: RequestedObject, lists: readonly FilteredList[]): Content {
  const byModel = new Map(lists.toReversed().map((list) => [list.model, list]))
  const cards = [...byModel.values()]
    .reverse()
    .flatMap((list) => {
      const button = !ELSEWHERE.has(list.model.name) && addButton(page, list)
      return button ? [{ model: list.model, button }] : []
    })
    .slice(0, OFFERED)
  return (
    cards.length > 0 &&
    html`<div class="first-children">${cards.map(
      ({ model, button }) =>
        html`<section class="card"><h2>${shownPlural(model)}</h2><p class="muted">${translate('No {objects} yet.', { objects: shownPluralNoun(model) })}</p>${button}</section>`,
    )}</div>`
  )
}

/** The parts of an object's page that list other objects. */
interface ListedObjects {
  readonly tabs: readonly TabOfObject[]
  readonly counts: ListCounts
  readonly related: Content
  readonly tables: readonly Content[]
  readonly overview: Content
  readonly images: Content
  /** The menu with the forms for objects that belong to this one. */
  readonly add: Content
}

/**
 * Objects that belong to an object, and those that refer to it. One query counts all lists; only non-empty ones are
 * read.
 */
export async function listedObjects(page: ExtendedObject): Promise<ListedObjects> {
  const { request, model, object } = page
  const { registry } = request.service
  const view = registry.view(model)
  const related = relatedLists(page)
  const overviewed = (view.overview ?? []).map((children): NamedList => {
    const list = listOfChildren(registry, children, object)
    return { ...list, label: sentenceCase(children.label ?? pluralTitleOf(list.model)) }
  })
  const tabs = await permittedTabs(page)
  const counts = await countLists(request, [
    ...related,
    ...listsOfTabs(tabs),
    ...overviewed,
    ...listsOfChildren(registry, tablesOf(page), object),
    ...(model.has('imageAttachments') ? [imagesOf(registry, model, object)] : []),
  ])
  const [tables, overview, images] = await Promise.all([
    childTables(page, counts),
    // Contracts, certificates and other objects of models of one's own are few, and people look for their names.
    objectOverview(page, [...overviewed, ...related.filter(isOfOwnModel)], counts),
    imagePanel(page, counts),
  ])
  const counted = related.map((list) => ({ ...list, count: counts(list) ?? 0 }))
  const children = [...(view.overview ?? []), ...(view.tables ?? []), ...(view.tabs ?? [])]
  const offered = listsOfChildren(
    registry,
    children.filter((kind) => kind.isShownEmpty !== true),
    object,
  )
  const isBare = [...listsOfChildren(registry, children, object), ...counted].every((list) => !counts(list))
  return {
    ...{ tabs, counts, overview, images },
    tables: isBare
      ? [...tables, firstChildren(page, children.length > 0 ? offered : counted.filter(isAddable))]
      : tables,
    related: relatedPanel(
      page,
      counted.filter((list) => list.count > 0 && !list.isCovered && !isOfOwnModel(list)),
    ),
    add: addMenu(page, counted.filter(isAddable)),
  }
}

/** Whether users have defined the model of the list. */
const isOfOwnModel = ({ model }: FilteredList): boolean => model.fields.get('custom_object_type')?.kind === 'derivedKey'

/**
 * The tables of the object's view, without those of objects that lack a relation which may be hidden from the sender:
 * a hidden rack reads as none, and the devices in it are not without a rack.
 */
function tablesOf({ request, model }: RequestedObject): readonly Children[] {
  const { registry, settings } = request.service
  const { visibleRows } = rowSecurityOf(request.actor, registry, settings)
  return (registry.view(model).tables ?? []).filter(({ model: listed, by }) =>
    Object.entries(by).every(([name, source]) => {
      const filter = parametersOf(registry, registry.model(listed)).get(name)?.filter
      return source !== LACKING || filter?.kind !== 'related' || visibleRows(registry.model(filter.to)) === 'all'
    }),
  )
}

/** Source of a filter for objects without the relation. */
const LACKING = '=null'

/** Maximum number of rows of a table within an object's page. */
const ROWS = 10

/**
 * The tables of the object's view that have rows or are what the object is about, each with a link to the whole list.
 * The menu *Add* offers the others.
 */
async function childTables(page: RequestedObject, counts: ListCounts): Promise<readonly Content[]> {
  const { request, object } = page
  const { registry, settings } = request.service
  return await Promise.all(
    tablesOf(page).map(async (children): Promise<Content> => {
      const list = listOfChildren(registry, children, object)
      const count = counts(list)
      if (count === undefined) return undefined
      const label = children.label === undefined ? shownPlural(list.model) : sentenceCase(children.label)
      if (count === 0) {
        return (
          children.isShownEmpty &&
          panel(label, html`<p class="muted">${translate('None yet.')}</p>`, addButton(page, list))
        )
      }
      const query = new URLSearchParams(list.query)
      query.set('limit', String(ROWS))
      const columns = columnsOfChildren(registry, children)
      const { table } = await objectRows(request, list.model, { query, columns, count, label })
      const href = `${settings.basePath}${pagePathOf(list.model)}?${list.query}`
      return panel(
        label,
        html`${table}${count > ROWS && html`<p><a href="${href}">${translate('All {count} {objects}', { count, objects: label })}</a></p>`}`,
        !children.isSelection && addButton(page, list),
      )
    }),
  )
}

/** Objects of another model that refer to the shown one. */
interface RelatedList extends FilteredList {
  readonly label: string
  /** Address of the list, with the base path. */
  readonly href: string
  /** Another list has all of its objects: those of a site include those of its locations. */
  readonly isCovered: boolean
  /** Whether the page offers to add one even if there are some already. */
  readonly isOffered: (count: number) => boolean
}

/** Models whose objects have their own tab, part or mark. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  SYSTEM.objectChange,
  SYSTEM.bookmark,
  SYSTEM.subscription,
  SYSTEM.notification,
  SYSTEM.taggedItem,
  SYSTEM.job,
  SYSTEM.journalEntry,
  SYSTEM.imageAttachment,
  SYSTEM.contactAssignment,
  SYSTEM.changeReview,
  // The pages of ports show their cable.
  SYSTEM.cableTermination,
])

/** Whether the children are all objects that refer to this one, or only some of them, such as those without a rack. */
const hasAll = ({ by }: Children): boolean => Object.values(by).every((source) => !source.startsWith('='))

/**
 * Lists of the objects that refer to this one and that the sender may view, by label; not those that the page or its
 * tabs show.
 */
function relatedLists({ request: { service, actor }, model, object }: RequestedObject): readonly RelatedList[] {
  const { registry, settings } = service
  const { tabs = [], tables = [], overview = [] } = registry.view(model)
  const children = [...tabs, ...tables, ...overview]
  const tabled = new Set(children.filter(hasAll).map((kind) => kind.model))
  const listed = new Set(
    listsOfChildren(registry, children, object).map(({ model: { name }, query }) => `${name}?${query}`),
  )
  const lists = model.referrers.flatMap((referrer) => {
    const page = pagePathOf(referrer.model)
    const isElsewhere = ELSEWHERE.has(referrer.model.name) || tabled.has(referrer.model.name)
    if (page === undefined || isElsewhere) return []
    if (!mayAct(actor, 'view', referrer.model, settings)) return []
    const query = referrerQuery(parametersOf(registry, referrer.model), referrer, model, object)
    if (query === undefined || listed.has(`${referrer.model.name}?${query}`)) return []
    const href = `${settings.basePath}${page}?${query}`
    return [{ referrer, href, query: new URLSearchParams(query) }]
  })
  const perModel = Map.groupBy(lists, ({ referrer }) => referrer.model)
  return lists
    .map(({ referrer, href, query }) => {
      const via = (perModel.get(referrer.model)?.length ?? 0) > 1
      const title = shownPlural(referrer.model)
      const label = via ? `${title} (${fieldLabel(registry, referrer.model, referrer.name)})` : title
      const isCovered =
        referrer.kind === 'genericForeignKey' &&
        perModel.get(referrer.model)?.some(({ referrer: { name } }) => name.startsWith('_')) === true
      return { model: referrer.model, query, href, label, isCovered, isOffered: offerOf(referrer) }
    })
    .sort((a, b) => (a.label < b.label ? -1 : 1))
}

/**
 * A relation may allow only one object; every model has owners, whose menu would otherwise list all models. What may
 * belong to any object, such as a file, has a tab of its own.
 */
const offerOf =
  ({ field, name }: Referrer) =>
  (count: number): boolean =>
    !(field.kind === 'genericForeignKey' && field.targets.includes('independent')) &&
    ('unique' in field && field.unique === true
      ? count === 0 && field.nullable !== true
      : name !== 'owner' || count > 0)

/** Such a list with the number of its objects. */
interface CountedList extends RelatedList {
  readonly count: number
}

const isAddable = ({ isOffered, count }: CountedList): boolean => isOffered(count)

/** Whether no other list has objects of the same model, so that its relation need not be named. */
const isOnly = ({ model }: CountedList, lists: readonly CountedList[]): boolean =>
  lists.filter((list) => list.model === model).length === 1

/** Links to lists with the number of their objects; nothing if there are none. */
function relatedPanel(page: RequestedObject, lists: readonly CountedList[]): Content {
  if (lists.length === 0) return undefined
  const nameOf = pluralsApart(lists.map(({ model }) => model))
  return panel(
    translate('Related objects'),
    html`<ul class="counted">${lists.map(
      (list) =>
        html`<li><a href="${list.href}">${isOnly(list, lists) ? nameOf(list.model) : list.label}</a> <span class="count">${numeral(list.count)}</span>${list.isOffered(list.count) && addLink(page, list)}</li>`,
    )}</ul>`,
  )
}
