import { type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** A device in a rack of the picture: its lowest unit from the bottom, its height, and the hue of its role. */
interface Device {
  readonly unit: number
  readonly height: number
  readonly hue: 'blue' | 'purple' | 'green' | 'gray' | 'orange'
  /** What the branch does with it. */
  readonly mark?: 'added' | 'moved' | 'left'
}

const device = (unit: number, height: number, hue: Device['hue'], mark?: Device['mark']): Device => ({
  ...{ unit, height, hue },
  ...(mark && { mark }),
})

/** A row of racks, with a branch that adds two devices and moves one. */
const RACKS: readonly (readonly Device[])[] = [
  [
    device(18, 1, 'gray'),
    device(17, 1, 'blue'),
    device(15, 1, 'purple'),
    device(8, 2, 'green'),
    device(6, 2, 'green'),
    device(4, 2, 'green'),
    device(1, 2, 'orange'),
  ],
  [
    device(18, 1, 'gray'),
    device(17, 1, 'blue'),
    device(16, 1, 'blue'),
    device(12, 3, 'green', 'left'),
    device(6, 2, 'green'),
    device(1, 2, 'orange'),
  ],
  [
    device(18, 1, 'gray'),
    device(17, 1, 'blue', 'added'),
    device(12, 3, 'green', 'moved'),
    device(8, 2, 'green', 'added'),
    device(4, 1, 'green'),
    device(1, 2, 'orange'),
  ],
]

const UNITS = 18
const UNIT = 14
const RACK = { width: 120, gap: 24, left: 12, top: 12 } as const

/** Blocks of a prefix map in a grid of this many columns: column, row, width, height, and how full it is. */
const BLOCKS: readonly (readonly [x: number, y: number, width: number, height: number, level: 1 | 2 | 3])[] = [
  [0, 0, 8, 2, 2],
  [8, 0, 4, 2, 3],
  [12, 0, 4, 1, 1],
  [12, 1, 2, 1, 2],
  [0, 2, 4, 2, 1],
  [4, 2, 2, 2, 3],
  [8, 2, 8, 1, 1],
]
/** The block that the branch allocates. */
const ALLOCATED = [6, 2, 2, 2] as const

const CELL = { width: 25.5, height: 20, top: 300 } as const

/** What the service shows, at first sight: racks with a planned change laid over them, and the map of a prefix. */
export const productPicture = (): Html =>
  html`<svg class="product-picture" viewBox="0 0 432 396" role="img" aria-label="${translate('Three racks with a planned change laid over them, and the map of a prefix')}">${RACKS.map(rack)}${move()}<text x="${RACK.left}" y="${CELL.top - 8}">10.20.0.0/16</text>${Array.from({ length: 4 }, (_, row) => Array.from({ length: 16 }, (_, column) => cell([column, row, 1, 1], 'free')))}${BLOCKS.map(([x, y, width, height, level]) => cell([x, y, width, height], `level-${level}`))}${cell(ALLOCATED, 'added')}</svg>`

const bottomOf = (unit: number): number => RACK.top + 6 + (UNITS - unit + 1) * UNIT
const leftOf = (index: number): number => RACK.left + index * (RACK.width + RACK.gap)

const rack = (devices: readonly Device[], index: number): Html => {
  const left = leftOf(index)
  return html`<rect class="rack" x="${left}" y="${RACK.top}" width="${RACK.width}" height="${UNITS * UNIT + 12}" rx="6"/>${devices.map(
    ({ unit, height, hue, mark }) =>
      html`<rect class="device ${hue}${mark && ` ${mark}`}" x="${left + 8}" y="${bottomOf(unit + height - 1) - UNIT + 1}" width="${RACK.width - 16}" height="${height * UNIT - 2}" rx="3"/>`,
  )}`
}

/** The way of the device that the branch moves. */
const move = (): Html => {
  const y = bottomOf(13) - UNIT / 2
  const [from, to] = [leftOf(1) + RACK.width - 14, leftOf(2) + 8]
  return html`<path class="way" d="M${from} ${y}H${to - 7}"/><path class="way head" d="M${to - 8} ${y - 5}l7 5l-7 5z"/>`
}

const cell = ([x, y, width, height]: readonly [number, number, number, number], level: string): Html =>
  html`<rect class="cell ${level}" x="${RACK.left + x * CELL.width}" y="${CELL.top + y * CELL.height}" width="${width * CELL.width - 2}" height="${height * CELL.height - 2}" rx="2"/>`
