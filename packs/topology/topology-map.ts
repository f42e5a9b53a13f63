import { shortened, shortenedName } from 'cadastre'
import { type Content, type Html, html, translate } from 'cadastre/web'
import { frameAround } from './frame-area.client.ts'
import type { Point } from './layout.ts'
import type { Area } from './port-labels.client.ts'

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
  readonly shape: 'device' | 'circuit' | 'provider' | 'group'
  readonly x: number
  readonly y: number
  /** Key of the frame round the node. */
  readonly frame: string | null
}

/** A place whose devices have a frame. */
interface DrawnFrame {
  readonly key: string
  readonly name: string
}

/** A map with names, addresses and positions. */
export interface DrawnMap {
  readonly nodes: readonly DrawnNode[]
  readonly links: readonly DrawnLink[]
  readonly frames: readonly DrawnFrame[]
  /** Keys of the nodes without links. */
  readonly aside: ReadonlySet<string>
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
  /** From the middle of `a`, over the bends, to the middle of `b`. */
  readonly points: readonly Point[]
}

/** Maximum number of links whose ports are always named; those of more are named for the one that is pointed at. */
const MOST_NAMED = 40

/** Size of a box, in pixels. */
export const BOX_WIDTH = 168
export const BOX_HEIGHT = 46
const MARGIN = 40
/** Characters that fit into a box, and into its second line. */
const MOST_CHARACTERS = 21
/** The same of places, whose texts are larger: their maps show much at once. */
const MOST_LARGE_CHARACTERS = 16
const MOST_SMALL_CHARACTERS = 28

/** The frame of each place, in the order of the frames. */
export function frameAreas({ nodes, frames }: DrawnMap): readonly (DrawnFrame & Area)[] {
  const members = Map.groupBy(nodes, ({ frame }) => frame)
  return frames.flatMap((frame) => {
    const middles = members.get(frame.key)?.map(({ x, y }): Point => [x, y])
    return middles ? [{ ...frame, ...frameAround(middles) }] : []
  })
}

/** The left upper corner of the heading of the nodes without links; undefined if there are none, or no others. */
export function asidePlace({ nodes, aside }: DrawnMap): Point | undefined {
  const apart = nodes.filter(({ key }) => aside.has(key))
  if (apart.length === 0 || apart.length === nodes.length) return undefined
  const left = Math.min(...apart.map(({ x }) => x)) - BOX_WIDTH / 2
  return [left, Math.min(...apart.map(({ y }) => y)) - BOX_HEIGHT / 2 - 34]
}

/** The area of everything that is drawn: left, top, width, height. */
export function mapArea(map: DrawnMap): readonly [number, number, number, number] {
  const frames = frameAreas(map)
  const points = map.links.flatMap((link) => link.points.slice(1, -1))
  const axis = (at: 0 | 1, half: number): readonly [number, number] => {
    const middles = map.nodes.map(({ x, y }) => (at === 0 ? x : y))
    const bends = points.map((point) => point[at])
    const starts = frames.map(({ middle, half: size }) => middle[at] - size[at])
    const ends = frames.map(({ middle, half: size }) => middle[at] + size[at])
    const start = Math.min(...middles.map((middle) => middle - half), ...bends, ...starts) - MARGIN
    return [start, Math.max(...middles.map((middle) => middle + half), ...bends, ...ends) + MARGIN - start]
  }
  const [left, width] = axis(0, BOX_WIDTH / 2)
  const [top, height] = axis(1, BOX_HEIGHT / 2)
  return [Math.round(left), Math.round(top), Math.round(width), Math.round(height)]
}

/** The map as an SVG within the page: its style sheet colours it. Nodes are links; lines have titles. */
export function topologyMap(map: DrawnMap, positionsKey: string): Html {
  const { nodes, links } = map
  const area = mapArea(map)
  const [, , width, height] = area
  const aside = asidePlace(map)
  const isNamed = links.length <= MOST_NAMED
  return html`<div class="map scroll" data-topology data-positions="${positionsKey}"${isNamed && html` data-named`} tabindex="0" role="region" aria-label="${translate('Topology')}">
<svg viewBox="${area.join(' ')}" width="${width}" height="${height}" role="group" aria-label="${translate('Topology')}">
<g class="frames">${frameAreas(map).map(frameDrawing)}</g>${aside && html`<text class="aside" x="${aside[0]}" y="${aside[1] + 16}">${translate('Without links')}</text>`}<g class="links">${links.map((link, index) => linkDrawing(link, index, isNamed))}</g><g class="nodes">${nodes.map(nodeDrawing)}</g><g class="ends" aria-hidden="true">${links.map(endNames)}</g></svg></div>`
}

const frameDrawing = ({ key, name, middle, half }: DrawnFrame & Area): Html =>
  html`<g class="frame" data-key="${key}"><rect x="${middle[0] - half[0]}" y="${middle[1] - half[1]}" width="${2 * half[0]}" height="${2 * half[1]}" rx="8"/><text x="${middle[0] - half[0] + 12}" y="${middle[1] - half[1] + 20}">${name}</text></g>`

/** Names of ports that fit beside a box. */
const MOST_END_CHARACTERS = 24

