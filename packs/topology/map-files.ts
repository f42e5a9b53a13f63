import { type Content, type Html, html, translate, trusted } from 'cadastre/web'
import { type Area, type EndLabel, type Place, placeLabels } from './port-labels.client.ts'
import {
  asidePlace,
  BOX_HEIGHT,
  BOX_WIDTH,
  boxTexts,
  cornerOf,
  type DrawnLink,
  type DrawnMap,
  type DrawnNode,
  endText,
  frameAreas,
  isRound,
  lineWidth,
  linkTitle,
  mapArea,
  middleOf,
} from './topology-map.ts'

/** Colors and dashes of the lines, as on the light page. */
const LINES: Readonly<Record<string, readonly [color: string, dashes: string]>> = {
  network: ['#1f5fbf', ''],
  power: ['#a8480b', ''],
  console: ['#5b6472', '2 4'],
  circuits: ['#6a3fb5', ''],
  wireless: ['#0b6bcb', '7 5'],
}

const lineOf = ({ kind }: DrawnLink): readonly [color: string, dashes: string] => LINES[kind] ?? ['#5b6472', '']

const INK = '#1b2330'
const MUTED = '#5b6472'
const BORDER = '#8a94a3'
const FILL = '#f3f5f8'
const FRAME_FILL = '#fafbfc'
const FRAME_BORDER = '#d3d9e1'
/** Width of a character of the names of ports, in pixels. */
const CHARACTER = 6.7

/** Characters that XML does not allow, even escaped: control characters, halves of pairs, U+FFFE and U+FFFF. */
const NOT_XML = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu

/** The document, without characters that would make it unreadable. */
const xml = (content: Html): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${content.markup.replaceAll(NOT_XML, '')}\n`

/** The map as an SVG file, which refers to nothing else; colors are those of the light page. */
export function svgFile(map: DrawnMap, title: string): string {
  const [left, top, width, height] = mapArea(map)
  const aside = asidePlace(map)
  const frames = frameAreas(map).map(({ name, middle: [x, y], half: [w, h] }) => {
    const place = html`x="${x - w}" y="${y - h}" width="${2 * w}" height="${2 * h}"`
    return html`<g><rect ${place} rx="8" fill="${FRAME_FILL}" stroke="${FRAME_BORDER}"/><text x="${x - w + 12}" y="${y - h + 20}" font-size="13" font-weight="600" fill="${MUTED}">${name}</text></g>`
  })
  const heading =
    aside &&
    html`<text x="${aside[0]}" y="${aside[1] + 16}" font-size="13" font-weight="600" fill="${MUTED}">${translate('Without links')}</text>`
  return xml(
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}" font-family="Inter, Helvetica, Arial, sans-serif"><title>${title}</title><rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#ffffff"/>${frames}${heading}${map.links.map(svgLine)}${map.nodes.map(svgBox)}${svgPorts(map)}</svg>`,
  )
}

/** A text stays readable where it crosses a line. */
const halo = (content: string | number, [x, y]: Place, more: Content): Html =>
  html`<text x="${x}" y="${y}" text-anchor="middle" fill="${INK}" stroke="#ffffff" stroke-width="4" paint-order="stroke" ${more}>${content}</text>`

function svgLine(link: DrawnLink): Html {
  const [color, dashes] = lineOf(link)
  const [x, y] = middleOf(link)
  return html`<g><title>${linkTitle(link)}</title><polyline points="${link.points.join(' ')}" fill="none" stroke="${color}" stroke-width="${lineWidth(link)}"${dashes !== '' && html` stroke-dasharray="${dashes}"`}/>${link.count > 1 && halo(link.count, [x, y - 4], html`font-size="12" font-weight="600"`)}</g>`
}

function svgBox(node: DrawnNode): Html {
  const { name, color, shape, x, y } = node
  const [first, second] = boxTexts(node)
  const [left, top] = [x - BOX_WIDTH / 2, y - BOX_HEIGHT / 2]
  return html`<g><title>${name}</title><rect x="${left}" y="${top}" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="${cornerOf(node)}" fill="${FILL}" stroke="${BORDER}"${isRound(shape) && html` stroke-dasharray="4 3"`}/>${color !== undefined && html`<rect x="${left}" y="${top + 6}" width="6" height="${BOX_HEIGHT - 12}" fill="#${color}"/>`}<text x="${x}" y="${y + (second === '' ? 5 : -2)}" text-anchor="middle" font-size="13" font-weight="600" fill="${INK}">${first}</text>${second !== '' && html`<text x="${x}" y="${y + 15}" text-anchor="middle" font-size="11" fill="${MUTED}">${second}</text>`}</g>`
}

/** The names of ports, except those that would cover something: they are in the titles of their lines. */
function svgPorts({ nodes, links }: DrawnMap): Content {
  const labels = links.flatMap((link): readonly (EndLabel & { readonly text: string })[] =>
    (['a', 'b'] as const).flatMap((side) => {
      const text = endText(link, side)
      const [from, to] = side === 'a' ? link.points : link.points.toReversed()
      return text !== undefined && from && to ? [{ text, from, to, width: text.length * CHARACTER + 6 }] : []
    }),
  )
  const areas = nodes.map(({ x, y }): Area => ({ middle: [x, y], half: [BOX_WIDTH / 2, BOX_HEIGHT / 2] }))
  const counts = links
    .filter(({ count }) => count > 1)
    .map((link): Area => {
      const [x, y] = middleOf(link)
      return { middle: [x, y - 8], half: [12, 9] }
    })
  const places = placeLabels(labels, [...areas, ...counts], false)
  return labels.map(({ text }, index) => {
    const place = places[index]
    const style = html`font-size="11" font-family="monospace"`
    return place && halo(text, [place[0], place[1] + 4], style)
  })
}

