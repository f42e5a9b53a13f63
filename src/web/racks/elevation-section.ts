import { colorDisplay } from '../components/value.ts'
import { type Content, type Html, html } from '../html.ts'
import { numeral, type Text, translate } from '../texts/translate.ts'
import { deviceContent, occupancy, type RackDevice, type RackTable, rackTable } from './rack-table.ts'

/** Devices that are not in a rack but could be. */
export interface Tray {
  readonly devices: readonly RackDevice[]
  /** Number of all matches, listed or not. */
  readonly count: number
  /** Text that was searched in their names. */
  readonly words: string
  /** Parameters of the page that a search keeps. */
  readonly kept: readonly (readonly [name: string, value: string])[]
}

interface ElevationSection {
  readonly racks: readonly RackTable[]
  readonly tray: Tray | undefined
  readonly roles: readonly { readonly name: string; readonly color: string }[]
  readonly mayMove: boolean
  readonly links: Content
}

/** Racks side by side with a tray. The script `rack-elevation.client.ts` moves devices between all of them. */
export const elevationSection = ({ racks, tray, roles, mayMove, links }: ElevationSection): Html =>
  html`<div class="elevation" data-island="rack-elevation" data-may-move="${String(mayMove)}">
<div class="rack-tools"><fieldset class="rack-show"><legend class="visually-hidden">${translate('Show devices as')}</legend>${SHOWN_AS.map(
    ([value, label], index) =>
      html`<label><input type="radio" name="show" value="${value}"${index === 0 && html` checked`}>${translate(label)}</label>`,
  )}</fieldset><span class="rack-links">${links}</span></div>
<p class="toast rack-status" role="status"></p>
<div class="racks"><div class="rack-row${racks.some(({ units }) => units > 24) && ' tall'}" tabindex="0" role="region" aria-label="${translate('Racks')}">${racks.map(rackTable)}</div>${tray && traySection(tray)}</div>
${roles.length > 0 && html`<ul class="rack-legend">${roles.map(({ name, color }) => html`<li>${colorDisplay(color)}${name}</li>`)}</ul>`}
</div>`

const SHOWN_AS = [
  ['labels', 'Names'],
  ['images', 'Images'],
  ['both', 'Both'],
] as const satisfies readonly (readonly [string, Text])[]

const traySection = ({ devices, count, words, kept }: Tray): Html =>
  html`<section class="tray" aria-labelledby="tray-title"><h3 id="tray-title">${translate('Unracked')} <small class="count">${numeral(count)}</small></h3>
${(count > devices.length || words !== '') && html`<form method="get" class="tray-search">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<label><span class="visually-hidden">${translate('Search devices that are not mounted')}</span><input type="search" name="tray" value="${words}" placeholder="${translate('Name…')}"></label><button>${translate('Show')}</button></form>`}
${
  devices.length === 0
    ? html`<p class="muted">${translate(words === '' ? 'All devices of this site are mounted in racks.' : 'No device matches this name.')}</p>`
    : html`<ul>${devices.map(
        (device) =>
          html`<li class="device" ${occupancy(device)}>${deviceContent(
            device,
            devices.map(({ label }) => label),
          )}</li>`,
      )}</ul>`
}
${count > devices.length && html`<p class="muted">${translate('{count} more: search by name.', { count: count - devices.length })}</p>`}
</section>`

/** Path of the page that shows racks side by side. */
export const ELEVATIONS = '/dcim/rack-elevations/'
