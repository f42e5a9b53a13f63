import { cableType } from '../../../models/dcim/cable.ts'
import { linkStatus } from '../../../models/dcim/choices.ts'
import type { ChoiceSet } from '../../../schema/choices.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts'
import { shortenedName } from '../../../schema/shortened.ts'
import { xmlText } from '../xml-text.ts'
import type { Segment } from './follow-path.ts'

const [LEAST_WIDTH, MOST_WIDTH] = [200, 4000]
const MARGIN = 12
const BOX_HEIGHT = 34
const LINK_HEIGHT = 96
const HOLDER_HEIGHT = 30
/** Approximate width of a character of a box's text. */
const CHARACTER = 7.6
/** Height of the part of a link in which the ends of several objects meet. */
const FAN = 26

/** Light by default, dark if the reader's system is dark. `edge` makes cables of any colour visible. */
const STYLE = `
:root{color-scheme:light dark}text{font:13px system-ui,sans-serif;fill:#1d2b36}.name{font-weight:600}.about{font-size:11px;fill:#5c6b7a}
rect{stroke:#24425c}.holder{fill:#24425c}.object{fill:#eef3f7}.holder+text{fill:#fff;font-weight:600}
.plain{stroke:#5c6b7a}.edge{stroke:#24425c}
@media (prefers-color-scheme:dark){text{fill:#dbe3ea}.about{fill:#a9b6c1}rect{stroke:#5d7890}.holder{fill:#2c4d69}.object{fill:#26313b}.plain{stroke:#93a3b1}.edge{stroke:#b9c6d2}}
`.replaceAll('\n', '')

/**
 * A trace as an SVG document of that width in pixels: its nodes from top to bottom, each step in the box of its device
 * or circuit, links between them in the cable's colour, dashed if not connected. `texts` are the objects in JSON, as in
 * the trace; `addressOf` is the address of an object's page.
 */
export function drawTrace(
  segments: readonly Segment[],
  texts: ReadonlyMap<string, string>,
  width: number,
  addressOf: (object: JsonObject) => string | undefined = () => undefined,
): string {
  const drawing = new Drawing(Math.min(Math.max(width, LEAST_WIDTH), MOST_WIDTH), texts, addressOf)
  let earlier: string | undefined
  for (const [near, link, far] of segments) {
    // The far ends of one segment and the near ends of the next belong to the same device.
    drawing.step(near, earlier)
    if (link.length > 0) drawing.links(link, near.length, far.length)
    else if (far.length > 0) drawing.attachment()
    earlier = drawing.step(far, undefined)
  }
  return drawing.close()
}

class Drawing {
  readonly #width: number
  readonly #texts: ReadonlyMap<string, string>
  readonly #addressOf: (object: JsonObject) => string | undefined
  readonly #shapes: string[] = []
  #y = MARGIN

  constructor(
    width: number,
    texts: ReadonlyMap<string, string>,
    addressOf: (object: JsonObject) => string | undefined,
  ) {
    this.#width = width
    this.#texts = texts
    this.#addressOf = addressOf
  }