/**
 * The map as a file of draw.io (https://www.drawio.com/doc/faq/diagram-source-edit): frames are containers of their
 * devices, and lines are connected. All labels are plain text (`html=0`).
 */
export function drawioFile(map: DrawnMap, title: string): string {
  const [left, top, width, height] = mapArea(map)
  const frames = frameAreas(map)
  const origins = new Map(
    frames.map(({ key, middle, half }): [string, Place] => [key, [middle[0] - half[0], middle[1] - half[1]]]),
  )
  const frameCells = frames.map(({ key, name, middle: [x, y], half: [w, h] }) =>
    vertex({ id: key, name, style: FRAME_STYLE, area: [x - w - left, y - h - top, 2 * w, 2 * h] }),
  )
  const boxCells = map.nodes.map((node) => {
    const [x, y] = origins.get(node.frame ?? '') ?? [left, top]
    const area = [node.x - BOX_WIDTH / 2 - x, node.y - BOX_HEIGHT / 2 - y, BOX_WIDTH, BOX_HEIGHT] as const
    const name = node.about === '' ? node.name : `${node.name}\n${node.about}`
    const parent = origins.has(node.frame ?? '') ? (node.frame ?? '1') : '1'
    const color = node.color === undefined ? '' : `strokeColor=#${node.color};`
    return vertex({ id: node.key, name, style: `${BOX_STYLES[node.shape]}${color}`, area, parent })
  })
  const aside = asidePlace(map)
  const heading =
    aside &&
    vertex({
      ...{ id: 'aside', name: translate('Without links'), style: 'text;html=0;align=left;fontStyle=1;' },
      area: [aside[0] - left, aside[1] - top, BOX_WIDTH, 24],
    })
  const links = map.links.map((link, index) => edge(link, `link:${index}`, [left, top]))
  return xml(
    html`<mxfile host="Cadastre"><diagram id="topology" name="${oneLine(title)}"><mxGraphModel dx="0" dy="0" grid="1" gridSize="10" guides="1" page="0" pageWidth="${width}" pageHeight="${height}"><root><mxCell id="0"/><mxCell id="1" parent="0"/>${frameCells}${boxCells}${heading}${links}</root></mxGraphModel></diagram></mxfile>`,
  )
}

const FRAME_STYLE = `rounded=1;arcSize=2;absoluteArcSize=0;html=0;container=1;collapsible=0;recursiveResize=0;verticalAlign=top;align=left;spacingLeft=8;fontStyle=1;fontColor=${MUTED};fillColor=${FRAME_FILL};strokeColor=${FRAME_BORDER};`
const BOX_STYLE = `html=0;whiteSpace=wrap;fillColor=${FILL};fontColor=${INK};strokeColor=${BORDER};`
const BOX_STYLES = {
  device: `rounded=1;${BOX_STYLE}`,
  circuit: `rounded=1;arcSize=50;dashed=1;${BOX_STYLE}`,
  provider: `rounded=1;arcSize=50;dashed=1;${BOX_STYLE}`,
  group: `rounded=1;strokeWidth=2;${BOX_STYLE}`,
} as const satisfies Readonly<Record<DrawnNode['shape'], string>>

interface Vertex {
  readonly id: string
  readonly name: string
  readonly style: string
  readonly area: readonly [x: number, y: number, width: number, height: number]
  readonly parent?: string
}

const vertex = ({ id, name, style, area: [x, y, width, height], parent = '1' }: Vertex): Html =>
  html`<mxCell id="${id}" value="${attribute(name)}" style="${style}" vertex="1" parent="${parent}"><mxGeometry x="${x}" y="${y}" width="${width}" height="${height}" as="geometry"/></mxCell>`

function edge(link: DrawnLink, id: string, [left, top]: Place): Html {
  const [color, dashes] = lineOf(link)
  const style = `html=0;endArrow=none;rounded=0;edgeStyle=none;strokeWidth=${lineWidth(link)};strokeColor=${color};${dashes === '' ? '' : `dashed=1;dashPattern=${dashes};`}`
  const bends = link.points.slice(1, -1)
  const points =
    bends.length > 0 &&
    html`<Array as="points">${bends.map(([x, y]) => html`<mxPoint x="${x - left}" y="${y - top}"/>`)}</Array>`
  const ends = (['a', 'b'] as const).map((side) => {
    const text = endText(link, side)
    // The place along the line: from -1, its start, to 1.
    const place = side === 'a' ? -0.6 : 0.6
    return (
      text !== undefined &&
      html`<mxCell id="${id}:${side}" value="${attribute(text)}" style="edgeLabel;html=0;align=center;verticalAlign=middle;resizable=0;fontSize=10;fontFamily=Courier New;" vertex="1" connectable="0" parent="${id}"><mxGeometry x="${place}" relative="1" as="geometry"/></mxCell>`
    )
  })
  return html`<mxCell id="${id}" value="${link.count > 1 && link.count}" style="${style}" edge="1" parent="1" source="${link.a.key}" target="${link.b.key}"><mxGeometry relative="1" as="geometry">${points}</mxGeometry></mxCell>${ends}`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** The value of an attribute: XML readers would replace its line breaks by spaces. */
const attribute = (text: string): Html => trusted(String(html`${text}`).replaceAll(/\r?\n/g, '&#10;'))
