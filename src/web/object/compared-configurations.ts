import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Control } from '../components/control.ts'
import { shownTitle } from '../components/model-title.ts'
import { FIND } from '../components/object-picker.ts'
import { linkToObject } from '../components/value.ts'
import type { ApiRoutes } from '../data/ask-api.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { textIn } from '../forms/form-texts.ts'
import { withPickers } from '../forms/pickers.ts'
import { type Content, html } from '../html.ts'
import { codeBlock } from '../object-parts/code-block.ts'
import { translate, translateMarkup } from '../texts/translate.ts'
import { comparisonForm, comparisonTable, OTHER_TEXT, stateForm } from './comparison-table.ts'
import { comparedTime, earlierRequest, earlierTimeControl } from './earlier-state.ts'
import { type RenderedConfiguration, renderConfiguration } from './render-configuration.ts'

/** Name of the parameter with the id of a template to compare with. */
const COMPARED_TEMPLATE = 'compared_template'

/** The object whose configuration is compared. */
interface Compared {
  readonly model: Model
  readonly id: number
  /** Its present configuration; undefined if there is none. */
  readonly text: string | undefined
}

/** The configuration next to one of another time, of another template, or entered by the user. */
export async function comparedConfigurations(
  routes: ApiRoutes,
  request: ApiRequest,
  compared: Compared,
): Promise<Content> {
  const form = request.method === 'POST' ? await request.body.form() : undefined
  const entered = textIn(form, OTHER_TEXT)
  const { text } = compared
  return html`${await withOtherState(routes, request, compared)}${
    text !== undefined &&
    html`${comparisonForm(request.csrfToken, entered)}${entered !== '' && comparisonTable(entered, text)}`
  }`
}

/** The form for a time and a template, and once one was chosen, the resulting configuration. */
async function withOtherState(routes: ApiRoutes, request: ApiRequest, { model, id, text }: Compared): Promise<Content> {
  const earlier = await earlierRequest(request)
  const template = lastValue(request.search, COMPARED_TEMPLATE) ?? ''
  const controls = [earlierTimeControl(request, earlier), ...(await templateControls(request, template))]
  const isChosen = comparedTime(request) !== '' || template !== ''
  const other =
    isChosen && typeof earlier !== 'string'
      ? await renderConfiguration(routes, earlier, model, { id, ...(template && { template }) })
      : undefined
  return html`${stateForm(controls)}${other !== undefined && (await otherConfiguration(request, other, text))}`
}

async function templateControls(request: ApiRequest, template: string): Promise<readonly Control[]> {
  const { registry, settings } = request.service
  const model = registry.model(SYSTEM.configTemplate)
  if (!mayAct(request.actor, 'view', model, settings)) return []
  const control: Control = {
    name: COMPARED_TEMPLATE,
    label: shownTitle(model),
    help: translate('If empty, the template of the object is used.'),
    input: {
      kind: 'objects',
      collection: `/api/${model.path}/`,
      key: 'id',
      isMultiple: false,
      chosen: template === '' ? [] : [{ value: template }],
    },
  }
  const words = lastValue(request.search, `${FIND}${COMPARED_TEMPLATE}`) ?? ''
  return await withPickers(request, [control], {
    narrowedBy: {},
    words: new Map([[COMPARED_TEMPLATE, words]]),
  })
}

async function otherConfiguration(
  request: ApiRequest,
  other: RenderedConfiguration | string,
  text: string | undefined,
): Promise<Content> {
  if (typeof other === 'string') return html`<p class="notice warn" role="status">${other}</p>`
  const options = await displayOptionsOf(request, [])
  const time = comparedTime(request)
  const template = other.template ? linkToObject(other.template, options) : ''
  const source =
    time === ''
      ? translateMarkup('Template: {template}', { template })
      : translateMarkup('Template: {template}, as of {time}', { template, time })
  return html`<p>${source}</p>${text === undefined ? codeBlock(other.text) : comparisonTable(other.text, text)}`
}
