import { mayAct } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { CHARTS } from '../charts/charts.ts'
import { translate } from '../texts/translate.ts'
import type { WidgetKind } from './widget.ts'

/** A chart of the inventory, drawn by the service. */
export const CHART: WidgetKind = {
  label: 'Chart',
  help: 'Devices, rack space, changes, circuits, power or failures at a glance',
  width: 4,
  controls: (_request, { chart }) => [
    {
      name: 'chart',
      label: translate('Chart'),
      isRequired: true,
      input: {
        kind: 'select',
        options: Object.entries(CHARTS).map(([value, { label }]) => ({ value, label: translate(label) })),
        chosen: [String(chart ?? '')],
      },
    },
  ],
  configOf: (texts) => ({ chart: texts('chart').at(-1) ?? '' }),
  content: async (request, { chart }) => {
    const { registry, settings } = request.service
    const shown = CHARTS[String(chart)]
    const model = shown && registry.models.get(shown.model)
    if (!model || !mayAct(request.actor, 'view', model, settings)) return undefined
    return await shown.content(request, `${settings.basePath}${pagePathOf(model)}`)
  },
}
