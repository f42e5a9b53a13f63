import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { JsonObject } from '../../schema/json.ts'
import { panel } from '../components/panel.ts'
import { linkToObject } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import type { ObjectTab, PageObject, TabContent } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { codeBlock } from '../object-parts/code-block.ts'
import { translate, translateMarkup } from '../texts/translate.ts'
import { comparedConfigurations } from './compared-configurations.ts'
import { type RenderedConfiguration, renderConfiguration } from './render-configuration.ts'

/** The object's configuration as text, and compared with another; with `download`, as a file. */
export const renderConfigTab: ObjectTab = {
  models: ({ fields }) => fields.has('config_context'),
  path: 'render-config',
  group: 'Configuration',
  label: () => translate('Render config'),
  methods: 'GET POST',
  permission: 'render_config',
  load: configurationContent,
}

async function configurationContent({
  routes,
  request,
  model,
  object,
}: PageObject): Promise<TabContent | HttpResponse> {
  const id = Number(object.id)
  const template = lastValue(request.search, 'config_template_id')
  const rendered = await renderConfiguration(routes, request, model, { id, ...(template && { template }) })
  const hasText = typeof rendered !== 'string'
  if (hasText && lastValue(request.search, 'download') !== undefined) {
    return download(object, rendered.text)
  }
  const text = hasText ? rendered.text : undefined
  const compared = await comparedConfigurations(routes, request, { model, id, text })
  const content = html`${
    hasText
      ? panel(translate('Rendered configuration'), await renderedText(request, rendered))
      : html`<p class="notice warn">${rendered}</p>`
  }${panel(translate('Compare'), compared)}`
  return { content, styles: ['inputs.css', 'edit.css'], scripts: ['edit-form.client.ts'] }
}

async function renderedText(request: ApiRequest, { template, text }: RenderedConfiguration): Promise<Content> {
  const options = await displayOptionsOf(request, [])
  return html`${template && html`<p>${translateMarkup('Template: {template}', { template: linkToObject(template, options) })}</p>`}${codeBlock(text, downloadOf(request.search))}`
}

/** The query of the same configuration as a file. */
function downloadOf(search: URLSearchParams): string {
  const template = lastValue(search, 'config_template_id')
  return `?${new URLSearchParams({ ...(template && { config_template_id: template }), download: '1' })}`
}

const download = ({ display }: JsonObject, text: string): HttpResponse => ({
  status: 200,
  type: 'text/plain; charset=utf-8',
  body: text,
  headers: {
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${display}.txt`)}`,
    'Cache-Control': 'no-store',
  },
})
