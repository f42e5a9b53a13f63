import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { type Content, html } from '../components/html.ts'
import { panel } from '../components/panel.ts'
import { translate } from '../texts/translate.ts'

/** The attempts of a delivery, the first one first. */
export function attemptsPart({ attempts }: JsonObject): Content {
  const list = Array.isArray(attempts) ? attempts.filter((each) => isJsonObject(each)) : []
  if (list.length === 0) return undefined
  return panel(
    translate('Attempts'),
    html`<ol class="plain">${list.map(
      (each) =>
        html`<li><pre class="document" tabindex="0">${JSON.stringify(each, null, 2)}</pre></li>`,
    )}</ol>`,
  )
}
