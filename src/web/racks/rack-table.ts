import { type Content, type Html, html } from '../html.ts'
import { type Text, translate, translateMarkup } from '../texts/translate.ts'
import { cutName } from './cut-name.ts'

/** A device in a rack, or one that could be mounted there. */
export interface RackDevice {
  readonly id: number
  /** Empty for a device that the viewer may not view: only its units are known. */
  readonly label: string
  /** Empty for a drawing that is a link as a whole. */
  readonly href: string
  /** Model and other facts that are shown at a glance. */
  readonly type: string
  readonly title: string
  /** Six hexadecimal digits; empty: none. */
  readonly color: string
  /** Units. */
  readonly height: number
  readonly isFullDepth: boolean
  readonly isPlanned: boolean
  readonly position: number | undefined
  readonly face: string
  /** URL of the image of the drawn face. */
  readonly image?: string | undefined
  /** How it differs from the rack with which this one is compared. */
  readonly mark?: RackMark
}

/** A difference between two pictures of a rack, for a device. */
export interface RackMark {
  readonly kind: keyof typeof MARKS
  /** Where a moved device is in the other picture. */
  readonly place?: string
}

/** A unit of one face that is free. */
interface FreeUnit {
  readonly position: number
  /** Form for a device here; undefined if the viewer may not add devices. */
  readonly href: string | undefined
  /** The person for whom the unit is reserved. */
  readonly reservation: string | undefined
}

/** A bay of a mounted device. */
export interface DrawnBay {
  readonly name: string
  /** Undefined: it is free, or the viewer may not view what is in it. */
  readonly device:
    | { readonly label: string; readonly href: string; readonly title: string; readonly color: string }
    | undefined
}

export type DrawnCell =
  | ({
      readonly kind: 'device'
      readonly rows: number
      readonly isFar: boolean
      /** The device that the picture is about. */
      readonly isHere?: boolean
      /** Drawn side by side in its units. */
      readonly bays: readonly DrawnBay[]
    } & RackDevice)
  | ({ readonly kind: 'free'; readonly rows: number; readonly face: RackFaceName } & FreeUnit)

export type RackFaceName = 'front' | 'rear'

/** A rack as a table: a row for each unit, a column for each face. */
export interface RackTable {
  readonly id: number
  readonly name: string
  /** Shown above the rack, if there are several side by side. */
  readonly heading: Content
  readonly site: number
  readonly location: number | null
  readonly units: number
  readonly firstUnit: number
  readonly isDescending: boolean
  readonly faces: readonly RackFaceName[]
  readonly rows: readonly {
    readonly unit: { readonly number: number; readonly rows: number } | undefined
    readonly cells: readonly (DrawnCell | undefined)[]
  }[]
  /** Devices that have no place in the drawing. */
  readonly misplaced: readonly RackDevice[]
  /** Devices without units, such as vertical PDUs. */
  readonly beside: readonly NonNullable<DrawnBay['device']>[]
}

/** The rack. Scripts find what they need in `data-` attributes. */
export function rackTable(rack: RackTable): Html {
  const cells = rack.rows.flatMap((row) => row.cells.filter((cell) => cell?.kind === 'device'))
  const names = [...new Set(cells.map(({ label }) => label))]
  return html`<div class="rack" data-rack="${rack.id}" data-name="${rack.name}" data-site="${rack.site}" data-location="${rack.location ?? ''}" data-units="${rack.units}" data-first="${rack.firstUnit}" data-descending="${String(rack.isDescending)}">
${rack.heading}
<table><caption class="visually-hidden">${rack.name}</caption>
<thead><tr><th scope="col"><span class="visually-hidden">${translate('Unit')}</span></th>${rack.faces.map((face) => html`<th scope="col" data-face="${face}">${translate(FACES[face])}</th>`)}</tr></thead>
<tbody>${rack.rows.map(({ unit, cells }) => html`<tr>${unit && html`<th scope="row"${unit.rows > 1 && html` rowspan="${unit.rows}"`}>${unit.number}</th>`}${cells.map((cell) => cell && rackCell(cell, names))}</tr>`)}</tbody>
</table>
${rack.misplaced.length > 0 && html`<p class="notice warn">${translateMarkup('Outside the rack, or at units of other devices: {list}', { list: rack.misplaced.map((device, index) => html`${index > 0 && ', '}<a href="${device.href}">${device.label || translate('a device')}</a> (${translate('U{position}', { position: device.position ?? '' })})`) })}</p>`}
${rack.beside.length > 0 && html`<p class="beside"><span class="muted">${translate('Beside the units:')}</span> ${rack.beside.map((device) => fittedLink(device))}</p>`}
</div>`
}

/** More are drawn in several rows. */
const BAYS_IN_A_ROW = 4

/** `names`: those beside the device, from which its own has to be told. */
const fittedLink = (
  { label, href, title, color }: NonNullable<DrawnBay['device']>,
  names: readonly string[] = [],
): Html => html`<a class="fitted" href="${href}" title="${title}">${stripe(color)}${cutName(label, names)}</a>`

