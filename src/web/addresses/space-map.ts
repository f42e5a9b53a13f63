import { type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'

/** A block of the map of an address space. */
export interface MapBlock {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly label: string
  /** Text that a pointer at the block shows. */
  readonly title: string
  /** Share in use; undefined for free space. */
  readonly used: number | undefined
  readonly href: string | undefined
}

/** Width and height of the map, in pixels where it is not scaled. */
export const SPACE_MAP = { x: 0, y: 0, width: 1024, height: 256 } as const

/** The address space as blocks whose area is proportional to the number of addresses. */
export const spaceMap = (blocks: readonly MapBlock[], label: string): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><svg class="space-map" viewBox="-1 -1 ${SPACE_MAP.width + 2} ${SPACE_MAP.height + 2}" role="group" aria-label="${label}">${blocks.map(blockView)}</svg></div>
<p class="muted space-legend"><span class="key used"></span> ${translate('in use')} <span class="key held"></span> ${translate('a prefix with free addresses')} <span class="key"></span> ${translate('free')}</p>`

const blockView = ({ label, title, href, used, ...box }: MapBlock): Html => {
  const size = html`x="${box.x}" y="${box.y}" width="${Math.max(box.width - 1, 0.5)}" height="${Math.max(box.height - 1, 0.5)}"`
  const isFree = used === undefined
  const filled =
    !isFree &&
    used > 0 &&
    html`<rect class="used" x="${box.x}" y="${box.y + (box.height - 1) * (1 - used)}" width="${Math.max(box.width - 1, 0.5)}" height="${Math.max((box.height - 1) * used, 0.5)}"/>`
  const text =
    box.width > label.length * 7.2 &&
    box.height > 15 &&
    html`<text x="${box.x + box.width / 2}" y="${box.y + Math.min(box.height / 2 + 4, 16)}" text-anchor="middle">${label}</text>`
  const content = html`<title>${title}</title><rect class="${isFree ? 'free' : 'held'}" ${size}/>${filled}${text}`
  // Blocks that cannot be hit are no steps for the keyboard: the table has them too.
  const isSmall = box.width < 12 || box.height < 12
  return href === undefined
    ? html`<g>${content}</g>`
    : html`<a href="${href}" aria-label="${title}"${isSmall && html` tabindex="-1"`}>${content}</a>`
}
