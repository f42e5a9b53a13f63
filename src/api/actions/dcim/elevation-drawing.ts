import { shortenedName } from '../../../schema/shortened.ts'
import { xmlText } from '../xml-text.ts'
import type { Face, MountedDevice, Reservation } from './rack-contents.ts'
import { depthBelowTop, type Numbering } from './rack-units.ts'

/** Content of a drawing. */
export interface Elevation {
  /** Name and location of the rack. */
  readonly title: string
  readonly place: string
  readonly face: Face
  readonly numbering: Numbering
  readonly devices: readonly DrawnDevice[]
  readonly reservations: readonly Reservation[]
}

interface DrawnDevice extends MountedDevice {
  readonly label: string
  /** Address of its page. */
  readonly link: string
  /** Address of the image of this face; undefined: without an image. */
  readonly image: string | undefined
}

/** Pixels. */
export interface Measures {
  readonly unitWidth: number
  readonly unitHeight: number
  /** Width of the column with the numbers. */
  readonly legendWidth: number
  /** Width of the strip that marks reserved units. */
  readonly marginWidth: number
}

const FRAME = 6
const HEADER = 44
const GAP = 1
/** Approximate width of a character of a label. */
const CHARACTER = 6.6

/** A rack's face as an SVG document: units from the top to the bottom, devices in the colours of their roles. */
export function drawElevation(elevation: Elevation, measures: Measures): string {
  const { unitWidth, unitHeight, legendWidth, marginWidth } = measures
  const { u_height: units } = elevation.numbering
  const left = legendWidth + FRAME
  const width = left + unitWidth + FRAME + marginWidth
  const height = HEADER + FRAME + units * unitHeight + FRAME + 2
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${xmlText(`${elevation.title}, ${elevation.face}`)}">`,
    `<style>${STYLE}</style>`,
    PATTERNS,
    header(elevation, width),
    `<g transform="translate(${left} ${HEADER + FRAME})">`,
    frame(unitWidth, units * unitHeight),
    ...Array.from({ length: units }, (_, index) => unit(elevation.numbering, index, measures)),
    ...elevation.reservations.map((reserved) => reservation(reserved, elevation.numbering, measures)),
    ...elevation.devices.map((mounted) => device(mounted, elevation, measures)),
    '</g></svg>',
  ].join('')
}

const STYLE = `
:root{color-scheme:light dark}text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif}text:not([fill]){fill:#22303c}
.title{font-size:14px;font-weight:600}text.place,text.number{fill:#6b7a88;font-size:11px}
.frame{fill:#3d4a56}.slot{fill:#f6f8fa}.odd{fill:#eceff3}.edge{stroke:#0b141c;stroke-opacity:.28;fill:none}
.hidden{fill:url(#blocked)}.reserved{fill:url(#reserved)}.mark{fill:#d9822b}.far{stroke:#6b7a88;stroke-dasharray:3 3;fill:url(#blocked)}
.far+text{fill:#6b7a88;font-style:italic}a:hover .box{filter:brightness(1.12)}
@media (prefers-color-scheme:dark){text:not([fill]){fill:#dbe3ea}.slot{fill:#26313b}.odd{fill:#2c3843}.frame{fill:#0f161c}text.place,text.number,.far+text{fill:#a3b1b3}}
`

const hatching = (name: string, colour: string): string =>
  `<pattern id="${name}" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8" fill="${colour}" fill-opacity=".12"/><rect width="3" height="8" fill="${colour}" fill-opacity=".35"/></pattern>`

const PATTERNS = `<defs>${hatching('blocked', '#7d8b99')}${hatching('reserved', '#d9822b')}</defs>`

const header = ({ title, place, face }: Elevation, width: number): string =>
  `<text class="title" x="4" y="18">${xmlText(fitting(title, width - 50))}</text><text class="place" x="4" y="35">${xmlText(fitting(place, width - 8))}</text><text class="place" x="${width - 4}" y="18" text-anchor="end">${face}</text>`

