import type { ApiRequest } from '../../api/api-request.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { TypedObjects } from '../../schema/view.ts'
import { shownNoun, shownTitle } from '../components/model-title.ts'
import { findTypedChoices, type TypedChoice } from '../forms/find-choices.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** Parameter with the words of the search. */
const WORDS = 'find'
/** Maximum number of objects of each type that a search offers. */
const MOST = 8

/**
 * Above the form for a new object with two lists of objects, such as a cable: a search for objects of the empty list,
 * across all types that fit the filled one. Empty if there is nothing to search for.
 */
export async function farEndSearch(request: ApiRequest, model: Model): Promise<Content> {
  const { service, search } = request
  const side = emptySide(service.registry.view(model).objectLists ?? {}, search)
  if (!side) return undefined
  const words = (lastValue(search, WORDS) ?? '').trim()
  const { registry } = service
  const matches =
    words === ''
      ? undefined
      : await findTypedChoices(
          request,
          side.types.map((type) => registry.model(type)),
          { words, filters: new URLSearchParams(side.list.available), limit: MOST },
        )
  const kept = [...search].filter(([name]) => name !== WORDS)
  return html`<search class="card far-end"><h2>${translate('Find the port at the other end')}</h2>
<form method="get" action="${request.url.pathname}">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="pair"><input type="search" name="${WORDS}" value="${words}" aria-label="${translate('Device and port')}" placeholder="${translate('Device and port, such as sw1 0/12')}" autocomplete="off"${matches === undefined && html` autofocus`}><button class="quiet">${translate('Search')}</button></div></form>
${matches !== undefined && resultsOf(request, side, matches, words)}</search>`
}

interface Side {
  readonly name: string
  readonly types: readonly string[]
  readonly list: TypedObjects
}

/** The list to be filled, and the types of objects that fit the other one. */
function emptySide(lists: Readonly<Record<string, TypedObjects>>, search: URLSearchParams): Side | undefined {
  for (const [name, list] of Object.entries(lists)) {
    const { opposite } = list
    if (!opposite || search.getAll(name).some(Boolean)) continue
    const type = lastValue(search, `${opposite.name}_type`) ?? ''
    if (!search.getAll(opposite.name).some(Boolean)) continue
    return { name, list, types: opposite.types[type] ?? [] }
  }
  return undefined
}

function resultsOf(
  { service, search, url }: ApiRequest,
  { name, types }: Side,
  matches: readonly TypedChoice[],
  words: string,
): Content {
  if (matches.length === 0) {
    const kinds = types.map((type) => shownNoun(service.registry.model(type)))
    return html`<p class="notice" role="status">${translate('No free port matches “{words}” among: {kinds}.', { words, kinds: kinds.join(', ') })}</p>`
  }
  const { basePath } = service.settings
  const chosen = ({ model, id }: TypedChoice): string => {
    const query = new URLSearchParams(search)
    query.delete(WORDS)
    query.set(`${name}_type`, model.name)
    query.set(name, String(id))
    return `${url.pathname}?${query}`
  }
  return html`<div class="scroll objects-table" tabindex="0" role="region" aria-label="${translate('Free ports')}"><table><thead><tr><th scope="col">${translate('Port')}</th><th scope="col">${translate('Part of')}</th><th scope="col">${translate('Type')}</th><th scope="col"><span class="visually-hidden">${translate('Choose')}</span></th></tr></thead>
<tbody>${matches.map(
    (choice) =>
      html`<tr><th scope="row"><a href="${basePath}${pagePathOf(choice.model)}${choice.id}/"><bdi>${choice.display}</bdi></a></th><td><bdi>${choice.context}</bdi></td><td>${shownTitle(choice.model)}</td><td><a class="button small" href="${chosen(choice)}" aria-label="${translate('Choose {name}', { name: `${choice.display} · ${choice.context}` })}">${translate('Choose')}</a></td></tr>`,
  )}</tbody></table></div>`
}
