import { type Html, html } from '../components/html.ts'
import { percent, utilizationBar } from '../components/utilization-bar.ts'
import { numeral } from '../texts/numeral.ts'
import { translate, translateLabel } from '../texts/translate.ts'

/** A location with what stands in it and below. */
export interface FloorRow {
  readonly name: string
  /** 0 for the first level. */
  readonly depth: number
  /** Undefined for what is in no location. */
  readonly href: string | undefined
  /** Address of its racks side by side. */
  readonly elevations: string | undefined
  readonly racks: number
  readonly devices: number
  readonly units: number
  readonly occupied: number
}

/** The locations of a place as a table, each below the one that it is part of. */
export const floorTable = (rows: readonly FloorRow[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Locations')}"><table class="floors"><thead><tr><th scope="col">${translateLabel('Location')}</th><th scope="col" class="number">${translate('Racks')}</th><th scope="col" class="number">${translateLabel('Devices')}</th><th scope="col">${translate('Space')}</th></tr></thead><tbody>${rows.map(rowOf)}</tbody></table></div>`

const rowOf = ({
  name,
  depth,
  href,
  elevations,
  racks,
  devices,
  units,
  occupied,
}: FloorRow): Html => {
  const share = units > 0 ? occupied / units : undefined
  const number =
    racks > 0 && elevations !== undefined
      ? html`<a href="${elevations}">${numeral(racks)}</a>`
      : numeral(racks)
  return html`<tr><th scope="row" class="depth-${Math.min(Math.max(depth, 0), 3)}">${href === undefined ? name : html`<a href="${href}">${name}</a>`}</th><td class="number">${number}</td><td class="number">${numeral(devices)}</td><td>${share !== undefined && html`${percent(share)} ${utilizationBar({ label: translate('Space of {name}', { name }), share, text: '' })}`}</td></tr>`
}
