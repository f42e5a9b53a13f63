import type { ApiRequest } from '../../api/api-request.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { type Control, controlField } from '../components/control.ts'
import { shownTitle } from '../components/model-title.ts'
import { FIND } from '../components/object-picker.ts'
import { withPickers } from '../forms/pickers.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { LINK_KINDS, type LinkKind, TOPOLOGY_MODELS } from './topology-links.ts'

/** The state of the map that its form shows. */
interface MapState {
  readonly kinds: ReadonlySet<LinkKind>
  /** Filters of devices. */
  readonly filters: URLSearchParams
  readonly isEndToEnd: boolean
  readonly isLinkedOnly: boolean
}

/** Parameter that joins links through panels and circuits. */
export const END_TO_END = 'end_to_end'

/** Parameter that hides devices without links. */
export const LINKED_ONLY = 'linked_only'

/** Filters that the form offers; others in the URL are kept. */
const OFFERED = ['site', 'location', 'rack'] as const

/** The form that chooses the devices and the links of the map. */
export async function topologyForm(
  request: ApiRequest,
  { kinds, filters, isEndToEnd, isLinkedOnly }: MapState,
): Promise<Content> {
  const places = OFFERED.map((name): Control => {
    const model = request.service.registry.model(TOPOLOGY_MODELS[name])
    return {
      name: `${name}_id`,
      label: shownTitle(model),
      input: {
        kind: 'objects',
        collection: `/api/${model.path}/`,
        key: 'id',
        isMultiple: false,
        chosen: filters
          .getAll(`${name}_id`)
          .filter((value) => value !== 'null')
          .slice(0, 1)
          .map((value) => ({ value })),
      },
    }
  })
  const words = new Map(places.map(({ name }) => [name, lastValue(request.search, `${FIND}${name}`) ?? '']))
  const controls = await withPickers(request, places, {
    narrowedBy: {
      location_id: { site_id: 'site_id' },
      rack_id: { site_id: 'site_id', location_id: 'location_id' },
    },
    words,
  })
  const names = new Set(places.map(({ name }) => name))
  const kept = [...filters].filter(([name]) => !names.has(name) && !name.startsWith(FIND))
  return html`<details class="card map-form"><summary>${translate('Filter')}</summary>
<form class="edit" method="get">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="fields">${controls.map((control) => controlField(control, 'map'))}${controlField(groupControl(lastValue(request.search, 'group') ?? ''), 'map')}</div>
<fieldset class="kinds"><legend>${translate('Links')}</legend>${LINK_KINDS.map((kind) => html`<label><input type="checkbox" name="show" value="${kind}"${kinds.has(kind) && html` checked`}> ${translate(KIND_LABELS[kind])}</label>`)}<label><input type="checkbox" name="${END_TO_END}" value="true"${isEndToEnd && html` checked`}> ${translate('End to end: join links through panels and circuits')}</label><label><input type="checkbox" name="${LINKED_ONLY}" value="true"${isLinkedOnly && html` checked`}> ${translate('Hide devices without links')}</label></fieldset>
<div class="buttons"><button>${translate('Show the map')}</button></div></form></details>`
}

const groupControl = (grouping: string): Control => ({
  name: 'group',
  label: translate('Group by'),
  input: {
    kind: 'select',
    empty: translate('Automatic'),
    options: [
      { value: 'none', label: translate('Single devices') },
      { value: 'rack', label: translate('Racks') },
      { value: 'location', label: translate('Locations') },
      { value: 'site', label: translate('Sites') },
    ],
    chosen: [grouping],
  },
})

/** Labels of the kinds of links. */
export const KIND_LABELS = {
  network: 'Network cables',
  power: 'Power cables',
  console: 'Console cables',
  circuits: 'Circuits',
  wireless: 'Wireless links',
} as const
