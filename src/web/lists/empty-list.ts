import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { shownNoun, shownPluralNoun } from '../components/model-title.ts'
import { addPathOf, isImportable, offersMethod } from '../components/offered-methods.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { filtersIn } from './list-query.ts'

/**
 * What is shown in place of objects of a model: that none matches the filters, or, if there are no filters, what such
 * objects are and how to add them.
 */
export function emptyList(request: ApiRequest, model: Model): Html {
  if (filtersIn(request.search).size > 0)
    return html`<p class="notice">${translate('Nothing matches these filters.')} <a href="?q=">${translate('Remove all filters')}</a></p>`
  const { about } = model.definition
  return html`<div class="empty-list"><h2>${translate('No {objects} yet.', { objects: shownPluralNoun(model) })}</h2>${about !== undefined && html`<p>${translateLabel(about)}</p>`}${addActions(request, model)}</div>`
}

function addActions({ actor, service }: ApiRequest, model: Model): Content {
  const page = `${service.settings.basePath}${pagePathOf(model)}`
  if (!offersMethod(model, 'POST') || !mayAct(actor, 'add', model, service.settings)) return undefined
  return html`<div class="actions"><a class="button" href="${page}${addPathOf(model)}">${translate('Add {model}', { model: shownNoun(model) })}</a>${isImportable(model) && html`<a class="button quiet" href="${page}import/">${translate('Import')}</a>`}</div>`
}
