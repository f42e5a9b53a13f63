import { removeDashboard } from '../../api/actions/extras/stored-dashboard.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { requireUser } from '../../identity/require-user.ts'
import { csrfField } from '../components/csrf-field.ts'
import { textIn } from '../forms/form-texts.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import type { Widget } from '../frame/widget.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { type ShownWidget, widgetCard } from './dashboard.ts'
import { ordered, type Rearrangement, rearranged, withWidth } from './dashboard-layout.ts'
import { ownWidgets, storeOwnWidgets } from './own-dashboard.ts'
import { type Dashboards, shownWidgets, widgetStyles } from './widget-content.ts'

const REARRANGEMENTS: readonly Rearrangement[] = ['earlier', 'later', 'narrower', 'wider', 'remove']

/** GET and POST /dashboard/: the start page with buttons that move, resize and remove widgets. */
export async function arrangePage({ menu, kinds }: Dashboards, request: ApiRequest): Promise<PageResponse> {
  const { id: user } = requireUser(request)
  const { database, settings } = request.service
  const { basePath } = settings
  if (request.method === 'POST') {
    const form: FormValues = (await request.body.form()) ?? new Map()
    if (textIn(form, 'change') === 'reset') await removeDashboard(database, user)
    else await storeOwnWidgets(request, afterChange(await ownWidgets(request, menu), form))
    return seeOther(`${basePath}/dashboard/`)
  }
  const widgets = await ownWidgets(request, menu)
  return {
    title: translate('Edit dashboard'),
    styles: widgetStyles(kinds),
    scripts: ['dashboard.client.ts'],
    breadcrumbs: [{ label: translate('Home'), path: '/' }],
    body: arrangementBody({
      basePath,
      csrfInput: csrfField(request.csrfToken),
      widgets: await shownWidgets(request, widgets, { kinds, arranging: true }),
      kinds: [...kinds].map(([kind, { label, help }]) => ({
        kind,
        label: translate(label),
        help: translate(help),
      })),
    }),
  }
}

function afterChange(widgets: readonly Widget[], form: FormValues): readonly Widget[] {
  const change = textIn(form, 'change')
  if (change === 'order') return ordered(widgets, textIn(form, 'order').split(','))
  if (change === 'width') return withWidth(widgets, textIn(form, 'widget'), Number(textIn(form, 'width')) || 0)
  const rearrangement = REARRANGEMENTS.find((rearrangement) => rearrangement === change)
  return rearrangement ? rearranged(widgets, textIn(form, 'widget'), rearrangement) : widgets
}

/** The page on which users arrange their start page. */
interface Arrangement {
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
const arrangementBody = (arrangement: Arrangement): Html => {
  const { basePath, csrfInput, widgets, kinds } = arrangement
  return html`<div class="heading"><h1>${translate('Edit dashboard')}</h1><div class="actions"><a class="button" href="${basePath}/">${translate('Done')}</a>
<form method="post" class="inline">${csrfInput}<button class="quiet" name="change" value="reset">${translate('Reset')}</button></form></div></div>
<p class="muted" id="dashboard-help">${translate('Drag a widget by its heading, or use its buttons. Each change is saved at once.')}</p>
<nav class="kinds" aria-labelledby="add-widget"><span id="add-widget">${translate('Add a widget')}</span>${kinds.map(
    ({ kind, label, help }) =>
      html` <a class="button quiet small" href="${basePath}/dashboard/widget/?kind=${encodeURIComponent(kind)}" title="${help}">${label}</a>`,
  )}</nav>
<form method="post" id="order">${csrfInput}<input type="hidden" name="change" value="order"><input type="hidden" name="order" value=""></form>
<div class="dashboard arranging">${widgets.map((widget, index) =>
    widgetCard(
      widget,
      toolsOf(arrangement, widget, {
        isFirst: index === 0,
        isLast: index === widgets.length - 1,
      }),
    ),
  )}</div>
<p class="visually-hidden" role="status" id="dashboard-status"></p>`
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
<a class="button quiet" href="${basePath}/dashboard/widget/?id=${id}" aria-label="${translate('Edit')}: ${title}">${translate('Edit')}</a>${button('remove', '×', translate('Remove'))}</form>`
}
