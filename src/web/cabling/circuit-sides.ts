import { mayAct } from '../../identity/permitted-rows.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { attributesPanel, panel } from '../components/panel.ts'
import type { DisplayOptions } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { mayActOn } from '../data/page-objects.ts'
import { RETURN } from '../forms/return-path.ts'
import type { ObjectPart, PageObject } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { addButton, addressHere } from '../object-parts/add-child.ts'
import { attributeOf } from '../object-parts/attribute-panels.ts'
import { translate } from '../texts/translate.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { connectAddress, disconnectAddress } from './connect-link.ts'
import { connectionCell } from './connection-columns.ts'
import { readBy } from './read-by.ts'

/** Fields that a side shows, before its connections. */
const SHOWN = ['termination', 'port_speed', 'upstream_speed', 'xconnect_id', 'pp_info', 'description']

/** Fields that determine how a side is connected. */
const CONNECTION = ['cable', 'mark_connected', '_occupied', 'link_peers']

/** The two sides of a circuit: the place and connection of each, or the link that adds a termination. */
export const circuitSidesPart: ObjectPart = {
  models: [CABLING_MODELS.circuit],
  load: async (page) => {
    const { request, object } = page
    const model = request.service.registry.model(CABLING_MODELS.circuitTermination)
    if (!mayAct(request.actor, 'view', model, request.service.settings)) return {}
    const terminations = await readBy(request, {
      model: model.name,
      parameter: 'circuit_id',
      values: [Number(object.id)],
      fields: ['term_side', ...SHOWN, ...CONNECTION],
    })
    const options = await displayOptionsOf(
      request,
      terminations.flatMap(({ termination, link_peers: peers }) => [termination ?? null, peers ?? null]),
    )
    const sideOf = async (side: 'A' | 'Z', title: string): Promise<Content> => {
      const termination = terminations.find(({ term_side: termSide }) => termSide === side)
      return termination
        ? await sidePanel(page, model, title, termination, options)
        : missingPanel(page, model, title, side)
    }
    return {
      right: html`${await sideOf('A', translate('A side'))}${await sideOf('Z', translate('Z side'))}`,
      styles: ['cabling.css'],
    }
  },
}

async function sidePanel(
  { request }: PageObject,
  model: Model,
  title: string,
  termination: JsonObject,
  options: DisplayOptions,
): Promise<Content> {
  const { registry, settings } = request.service
  const address = `${settings.basePath}${pagePathOf(model)}${termination.id}/`
  const query = new URLSearchParams({ [RETURN]: addressHere(request) })
  const connect = connectAddress(request, model, termination)
  const disconnect = await disconnectAddress(request, termination)
  const mayChange = await mayActOn(request, 'change', model, Number(termination.id))
  const panelObject = { registry, model, object: termination, options }
  return attributesPanel(
    title,
    [
      ...SHOWN.map((path) => attributeOf(panelObject, path)),
      { label: translate('Connected to'), value: connectionCell(termination, options) },
    ],
    html`<span class="actions">${connect && html`<a class="button small quiet" href="${connect}" aria-label="${translate('Connect {name}', { name: title })}">${translate('Connect')}</a>`}${disconnect && html`<a class="button small quiet" href="${disconnect}" aria-label="${translate('Disconnect {name}', { name: title })}">${translate('Disconnect')}</a>`}${mayChange && html`<a class="button small quiet" href="${address}edit/?${query.toString()}" aria-label="${translate('Edit {name}', { name: title })}">${translate('Edit')}</a>`}<a class="button small quiet" href="${address}" aria-label="${title}: ${translate('Details')}">${translate('Details')}</a></span>`,
  )
}

const missingPanel = (page: PageObject, model: Model, title: string, side: string): Content => {
  const query = new URLSearchParams({ circuit_id: String(page.object.id), term_side: side })
  return panel(
    title,
    html`<p class="muted">${translate('There is no termination.')}</p>`,
    addButton(page, { model, query }),
  )
}