const drawnBay = ({ name, device }: DrawnBay, names: readonly string[]): Html =>
  device ? fittedLink(device, names) : html`<span class="fitted free" title="${name}"></span>`

const stripe = (color: string): Content =>
  color !== '' &&
  html`<svg class="stripe" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><rect width="1" height="1" fill="#${color}"/></svg>`

const FACES = { front: 'Front', rear: 'Rear' } as const

export const PLACES = { front: 'U{position}, front', rear: 'U{position}, rear' } as const

const rackCell = (cell: DrawnCell, names: readonly string[]): Html =>
  cell.kind === 'free' ? freeCell(cell) : deviceCell(cell, names)

const spanning = (rows: number): Content => rows > 1 && html` rowspan="${rows}"`

const freeCell = ({ rows, position, face, href, reservation }: Extract<DrawnCell, { kind: 'free' }>): Html => {
  const unit = translate(PLACES[face], { position })
  const place = reservation === undefined ? unit : `${unit}. ${reservation}`
  const content =
    href === undefined
      ? reservation !== undefined && html`<span class="visually-hidden">${reservation}</span>`
      : html`<a href="${href}" aria-label="${translate('Add a device at {place}', { place })}"><span aria-hidden="true">+</span></a>`
  return html`<td class="free${reservation !== undefined && ' reserved'}"${spanning(rows)}${reservation !== undefined && html` title="${reservation}"`} data-free="${position}" data-face="${face}">${content}</td>`
}

function deviceCell(cell: Extract<DrawnCell, { kind: 'device' }>, names: readonly string[]): Html {
  const { label, isFar, isPlanned, isHere = false, rows, mark } = cell
  if (label === '') {
    return html`<td class="hidden"${spanning(rows)} ${occupancy(cell)} title="${translate('Occupied')}"><span class="visually-hidden">${translate('Occupied')}</span></td>`
  }
  const kind = `device${isFar ? ' far' : ''}${isPlanned ? ' planned' : ''}${isHere ? ' here' : ''}${mark === undefined ? '' : ` marked ${mark.kind}`}`
  return html`<td class="${kind}"${spanning(rows)} ${occupancy(cell)}>${deviceContent(cell, names, cell.bays)}</td>`
}

/** Name, colour and picture of a device. `names`: those beside it, from which its own has to be told. */
export const deviceContent = (
  { label, href, type, title, color, image, mark }: Omit<RackDevice, 'height'>,
  names: readonly string[],
  bays: readonly DrawnBay[] = [],
): Html =>
  html`<div class="mounted">${color !== '' && html`<svg class="tint" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true"><rect class="wash" width="100" height="100" fill="#${color}"/></svg>`}${stripe(color)}${image !== undefined && html`<img class="picture" src="${image}" alt="" loading="lazy">`}${mark && markSign(mark.kind)}${href === '' ? html`<span>${label}</span>` : html`<a href="${href}" aria-label="${label}" title="${mark ? [markText(mark.kind), mark.place, title].filter(Boolean).join(' · ') : title}">${cutName(label, names)}</a>`} ${
    bays.length > 0 &&
    html`<span class="bays${bays.length > BAYS_IN_A_ROW && ' many'}">${bays.map((bay) =>
      drawnBay(
        bay,
        bays.flatMap(({ device }) => device?.label ?? []),
      ),
    )}</span>`
  }<small>${mark ? mark.place : type}</small></div>`

/** The differences with their signs and words, in the order of a legend. */
const MARKS = {
  added: ['+', 'Added'],
  removed: ['−', 'Removed'],
  moved: ['↕', 'Moved'],
  changed: ['≠', 'Changed'],
} as const satisfies Readonly<Record<string, readonly [sign: string, word: Text]>>

/** The sign of a difference, which is read as a word. */
const markSign = (kind: RackMark['kind']): Html =>
  html`<span class="rack-mark ${kind}" role="img" aria-label="${markText(kind)}">${MARKS[kind][0]}</span>`

const markText = (kind: RackMark['kind']): string => translate(MARKS[kind][1])

const KINDS = Object.keys(MARKS) as readonly RackMark['kind'][]

/** Explains the signs of these differences. */
export const markLegend = (kinds: ReadonlySet<RackMark['kind'] | undefined>): Html =>
  html`<ul class="rack-legend">${KINDS.filter((kind) => kinds.has(kind)).map((kind) => html`<li><span class="rack-mark ${kind}" aria-hidden="true">${MARKS[kind][0]}</span> ${markText(kind)}</li>`)}</ul>`

/** Attributes with which scripts find a device and its place. */
export const occupancy = ({ id, label, height, isFullDepth, position, face }: RackDevice): Html =>
  html`data-device="${id}" data-label="${label}" data-height="${height}" data-full-depth="${String(isFullDepth)}" data-position="${position ?? ''}" data-face="${face}"`
