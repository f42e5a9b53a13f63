import { type Content, FILTER_FORM, html, translate } from 'cadastre/web'
import { GROUPINGS, type Grouping } from './group-graph.ts'
import { LINK_KINDS, type LinkKind } from './topology-links.ts'

/** The state of the map that its options show. */
interface MapOptions {
  readonly kinds: ReadonlySet<LinkKind>
  /** Undefined if the map decides. */
  readonly grouping: Grouping | undefined
  readonly isEndToEnd: boolean
  readonly isLinkedOnly: boolean
}

/** Parameter that joins links through panels and circuits. */
export const END_TO_END = 'end_to_end'

/** Parameter that hides devices without links. */
export const LINKED_ONLY = 'linked_only'

/** Labels of the kinds of links. */
const KIND_LABELS = {
  network: 'Network cables',
  power: 'Power cables',
  console: 'Console cables',
  circuits: 'Circuits',
  wireless: 'Wireless links',
} as const satisfies Readonly<Record<LinkKind, string>>

const GROUPING_LABELS = {
  none: 'Single devices',
  rack: 'Racks',
  location: 'Locations',
  site: 'Sites',
} as const satisfies Readonly<Record<Grouping, string>>

/** The choice of the links and boxes of the map, which is also its legend: a part of the form of the filters. */
export function mapOptions({ kinds, grouping, isEndToEnd, isLinkedOnly }: MapOptions): Content {
  const box = (name: string, value: string, isChecked: boolean, label: Content): Content =>
    html`<label><input type="checkbox" form="${FILTER_FORM}" name="${name}" value="${value}"${isChecked && html` checked`}> ${label}</label>`
  const line = (kind: LinkKind): Content =>
    html`<svg class="map-line" viewBox="0 0 36 8" aria-hidden="true"><g class="link ${kind}"><line x1="0" y1="4" x2="36" y2="4" stroke-width="3"/></g></svg> ${translate(KIND_LABELS[kind])}`
  return html`<div class="map-options"><fieldset><legend class="visually-hidden">${translate('Links')}</legend>${LINK_KINDS.map((kind) => box('show', kind, kinds.has(kind), line(kind)))}</fieldset>
${box(END_TO_END, 'true', isEndToEnd, html`<span title="${translate('Join links through panels and circuits')}">${translate('End to end')}</span>`)}
${box(LINKED_ONLY, 'true', isLinkedOnly, translate('Hide devices without links'))}
<label>${translate('Group by')} <span class="picker"><span class="pick"><select name="group" form="${FILTER_FORM}"><option value="">${translate('Automatic')}</option>${(
    ['none', ...GROUPINGS] as const
  ).map(
    (value) =>
      html`<option value="${value}"${value === grouping && html` selected`}>${translate(GROUPING_LABELS[value])}</option>`,
  )}</select></span></span></label></div>`
}
