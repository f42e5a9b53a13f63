import type { ApiRequest } from '../../api/api-request.ts'
import { parametersOf } from '../../read/query/parameters.ts'
import { isJsonObject } from '../../schema/json.ts'
import type { Model, Referrer } from '../../schema/registry.ts'
import type { FurtherColumns } from '../components/further-columns.ts'
import { shownTitle } from '../components/model-title.ts'
import { type Content, html } from '../html.ts'
import { addAddress, addText } from '../object-parts/add-child.ts'
import { referrerQuery } from './referrer-query.ts'

/** Cells of a list with links to forms for what can be added to each object of the model from its row. */
export function addedInRows(
  request: ApiRequest,
  model: Model,
  further: FurtherColumns | undefined,
): FurtherColumns | undefined {
  const { registry } = request.service
  const { addedInRows: names = [], context = [] } = registry.view(model)
  const places = names.flatMap((name): readonly AddedInRow[] => {
    const referrer = model.referrers.find((each) => each.model.name === name)
    return referrer ? [{ referrer, taken: reverseOf(model, referrer) }] : []
  })
  if (places.length === 0) return further
  const parameters = new Map(places.map(({ referrer }) => [referrer, parametersOf(registry, referrer.model)]))
  return {
    headings: [],
    ...further,
    fields: [...(further?.fields ?? []), ...context.slice(0, 1), ...places.flatMap(({ taken }) => taken ?? [])],
    load: async (objects) => {
      const cellsOf = await further?.load(objects)
      return (object, around) => {
        const beside = cellsOf?.(object, around)
        const links = places.map(({ referrer, taken }): Content => {
          const filters = parameters.get(referrer)
          const query = filters && referrerQuery(filters, referrer, model, object)
          if (query === undefined || (taken !== undefined && isJsonObject(object[taken]))) return undefined
          const child = { model: referrer.model, query: new URLSearchParams(query) }
          const address = addAddress({ request, model, object }, child)
          const name = `${addText(child.model)}: ${object.display}`
          const text = taken === undefined ? `+ ${shownTitle(child.model)}` : addText(child.model)
          return address !== undefined && html`<a href="${address}" aria-label="${name}">${text}</a> `
        })
        return { cells: beside?.cells ?? [], actions: html`${links}${beside?.actions}` }
      }
    },
  }
}

interface AddedInRow {
  readonly referrer: Referrer
  /** Field with the object that occupies the only place; undefined if there may be several. */
  readonly taken: string | undefined
}

/** The field that shows the only object that may refer to one of the model by this relation. */
function reverseOf({ fields }: Model, { model, name, field }: Referrer): string | undefined {
  if (!('unique' in field) || field.unique !== true) return undefined
  return [...fields].find(([, each]) => each.kind === 'reverse' && each.of === model.name && each.via === name)?.[0]
}
