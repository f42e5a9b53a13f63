import { isJsonObject, type Json } from '../../schema/json.ts'
import { type Content, html } from '../components/html.ts'
import { momentDisplay } from '../components/value.ts'
import { readOne } from '../frame/inner-request.ts'
import { translate } from '../texts/translate.ts'
import { objectFrame } from './object-frame.ts'
import type { ModelPage } from './routes.ts'

/** GET of `…/<id>/log/`: the messages of a job, in their order. */
export const logTab: ModelPage = async (frame, request, model) => {
  const { object } = await readOne(request, model)
  const body = logView(object.log_entries)
  return await objectFrame(frame, request, model, object, {
    path: 'log',
    label: translate('Log'),
    body,
  })
}

/** The messages of a job as a table. */
export function logView(entries: Json | undefined): Content {
  const list = Array.isArray(entries) ? entries.filter((each) => isJsonObject(each)) : []
  if (list.length === 0) return html`<p class="notice">${translate('The log is empty.')}</p>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Log')}"><table><thead><tr><th scope="col">${translate('Time')}</th><th scope="col">${translate('Level')}</th><th scope="col">${translate('Message')}</th></tr></thead>
<tbody>${list.map(
    ({ timestamp, time, level, status, message }) =>
      html`<tr><td>${momentDisplay(String(timestamp ?? time ?? ''))}</td><td>${String(level ?? status ?? '')}</td><td dir="auto">${String(message ?? '')}</td></tr>`,
  )}</tbody></table></div>`
}
