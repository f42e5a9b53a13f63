import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { declaredSettings } from '../../models/core/pack.ts'
import { isJsonObject, type Json, type JsonObject, stringsIn } from '../../schema/json.ts'
import type { PackSetting } from '../../schema/packs/pack-document.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { guideAddress } from '../guides/documents.ts'
import { type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** A pack as its pages show it. */
export interface PackState {
  readonly id: number
  readonly name: string
  /** Below /api/plugins/. */
  readonly address: string
  readonly label: string
  readonly version: string
  readonly description: string
  readonly isOn: boolean
  /** The setting PACKS keeps it on. */
  readonly isKeptOn: boolean
  readonly problem: string
  /** Object types of its models, with the plural of each one. */
  readonly models: readonly { readonly name: string; readonly plural: string }[]
  readonly rules: number
  readonly hasCode: boolean
  readonly hasPages: boolean
  /** Its settings with their values, which are the defaults unless somebody has changed them. */
  readonly settings: readonly { readonly name: string; readonly setting: PackSetting; readonly value: Json }[]
}

/** The pack in a row of `core.pack`. */
export function packState({ service }: ApiRequest, row: JsonObject): PackState {
  const adds = isJsonObject(row.adds) ? row.adds : {}
  const labels = stringsIn(adds.labels)
  const name = String(row.name)
  return {
    ...{ id: Number(row.id), name, label: String(row.label), version: String(row.version) },
    address: typeof adds.address === 'string' ? adds.address : name,
    ...{ description: String(row.description), isOn: row.enabled === true, problem: String(row.problem) },
    isKeptOn: service.settings.packs.includes(name),
    models: stringsIn(adds.models).map((model, index) => ({ name: model, plural: labels[index] ?? model })),
    rules: Number(adds.rules ?? 0),
    hasCode: adds.code === true,
    hasPages: adds.pages === true,
    settings: Object.entries(declaredSettings(adds)).map(([key, setting]) => ({
      ...{ name: key, setting },
      value: (isJsonObject(row.settings) ? row.settings[key] : undefined) ?? setting.default,
    })),
  }
}

/** The address of the document about packs. */
export const packGuide = ({ service }: ApiRequest): string =>
  `${service.settings.basePath}${guideAddress('use/packs.md')}`

/** What a pack adds: its lists, which have links while it is on, its rules, its code and its address in the API. */
export function packAdditions({ actor, service }: ApiRequest, pack: PackState): Html {
  const { address: below, models, rules, hasCode, hasPages, isOn } = pack
  const { basePath } = service.settings
  const address = `${basePath}/api/plugins/${below}/`
  const lists = models.map(({ name: type, plural }) => {
    const model = isOn ? service.registry.models.get(type) : undefined
    const path = model && mayAct(actor, 'view', model, service.settings) ? pagePathOf(model) : undefined
    const label = html`<bdi>${plural.charAt(0).toUpperCase()}${plural.slice(1)}</bdi>`
    return html`<li>${path === undefined ? label : html`<a href="${basePath}${path}">${label}</a>`}</li>`
  })
  if (models.length === 0) {
    return html`<p class="muted">${hasPages ? translate('Pages, and no kinds of objects') : translate('Addresses for programs, and no kinds of objects')}</p>`
  }
  const code = hasCode || hasPages ? translate('with code') : translate('data only')
  return html`<ul class="pack-lists">${lists}</ul>
<p class="muted">${rules > 0 && html`${translate('{count} rule|{count} rules', { count: rules })} · `}${code} · ${isOn ? html`<a href="${address}"><code>${address}</code></a>` : html`<code>${address}</code>`}</p>`
}