  /** Boxes of the nodes side by side; labelled with their device unless that is `enclosing`. */
  step(nodes: readonly string[], enclosing: string | undefined): string | undefined {
    const objects = nodes.map((node) => this.#object(node)).filter((object) => object !== undefined)
    const [first] = objects
    if (!first) return undefined
    const holder = holderOf(first)
    if (holder !== undefined && holder.display !== enclosing) {
      const box = { x: MARGIN, width: this.#inner, height: HOLDER_HEIGHT }
      this.#linked(holder, () => this.#box('holder', box, textOf(holder.display)))
      this.#y += HOLDER_HEIGHT
    }
    const width = this.#inner / objects.length
    for (const [index, object] of objects.entries()) {
      const x = MARGIN + width * index
      const box = { x, width, height: BOX_HEIGHT }
      this.#linked(object, () => this.#box('object', box, nameWithin(object, holder)))
    }
    this.#y += BOX_HEIGHT
    return holder && textOf(holder.display)
  }

  /**
   * The links between the given numbers of nodes above and below. If the numbers differ, the ends meet in the middle.
   */
  links(nodes: readonly string[], above: number, below: number): void {
    const most = Math.max(above, below)
    const isStraight = nodes.length === most || (above <= 1 && below <= 1)
    if (!isStraight) {
      this.#fan(above, this.#y, this.#y + FAN)
      this.#fan(below, this.#y + LINK_HEIGHT, this.#y + LINK_HEIGHT - FAN)
    }
    const inset = isStraight ? 0 : FAN
    for (const [index, node] of nodes.entries()) {
      const link = this.#object(node) ?? {}
      this.#linked(link, () => this.#drawLink(link, this.#middle(index, nodes.length), inset))
    }
    this.#y += LINK_HEIGHT
  }

  /** Lines from the middle of each box to the middle of the drawing. */
  #fan(count: number, from: number, to: number): void {
    if (count < 2) {
      this.#shapes.push(
        `<line x1="${this.#width / 2}" y1="${from}" x2="${this.#width / 2}" y2="${to}" class="plain" stroke-width="3"/>`,
      )
      return
    }
    for (let index = 0; index < count; index += 1) {
      this.#shapes.push(
        `<line x1="${this.#middle(index, count)}" y1="${from}" x2="${this.#width / 2}" y2="${to}" class="plain" stroke-width="3"/>`,
      )
    }
  }

  /** Middle of one of several boxes side by side. */
  #middle(index: number, count: number): number {
    return MARGIN + (this.#inner / count) * (index + 0.5)
  }

  #drawLink(link: JsonObject, x: number, inset: number): void {
    const colour = textOf(link.color)
    const dashes = link.status === 'connected' ? '' : ' stroke-dasharray="7 5"'
    const number = link.id === undefined ? '' : `#${textOf(link.id)}`
    const label = textOf(link.label) || textOf(link.ssid) || number
    const length = link.length ?? link.distance ?? null
    const unit = textOf(link.length_unit ?? link.distance_unit ?? '')
    const about = [
      [labelIn(cableType, link.type), labelIn(linkStatus, link.status)].filter(Boolean).join(', '),
      length === null ? '' : `${length} ${unit}`,
    ].filter(Boolean)
    this.#line(x, inset, 'class="edge"', 7, dashes)
    const paint = /^[0-9a-f]{6}$/i.test(colour) ? `stroke="#${colour}"` : 'class="plain"'
    this.#line(x, inset, paint, 5, dashes)
    this.#text(x + 14, this.#y + LINK_HEIGHT / 2 - 4, label, 'class="name"')
    for (const [index, line] of about.entries()) {
      this.#text(x + 14, this.#y + LINK_HEIGHT / 2 + 13 + index * 14, line, 'class="about"')
    }
  }

  attachment(): void {
    this.#line(this.#width / 2, 0, 'class="plain"', 2, ' stroke-dasharray="2 4"')
    this.#y += LINK_HEIGHT
  }

  close(): string {
    const height = this.#y + MARGIN
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.#width}" height="${height}" viewBox="0 0 ${this.#width} ${height}"><style>${STYLE}</style>${this.#shapes.join('')}</svg>`
  }

  /** Draws within a link to the object's page, if it has one. */
  #linked(object: JsonObject, draw: () => void): void {
    const address = this.#addressOf(object)
    if (address !== undefined) this.#shapes.push(`<a href="${xmlText(address)}" target="_top">`)
    draw()
    if (address !== undefined) this.#shapes.push('</a>')
  }

  get #inner(): number {
    return this.#width - 2 * MARGIN
  }

  #object(node: string): JsonObject | undefined {
    const object: unknown = JSON.parse(this.#texts.get(node) ?? 'null')
    return isJsonObject(object) ? object : undefined
  }

  #box(
    kind: 'holder' | 'object',
    box: { readonly x: number; readonly width: number; readonly height: number },
    text: string,
  ): void {
    this.#shapes.push(
      `<rect class="${kind}" x="${box.x}" y="${this.#y}" width="${box.width}" height="${box.height}" rx="3"/>`,
    )
    const label = shortenedName(text, Math.floor((box.width - 8) / CHARACTER))
    if (label !== text) this.#shapes.push(`<title>${xmlText(text)}</title>`)
    this.#text(box.x + box.width / 2, this.#y + box.height / 2 + 5, label, 'text-anchor="middle"')
  }

  /** A vertical line, shorter by `inset` at both ends. `paint` is the attribute that gives it its colour. */
  #line(x: number, inset: number, paint: string, thickness: number, dashes: string): void {
    this.#shapes.push(
      `<line x1="${x}" y1="${this.#y + inset}" x2="${x}" y2="${this.#y + LINK_HEIGHT - inset}" ${paint} stroke-width="${thickness}"${dashes}/>`,
    )
  }

  #text(x: number, y: number, text: string, more: string): void {
    this.#shapes.push(`<text x="${x}" y="${y}" ${more}>${xmlText(text)}</text>`)
  }
}

/** The device, circuit or panel to which the object belongs. */
function holderOf(object: JsonObject): JsonObject | undefined {
  const holder = object.device ?? object.circuit ?? object.power_panel
  return isJsonObject(holder) ? holder : undefined
}

/** The name of a part in the box of its holder, which it need not repeat: `Termination A` of a circuit. */
function nameWithin({ display }: JsonObject, holder: JsonObject | undefined): string {
  const prefix = `${textOf(holder?.display)}: `
  const name = textOf(display)
  return holder !== undefined && name.startsWith(prefix) ? name.slice(prefix.length) : name
}

const textOf = (value: Json | undefined): string => (value === undefined || value === null ? '' : String(value))

/** Label of a choice; links have either the bare value or value and label. */
function labelIn({ labels }: ChoiceSet, choice: Json | undefined): string {
  const value = textOf(isJsonObject(choice) ? choice.value : choice)
  return labels.get(value) ?? value
}
