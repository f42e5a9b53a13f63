import { mayAct } from '../../identity/permitted-rows.ts'
import { parametersOf } from '../../read/query/parameters.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Referrer } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Children } from '../../schema/view.ts'
import { humanize } from '../components/humanize.ts'
import { shownPlural } from '../components/model-title.ts'
import { panel } from '../components/panel.ts'
import type { FilteredList } from '../data/count-lists.ts'
import type { RequestedObject } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { addLink } from '../object-parts/add-child.ts'
import { numeral, translate, translateLabel } from '../texts/translate.ts'
import { referrerQuery } from './referrer-query.ts'

/** Objects of another model that refer to the shown one. */
interface RelatedList extends FilteredList {
  readonly label: string
  /** Address of the list, with the base path. */
  readonly href: string
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
])

/** Whether the children are all objects that refer to this one, or only some of them, such as those without a rack. */
export const hasAll = ({ by }: Children): boolean => Object.values(by).every((source) => !source.startsWith('='))

/** Lists of the objects that refer to this one and that the sender may view, by label; not those that the page or its tabs show. */
export function relatedLists({ request: { service, actor }, model, object }: RequestedObject): readonly RelatedList[] {
  const { registry, settings } = service
  const { tabs = [], tables = [], overview = [] } = registry.view(model)
  const shown = new Set([...tabs, ...tables, ...overview].filter(hasAll).map((each) => each.model))
  const found = model.referrers.flatMap((referrer) => {
    const page = pagePathOf(referrer.model)
    const isElsewhere = ELSEWHERE.has(referrer.model.name) || shown.has(referrer.model.name)
    if (page === undefined || isElsewhere) return []
    if (!mayAct(actor, 'view', referrer.model, settings)) return []
    const query = referrerQuery(parametersOf(registry, referrer.model), referrer, model, object)
    if (query === undefined) return []
    const href = `${settings.basePath}${page}?${query}`
    return [{ referrer, href, query: new URLSearchParams(query) }]
  })
  const perModel = Map.groupBy(found, ({ referrer }) => referrer.model)
  return found
    .map(({ referrer, href, query }) => {
      const via = (perModel.get(referrer.model)?.length ?? 0) > 1
      const title = shownPlural(referrer.model)
      const label = via ? `${title} (${translateLabel(humanize(referrer.name))})` : title
      return { model: referrer.model, query, href, label, isOffered: offerOf(referrer) }
    })
    .sort((a, b) => (a.label < b.label ? -1 : 1))
}

/** A relation may allow only one object; every model has owners, whose menu would otherwise list all models. */
const offerOf =
  ({ field, name }: Referrer) =>
  (count: number): boolean =>
    'unique' in field && field.unique === true ? count === 0 && field.nullable !== true : name !== 'owner' || count > 0

/** Such a list with the number of its objects. */
interface CountedList extends RelatedList {
  readonly count: number
}

/** Links to lists with the number of their objects; nothing if there are none. */
export const relatedPanel = (page: RequestedObject, lists: readonly CountedList[]): Content =>
  lists.length > 0 &&
  panel(
    translate('Related objects'),
    html`<ul class="counted">${lists.map(
      (list) =>
        html`<li><a href="${list.href}">${list.label}</a> <span class="count">${numeral(list.count)}</span>${list.isOffered(list.count) && addLink(page, list)}</li>`,
    )}</ul>`,
  )
