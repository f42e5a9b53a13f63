import type { TracedPath } from '../../api/actions/dcim/trace.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { objectsIn } from '../../schema/json.ts'
import { type Content, html } from '../components/html.ts'
import { panel } from '../components/panel.ts'
import { linkToObject } from '../components/value.ts'
import { displayOptionsOf } from '../frame/display-options.ts'
import { componentList } from '../object/component-link.ts'
import { translate } from '../texts/translate.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { readBy } from './read-by.ts'

/** The ports from which a path that splits leads on, each with what is connected to it. */
export async function splitPanel(
  request: ApiRequest,
  { isSplit, segments }: TracedPath,
): Promise<Content> {
  if (!isSplit) return undefined
  const last = segments.flat().findLast((nodes) => nodes.length > 0) ?? []
  const rear = `${CABLING_MODELS.rearPort}:`
  const values = last
    .filter((node) => node.startsWith(rear))
    .map((node) => Number(node.slice(rear.length)))
  if (values.length === 0) return undefined
  const objects = await readBy(request, {
    model: CABLING_MODELS.frontPort,
    parameter: 'rear_port_id',
    values,
    fields: ['link_peers'],
  })
  const around = await displayOptionsOf(request, [])
  return panel(
    translate('The path splits'),
    html`<table><thead><tr><th scope="col">${translate('From')}</th><th scope="col">${translate('To')}</th></tr></thead><tbody>${objects.map(
      (port) =>
        html`<tr><td>${linkToObject(port, around)}</td><td>${objectsIn(port.link_peers).length === 0 ? html`<span class="muted">${translate('Not connected')}</span>` : componentList(objectsIn(port.link_peers), around)}</td></tr>`,
    )}</tbody></table>`,
  )
}
