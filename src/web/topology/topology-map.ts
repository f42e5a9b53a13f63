import { type Content, type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'

/** A node of the map as it is drawn. */
export interface DrawnNode {
  readonly key: string
  readonly name: string
  /** Second line. */
  readonly about: string
  /**
   * Text that distinguishes a place from other places of the same name, such as the site of a rack; otherwise empty.
   */
  readonly context: string
  readonly href: string | undefined
  /** Six hexadecimal digits. */
  readonly color: string | undefined
  readonly shape: 'device' | 'circuit' | 'group'
  readonly x: number
  readonly y: number
}

/** A line of the map. */
export interface DrawnLink {
  readonly a: DrawnNode
  readonly b: DrawnNode
  readonly kind: string
  readonly label: string
  readonly count: number
  /** Names of the connected ports of `a` and `b`; empty for a port that the viewer may not view. */
  readonly ports: readonly (readonly [a: string, b: string])[]
}

/** Maximum number of links whose ports are always named; those of more are named for the one that is pointed at. */
const MOST_NAMED = 40

/** Size of a box, in pixels. */
export const BOX_WIDTH = 168
export const BOX_HEIGHT = 46
const MARGIN = 40
/** Characters that fit into a box, and into its second line. */
const MOST_CHARACTERS = 21
const MOST_SMALL_CHARACTERS = 28

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, Math.max(most - 1, 1))}…` : text

/** The map as an SVG within the page: its style sheet colours it. Nodes are links; lines have titles. */
export function topologyMap(nodes: readonly DrawnNode[], links: readonly DrawnLink[], positionsKey: string): Html {
  const isNamed = links.length <= MOST_NAMED
  const xs = nodes.map(({ x }) => x)
  const ys = nodes.map(({ y }) => y)
  const [left, top] = [Math.min(...xs) - BOX_WIDTH / 2 - MARGIN, Math.min(...ys) - BOX_HEIGHT / 2 - MARGIN]
  const width = Math.max(...xs) + BOX_WIDTH / 2 + MARGIN - left
  const height = Math.max(...ys) + BOX_HEIGHT / 2 + MARGIN - top
  const box = [left, top, width, height].map(Math.round).join(' ')
  return html`<div class="map scroll" data-topology data-positions="${positionsKey}"${isNamed && html` data-named`} tabindex="0" role="region" aria-label="${translate('Topology')}">
<svg viewBox="${box}" width="${Math.round(width)}" height="${Math.round(height)}" role="group" aria-label="${translate('Topology')}">
<g class="links">${links.map((link, index) => linkDrawing(link, index, isNamed))}</g><g class="nodes">${nodes.map(nodeDrawing)}</g><g class="ends" aria-hidden="true">${links.map(endNames)}</g></svg></div>`
}

/** Names of ports that fit beside a box. */
const MOST_END_CHARACTERS = 24

/** The ports at both ends of a link, which the script places where they cover nothing. */
function endNames({ ports }: DrawnLink, index: number): Content {
  return (['a', 'b'] as const).map((side, place) => {
    const names = [...new Set(ports.map((pair) => pair[place] ?? ''))].filter((name) => name !== '')
    const [first] = names
    if (first === undefined) return undefined
    const more = names.length > 1 ? ` +${names.length - 1}` : ''
    return html`<text class="end" data-link="${index}" data-side="${side}">${shortened(first, MOST_END_CHARACTERS)}${more}</text>`
  })
}

/** The connected ports, as `eth1 – eth2`. */
const pairTexts = ({ ports }: DrawnLink): readonly string[] =>
  ports.map((pair) => pair.map((name) => name || '—').join(' – '))

function linkDrawing(link: DrawnLink, index: number, isNamed: boolean): Html {
  const { a, b, kind, label, count } = link
  const width = Math.min(1.5 + Math.log2(count + 1), 7).toFixed(1)
  // Names of several ports say how many there are, and need the room.
  const isCounted = count > 1 && !(isNamed && link.ports.length > 0)
  const title = [label, ...pairTexts(link)].join('\n')
  return html`<g class="link ${kind}" data-link="${index}" data-a="${a.key}" data-b="${b.key}"><title>${title}</title><line class="hit" x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}"/><line x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}" stroke-width="${width}"/>${isCounted && html`<text x="${(a.x + b.x) / 2}" y="${(a.y + b.y) / 2 - 4}">${count}</text>`}</g>`
}

function nodeDrawing({ key, name, context, about: fact, href, color, shape, x, y }: DrawnNode): Html {
  const about = context === '' ? fact : `${context} · ${fact}`
  const room = MOST_SMALL_CHARACTERS - fact.length - ' · '.length
  const second = context === '' ? fact : `${shortened(context, room)} · ${fact}`
  const shown = shortened(name, MOST_CHARACTERS)
  const content = html`<title>${name}${about !== '' && ` · ${about}`}</title><rect x="${-BOX_WIDTH / 2}" y="${-BOX_HEIGHT / 2}" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="${shape === 'circuit' ? BOX_HEIGHT / 2 : 6}"/>${color !== undefined && html`<rect class="stripe" x="${-BOX_WIDTH / 2}" y="${-BOX_HEIGHT / 2 + 6}" width="6" height="${BOX_HEIGHT - 12}" fill="#${color}"/>`}<text class="name" y="${about === '' ? 5 : -2}">${shown}</text>${about !== '' && html`<text class="about" y="15">${second.slice(0, MOST_SMALL_CHARACTERS)}</text>`}`
  return html`<g class="node ${shape}" data-key="${key}" transform="translate(${x} ${y})">${href === undefined ? content : html`<a href="${href}">${content}</a>`}</g>`
}

/** The links of the map as a table. */
export function topologyTable(links: readonly DrawnLink[], link: (node: DrawnNode) => Content): Content {
  if (links.length === 0) return undefined
  const hasPorts = links.some(({ ports }) => ports.length > 0)
  return html`<section class="card"><h2>${translate('Links')}</h2><div class="scroll objects-table" tabindex="0" role="region" aria-label="${translate('Links')}"><table><thead><tr><th scope="col">${translate('From')}</th><th scope="col">${translate('To')}</th><th scope="col">${translate('Link')}</th>${hasPorts && html`<th scope="col">${translate('Ports')}</th>`}</tr></thead><tbody>${links.map(
    (each) =>
      html`<tr><td>${link(each.a)}</td><td>${link(each.b)}</td><td>${each.label}</td>${hasPorts && html`<td><ul class="plain">${pairTexts(each).map((pair) => html`<li>${pair}</li>`)}</ul></td>`}</tr>`,
  )}</tbody></table></div></section>`
}
