import { type Content, type Html, html } from '../components/html.ts'
import { momentDisplay } from '../components/value.ts'
import { translate } from '../texts/translate.ts'

/** A change of an object, as a row. */
export interface LiveChange {
  /** Of the event in the stream. */
  readonly position: number
  readonly time: string
  readonly user: string
  readonly event: { readonly label: string; readonly color: string } | undefined
  readonly kind: string
  readonly object: Content
  /** Labels of the changed fields. */
  readonly fields: readonly string[]
  readonly details: Content
  readonly message: string
  /** Address of the change record's page. */
  readonly record: string
}

/** The page of the latest changes. */
export interface LiveChanges {
  readonly title: string
  readonly rows: readonly LiveChange[]
  /** Address of the stream that continues behind the rows. */
  readonly stream: string
  readonly selects: readonly {
    readonly name: string
    readonly label: string
    readonly chosen: string
    readonly options: readonly { readonly value: string; readonly label: string }[]
  }[]
  readonly texts: readonly {
    readonly name: string
    readonly label: string
    readonly value: string
  }[]
}

const HEADINGS = ['Time', 'User', 'Change', 'Kind', 'Object', 'Fields', 'Message'] as const

/** Filters above a table of changes, newest first. The script loads the page's rows again when the stream has a new event. */
export const liveChangesBody = (page: LiveChanges): Html =>
  html`<div class="heading"><h1>${page.title}</h1><div class="actions"><button class="quiet" type="button" id="live-pause" hidden aria-pressed="false">${translate('Pause')}</button></div></div>
<form class="card live-filters" method="get">${page.selects.map(
    ({ name, label, chosen, options }) =>
      html`<label>${label}<select name="${name}"><option value="">${translate('All')}</option>${options.map(
        (option) =>
          html`<option value="${option.value}" ${option.value === chosen && 'selected'}>${option.label}</option>`,
      )}</select></label>`,
  )}${page.texts.map(
    ({ name, label, value }) =>
      html`<label>${label}<input name="${name}" value="${value}" autocomplete="off"></label>`,
  )}<button>${translate('Show')}</button></form>
<p class="muted" id="live-status" role="status">${translate('Load the page again to see new changes.')}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${page.title}"><table class="live" id="live-changes" data-stream="${page.stream}"><thead><tr>${HEADINGS.map((label) => html`<th scope="col">${translate(label)}</th>`)}</tr></thead>
<tbody>${page.rows.length === 0 ? html`<tr><td colspan="${HEADINGS.length}">${translate('There are no changes yet.')}</td></tr>` : page.rows.map(tableRow)}</tbody></table></div>`

const tableRow = ({
  position,
  time,
  user,
  event,
  kind,
  object,
  fields,
  details,
  message,
  record,
}: LiveChange): Html =>
  html`<tr data-position="${position}"><td><a href="${record}">${momentDisplay(time)}</a></td><td>${user}</td><td>${event && html`<span class="badge ${event.color}">${event.label}</span>`}</td><td>${kind}</td><td>${object}</td><td>${fields.length > 0 && html`<details><summary>${fields.slice(0, MOST_FIELDS).join(', ')}${fields.length > MOST_FIELDS && ' …'}</summary>${details}</details>`}</td><td dir="auto">${message}</td></tr>`

/** Labels of fields in a row; all are among the details. */
const MOST_FIELDS = 4
