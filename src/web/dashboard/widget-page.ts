import type { ApiRequest } from '../../api/api-request.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { notFound } from '../../base/errors.ts'
import { requireUser } from '../../identity/require-user.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { editForm } from '../forms/edit-form.ts'
import { textIn, textsIn } from '../forms/form-texts.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import type { Widget, WidgetKind } from '../frame/widget.ts'
import { html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { WIDGET_COLORS } from './dashboard.ts'
import { newWidget } from './dashboard-layout.ts'
import { ownWidgets, storeOwnWidgets } from './own-dashboard.ts'
import type { Dashboards, WidgetKinds } from './widget-content.ts'

/** GET and POST /dashboard/widget/: the options of a widget (`?id=`), or of a new one (`?kind=`). Throws `notFound`. */
export async function widgetPage({ menu, kinds }: Dashboards, request: ApiRequest): Promise<PageResponse> {
  requireUser(request)
  const widgets = await ownWidgets(request, menu)
  const { widget, kind } = namedWidget(request, widgets, kinds)
  const { basePath } = request.service.settings
  if (request.method === 'POST') {
    const form: FormValues = (await request.body.form()) ?? new Map()
    const changed = submitted(widget, kind, form)
    const isNew = !widgets.some(({ id }) => id === widget.id)
    await storeOwnWidgets(
      request,
      isNew ? [...widgets, changed] : widgets.map((present) => (present.id === widget.id ? changed : present)),
    )
    return seeOther(`${basePath}/dashboard/#widget-${changed.id}`)
  }
  const title = translate(kind.label)
  return {
    title,
    styles: ['objects.css', 'edit.css', 'inputs.css'],
    scripts: ['edit-form.client.ts'],
    breadcrumbs: [
      { label: translate('Home'), path: '/' },
      { label: translate('Edit dashboard'), path: '/dashboard/' },
    ],
    body: html`<h1>${title}</h1>${widgetForm(request, widget, kind)}`,
  }
}

function namedWidget(
  request: ApiRequest,
  widgets: readonly Widget[],
  kinds: WidgetKinds,
): { readonly widget: Widget; readonly kind: WidgetKind } {
  const id = lastValue(request.search, 'id')
  const name = lastValue(request.search, 'kind') ?? ''
  const width = kinds.get(name)?.width ?? 0
  const widget = id === undefined ? newWidget(name, { width }) : widgets.find((widget) => widget.id === id)
  const kind = kinds.get(widget?.kind ?? '')
  if (!widget || !kind) throw notFound('widget')
  return { widget, kind }
}

function widgetForm(request: ApiRequest, widget: Widget, kind: WidgetKind) {
  const { url, csrfToken, service } = request
  return editForm({
    action: `${url.pathname}${url.search}`,
    csrfToken,
    groups: [
      {
        label: '',
        controls: [
          {
            name: 'title',
            label: translate('Title'),
            input: { kind: 'text', type: 'text', value: widget.title, max: 100 },
          },
          {
            name: 'color',
            label: translateLabel('Color'),
            input: {
              kind: 'select',
              options: WIDGET_COLORS.map((color) => ({
                value: color,
                label: translateLabel(color[0]?.toUpperCase() + color.slice(1)),
              })),
              chosen: [widget.color ?? ''],
              empty: translate('None'),
            },
          },
          ...kind.controls(request, widget.config),
        ],
      },
    ],
    messages: undefined,
    submit: translate('Save'),
    cancel: `${service.settings.basePath}/dashboard/`,
  })
}

function submitted(widget: Widget, kind: WidgetKind, form: FormValues): Widget {
  const color = textIn(form, 'color')
  return {
    ...widget,
    title: textIn(form, 'title').trim(),
    color: color === '' ? undefined : color,
    config: kind.configOf((name) => textsIn(form, name)),
  }
}