const frame = (width: number, height: number): string =>
  `<rect class="frame" x="${-FRAME}" y="${-FRAME}" width="${width + 2 * FRAME}" height="${height + 2 * FRAME}" rx="4"/>`

/** An empty slot, with its number on the left. */
function unit(
  { starting_unit, u_height, desc_units }: Numbering,
  index: number,
  { unitWidth, unitHeight }: Measures,
): string {
  const number = desc_units ? starting_unit + index : starting_unit + u_height - 1 - index
  const y = index * unitHeight
  return `<rect class="slot${number % 2 ? ' odd' : ''}" y="${y}" width="${unitWidth}" height="${unitHeight}"/><text class="number" x="${-FRAME - 5}" y="${y + unitHeight / 2 + 4}" text-anchor="end">${number}</text>`
}

/** Hatches the free part of a reservation and marks it on the right. */
function reservation(
  { units, description, user }: Reservation,
  numbering: Numbering,
  { unitWidth, unitHeight, marginWidth }: Measures,
): string {
  const marks = units.map((position) => {
    const y = depthBelowTop(numbering, { position, height: 1 }) * unitHeight
    const mark = `<rect class="mark" x="${unitWidth + FRAME + 3}" y="${y + 1}" width="${Math.max(marginWidth - 6, 1)}" height="${unitHeight - 2}" rx="2"/>`
    return `<rect class="reserved" y="${y}" width="${unitWidth}" height="${unitHeight}"/>${mark}`
  })
  return `<g><title>${xmlText(`Reserved by ${user}: ${description}`)}</title>${marks.join('')}</g>`
}

function device(drawn: DrawnDevice, { face, numbering }: Elevation, { unitWidth, unitHeight }: Measures): string {
  const y = depthBelowTop(numbering, drawn) * unitHeight + GAP
  const height = drawn.height * unitHeight - 2 * GAP
  const place = `x="${GAP}" y="${y}" width="${unitWidth - 2 * GAP}" height="${height}" rx="3"`
  if (!drawn.isVisible) return `<rect class="hidden" ${place}/>`
  const label = fitting(drawn.label, unitWidth - 16)
  const text = (more: string) =>
    `<text x="${unitWidth / 2}" y="${y + height / 2 + 4}" text-anchor="middle"${more}>${xmlText(label)}</text>`
  const isFar = drawn.face !== face && drawn.face !== ''
  const colour = /^[0-9a-f]{6}$/i.test(drawn.color) ? drawn.color : '9e9e9e'
  const body = isFar
    ? `<rect class="far" ${place}/>${text('')}`
    : `<rect class="box" ${place} fill="#${colour}"/>${picture(drawn, place)}<rect class="edge" ${place}/>${drawn.image === undefined ? text(` fill="${readableOn(colour)}" font-weight="500"`) : ''}`
  return `<a href="${xmlText(drawn.link)}" target="_top"><title>${xmlText(deviceSummary(drawn))}</title>${body}</a>`
}

const picture = ({ image }: DrawnDevice, place: string): string =>
  image === undefined ? '' : `<image href="${xmlText(image)}" ${place} preserveAspectRatio="none"/>`

/** Name, model, role, state and place of a device in one line. */
const deviceSummary = ({
  label,
  role,
  type,
  status,
  serial,
  asset_tag,
  position,
  height,
}: MountedDevice & { readonly label: string }): string =>
  [
    label,
    type,
    `${role}, ${status}`,
    `U${position}, ${height} high`,
    serial && `Serial number ${serial}`,
    asset_tag && `Asset tag ${asset_tag}`,
  ]
    .filter(Boolean)
    .join('\u2009· ')

/** The text, shortened to fit into this many pixels. */
const fitting = (text: string, width: number): string => shortenedName(text, Math.max(Math.floor(width / CHARACTER), 1))

/** Black or white, whichever has more contrast to the colour (WCAG 2.1, relative luminance). */
function readableOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.35 ? '#1b262f' : '#ffffff'
}
