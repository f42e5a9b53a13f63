import { type Content, type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'
import { type ShownWidget, widgetView } from './dashboard.ts'

/** The page on which users arrange their start page. */
export interface Arrangement {
  readonly basePath: string
  readonly csrfInput: Content
  readonly widgets: readonly ShownWidget[]
  readonly kinds: readonly {
    readonly kind: string
    readonly label: string
    readonly help: string
  }[]
}

/** Widgets with buttons to move, resize, change and remove them, and the kinds that can be added. The script adds dragging. */
export const arrangementBody = (arrangement: Arrangement): Html => {
  const { basePath, csrfInput, widgets, kinds } = arrangement
  return html`<div class="heading"><h1>${translate('Arrange the start page')}</h1><div class="actions"><a class="button" href="${basePath}/">${translate('Done')}</a>
<form method="post" class="inline">${csrfInput}<button class="quiet" name="change" value="reset">${translate('Back to the default')}</button></form></div></div>
<p class="muted" id="dashboard-help">${translate('Drag a widget by its heading, or use its buttons. Each change is saved at once.')}</p>
<form method="post" id="order">${csrfInput}<input type="hidden" name="change" value="order"><input type="hidden" name="order" value=""></form>
<div class="dashboard arranging">${widgets.map((widget, index) =>
    widgetView(
      widget,
      toolsOf(arrangement, widget, {
        isFirst: index === 0,
        isLast: index === widgets.length - 1,
      }),
    ),
  )}</div>
<p class="visually-hidden" role="status" id="dashboard-status"></p>
<section class="card"><h2>${translate('Add a widget')}</h2><ul class="kinds">${kinds.map(
    ({ kind, label, help }) =>
      html`<li><a href="${basePath}/dashboard/widget/?kind=${encodeURIComponent(kind)}">${label}</a> <span class="muted">${help}</span></li>`,
  )}</ul></section>`
}

function toolsOf(
  { basePath, csrfInput }: Arrangement,
  { id, title }: ShownWidget,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): Html {
  const button = (change: string, sign: string, label: string, isDisabled = false) =>
    html`<button class="quiet" name="change" value="${change}" title="${label}" aria-label="${label}: ${title}" ${isDisabled && 'disabled'}>${sign}</button>`
  return html`<form method="post" class="tools" action="${basePath}/dashboard/#widget-${id}">${csrfInput}<input type="hidden" name="widget" value="${id}">
${button('earlier', '←', translate('Move forward'), isFirst)}${button('later', '→', translate('Move back'), isLast)}${button('narrower', '−', translate('Narrower'))}${button('wider', '+', translate('Wider'))}
<a class="button quiet" href="${basePath}/dashboard/widget/?id=${id}" aria-label="${translate('Change')}: ${title}">${translate('Change')}</a>${button('remove', '×', translate('Remove'))}</form>`
}