/** The text at an end of a link: the first of its ports, and how many more there are; undefined if it has none. */
export function endText({ ports }: DrawnLink, side: 'a' | 'b'): string | undefined {
  const names = [...new Set(ports.map((pair) => pair[side === 'a' ? 0 : 1]))].filter((name) => name !== '')
  const [first] = names
  if (first === undefined) return undefined
  return `${shortenedName(first, MOST_END_CHARACTERS)}${names.length > 1 ? ` +${names.length - 1}` : ''}`
}

/** The ports at both ends of a link, which the script places where they cover nothing. */
const endNames = (link: DrawnLink, index: number): Content =>
  (['a', 'b'] as const).map((side) => {
    const text = endText(link, side)
    return text !== undefined && html`<text class="end" data-link="${index}" data-side="${side}">${text}</text>`
  })

/** The connected ports, as `eth1 – eth2`. */
const pairTexts = ({ ports }: DrawnLink): readonly string[] =>
  ports.map((pair) => pair.map((name) => name || '—').join(' – '))

/** What the title of a link says. */
export const linkTitle = (link: DrawnLink): string => [link.label, ...pairTexts(link)].join('\n')

/** Width of the line, which grows with the number of links. */
export const lineWidth = ({ count }: DrawnLink): string => Math.min(1.5 + Math.log2(count + 1), 7).toFixed(1)

/** The middle of a line with bends. */
export function middleOf({ points }: DrawnLink): Point {
  const [first, second] = [points[Math.floor((points.length - 1) / 2)], points[Math.ceil((points.length - 1) / 2)]]
  return [((first?.[0] ?? 0) + (second?.[0] ?? 0)) / 2, ((first?.[1] ?? 0) + (second?.[1] ?? 0)) / 2]
}

function linkDrawing(link: DrawnLink, index: number, isNamed: boolean): Html {
  const { a, b, kind, count } = link
  const points = link.points.join(' ')
  const [x, y] = middleOf(link)
  // Names of several ports say how many there are, and need the room.
  const isCounted = count > 1 && !(isNamed && link.ports.length > 0)
  return html`<g class="link ${kind}" data-link="${index}" data-a="${a.key}" data-b="${b.key}"><title>${linkTitle(link)}</title><polyline class="hit" points="${points}"/><polyline points="${points}" stroke-width="${lineWidth(link)}"/>${isCounted && html`<text x="${x}" y="${y - 4}">${count}</text>`}</g>`
}

/** Radius of the corners of a box. */
export const cornerOf = ({ shape }: DrawnNode): number => (isRound(shape) ? BOX_HEIGHT / 2 : 6)

export const isRound = (shape: DrawnNode['shape']): boolean => shape === 'circuit' || shape === 'provider'

/** The texts in a box. */
export function boxTexts({ name, context, about: fact, shape }: DrawnNode): readonly [first: string, second: string] {
  const room = MOST_SMALL_CHARACTERS - fact.length - ' · '.length
  const second = context === '' ? fact : `${shortened(context, room)} · ${fact}`
  const isLarge = shape === 'group' || shape === 'provider'
  return [
    shortenedName(name, isLarge ? MOST_LARGE_CHARACTERS : MOST_CHARACTERS),
    second.slice(0, isLarge ? MOST_CHARACTERS : MOST_SMALL_CHARACTERS),
  ]
}

function nodeDrawing(node: DrawnNode): Html {
  const { key, name, context, about: fact, href, color, shape, frame, x, y } = node
  const about = context === '' ? fact : `${context} · ${fact}`
  const [first, second] = boxTexts(node)
  const content = html`<title>${name}${about !== '' && ` · ${about}`}</title><rect x="${-BOX_WIDTH / 2}" y="${-BOX_HEIGHT / 2}" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="${cornerOf(node)}"/>${color !== undefined && html`<rect class="stripe" x="${-BOX_WIDTH / 2}" y="${-BOX_HEIGHT / 2 + 6}" width="6" height="${BOX_HEIGHT - 12}" fill="#${color}"/>`}<text class="name" y="${about === '' ? 5 : -2}">${first}</text>${about !== '' && html`<text class="about" y="15">${second}</text>`}`
  return html`<g class="node ${shape}" data-key="${key}"${frame !== null && html` data-frame="${frame}"`} transform="translate(${x} ${y})">${href === undefined ? content : html`<a href="${href}">${content}</a>`}</g>`
}

/** The links of the map as a table. */
export function topologyTable(links: readonly DrawnLink[], link: (node: DrawnNode) => Content): Content {
  if (links.length === 0) return undefined
  const hasPorts = links.some(({ ports }) => ports.length > 0)
  return html`<section class="card"><h2>${translate('Links')}</h2><div class="scroll objects-table" tabindex="0" role="region" aria-label="${translate('Links')}"><table><thead><tr><th scope="col">${translate('From')}</th><th scope="col">${translate('To')}</th><th scope="col">${translate('Link')}</th>${hasPorts && html`<th scope="col">${translate('Ports')}</th>`}</tr></thead><tbody>${links.map(
    (item) =>
      html`<tr><td>${link(item.a)}</td><td>${link(item.b)}</td><td>${item.label}</td>${hasPorts && html`<td><ul class="plain">${pairTexts(item).map((pair) => html`<li>${pair}</li>`)}</ul></td>`}</tr>`,
  )}</tbody></table></div></section>`
}
