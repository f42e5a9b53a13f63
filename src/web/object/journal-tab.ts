import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { create } from '../../api/verbs/create.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { words } from '../../schema/view.ts'
import { controlField } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { renderedMarkdown } from '../components/markdown.ts'
import { choicesOf, linkToObject, timestampDisplay, valueDisplay } from '../components/value.ts'
import type { FilteredList } from '../data/count-lists.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { sending } from '../data/inner-request.ts'
import { readList } from '../data/page-objects.ts'
import { textIn } from '../forms/form-texts.ts'
import { mentionsUsers } from '../forms/mentions.ts'
import type { ObjectTab, PageObject, TabContent } from '../frame/object-content.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { withEffect } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { listByRelation } from '../object-parts/children.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { listWindow } from './list-window.ts'

const entriesOf = listByRelation(SYSTEM.journalEntry, 'assigned_object')

/** The notes on an object, and a form for another one. */
export const journalTab: ObjectTab = {
  models: (model) => model.has('journaling'),
  path: 'journal',
  label: () => translate('Journal'),
  methods: 'GET POST',
  list: entriesOf,
  isCounted: true,
  load: journalContent,
}

/** Why an entry was refused, with what was entered. */
interface Refusal {
  readonly sentence: string
  readonly kind: string
  readonly text: string
}

async function journalContent({ request, model, object }: PageObject): Promise<TabContent | HttpResponse> {
  const { service, actor } = request
  const list = entriesOf(service.registry, model, object)
  const entries = list.model
  let refusal: Refusal | undefined
  if (request.method === 'POST') {
    const { kind, comments } = await enteredIn(request)
    try {
      const body = {
        assigned_object_type: model.name,
        assigned_object_id: object.id,
        comments,
        ...(kind && { kind }),
      }
      await create(sending(request, 'POST', body), entries)
      const page = `${service.settings.basePath}${pagePathOf(model)}${object.id}/journal/`
      return seeOther(withEffect(page, 'journal-entry', request))
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
      refusal = { sentence: sentenceOf(error), kind, text: comments }
    }
  }
  const content = html`${mayAct(actor, 'add', entries, service.settings) && entryForm(request, entries, refusal)}
${await entryList(request, list)}`
  return {
    content,
    status: refusal ? 400 : 200,
    styles: ['inputs.css'],
    scripts: ['edit-form.client.ts', 'mentions.client.ts'],
  }
}

async function enteredIn(request: ApiRequest) {
  const form = await request.body.form()
  return { kind: textIn(form, 'kind'), comments: textIn(form, 'comments').replaceAll('\r\n', '\n') }
}

async function entryList(request: ApiRequest, { model: entries, query }: FilteredList): Promise<Content> {
  const { objects, extent } = await listWindow(request, query, (query) =>
    readList(request, entries, { query, paths: words('id kind created created_by comments') }),
  )
  const options = await displayOptionsOf(request, [])
  const kind = entries.fields.get('kind')
  if (objects.length === 0) return html`<p class="notice">${translate('There are no journal entries.')}</p>`
  return html`${extent}<ol class="journal">${objects.map((entry) => {
    // Of a user whom the reader may not view, an entry contains only the id.
    const author = isJsonObject(entry.created_by) && entry.created_by
    const page = `${options.basePath}${pagePathOf(entries)}${entry.id}/`
    return html`<li class="card"><p class="entry-head">${valueDisplay(kind, entry.kind, options)} <a href="${page}">${timestampDisplay(String(entry.created))}</a>${author && html` ${linkToObject(author, options)}`}</p>${renderedMarkdown(String(entry.comments))}</li>`
  })}</ol>`
}

function entryForm(request: ApiRequest, entries: Model, refusal: Refusal | undefined): Content {
  const { csrfToken, url } = request
  const options = choicesOf(entries.fields.get('kind')).map(({ value, label }) => ({
    value: String(value),
    label: translateLabel(label),
  }))
  return html`<form class="card entry edit" method="post" action="${url.pathname}">
${csrfField(csrfToken)}
<h2>${translate('Add a journal entry')}</h2>
${refusal && html`<p class="notice bad" role="alert">${translate('Not saved.')} ${refusal.sentence}</p>`}
${controlField({ name: 'kind', label: translate('Kind'), input: { kind: 'select', options, chosen: [refusal?.kind ?? ''] } }, 'entry')}
<label>${translate('Text')} <textarea name="comments"${mentionsUsers(request)} rows="4" required dir="auto">${refusal?.text ?? ''}</textarea></label>
<p class="muted">${translate('Markdown supported.')}</p>
<div class="buttons"><button>${translate('Add entry')}</button></div>
</form>`
}
