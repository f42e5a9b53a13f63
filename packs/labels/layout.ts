/** The drawing of a label, in millimetres. The preview and the PDF show the same one. */

// Its named export `raw` is another function.
import codes from 'bwip-js/node'
import { firstCharacters, invalid } from 'cadastre'
import { ASCENT, LINE, outlineOf, widthOf } from './glyphs.ts'

/** The look of labels, in millimetres. */
export interface Design {
  readonly width: number
  readonly height: number
  readonly margin: number
  /** Height of the em in points. */
  readonly fontSize: number
  readonly isBold: boolean
  readonly align: 'left' | 'center'
  readonly code: 'qr' | 'datamatrix' | 'code128' | 'none'
  readonly codePosition: 'left' | 'right' | 'top' | 'bottom'
  readonly codeSize: number | undefined
}

/** What one label says. */
export interface LabelContent {
  readonly lines: readonly string[]
  readonly code: string
}

/** The dark and light modules of a code, row by row; the bars of one row are as tall as the code. */
export interface Modules {
  readonly columns: number
  readonly dark: Uint8Array
}

/** Black shapes. */
export interface Shape {
  /** As path data of SVG, with the commands M, L, C and Z. */
  readonly path: string
  /** Width of a line around it, for bold text. */
  readonly stroke?: number
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const MILLIMETRES_PER_POINT = 25.4 / 72
/** Between code and text. */
const GAP = 1.5
/** Part of its size to which a long text shrinks before it is cut. */
const SMALLEST = 0.5
/** Line around bold glyphs, in units of the em. */
const BOLD = 0.04
/** Empty modules around a code, which readers need. */
const QUIET = { qr: 4, datamatrix: 1, code128: 10 } as const
/** Characters of a code, at most; the largest QR code has fewer digits. */
const MOST_IN_CODE = 6_000
const SYMBOLS = { qr: 'qrcode', datamatrix: 'datamatrix', code128: 'code128' } as const

/** The shapes of a label. Throws what `modulesOf` throws. */
export function drawLabel(
  design: Design,
  content: LabelContent,
  modules: Modules | undefined = modulesOf(design, content),
): readonly Shape[] {
  const { width, height, margin } = design
  const { lines } = content
  const inner = {
    x: margin,
    y: margin,
    width: Math.max(1, width - 2 * margin),
    height: Math.max(1, height - 2 * margin),
  }
  if (design.code === 'none' || !modules) return drawText(design, lines, inner)
  const [codeBox, textBox] = divide(design, inner, lines.length > 0)
  return [drawCode(design.code, modules, codeBox), ...drawText(design, lines, textBox)]
}

/** The places of code and text. */
function divide({ code, codePosition, codeSize }: Design, inner: Box, hasText: boolean): readonly [Box, Box] {
  const { x, y, width, height } = inner
  const isBeside = codePosition === 'left' || codePosition === 'right'
  const isBar = code === 'code128'
  const whole = hasText ? (isBeside ? width : height) * (isBar ? 0.5 : 0.6) : isBeside ? width : height
  const usual = isBar ? whole : Math.min(width, height, hasText ? Number.POSITIVE_INFINITY : Math.max(width, height))
  const across =
    isBar && isBeside
      ? Math.min(width, codeSize ?? whole)
      : Math.min(codeSize ?? Math.min(usual, isBeside ? usual : whole), isBeside ? width : height)
  const rest = Math.max(0, (isBeside ? width : height) - across - GAP)
  const isFirst = codePosition === 'left' || codePosition === 'top'
  if (isBeside) {
    const tall = isBar ? height : Math.min(height, across)
    return [
      { x: isFirst ? x : x + width - across, y: y + (height - tall) / 2, width: across, height: tall },
      { x: isFirst ? x + across + GAP : x, y, width: rest, height },
    ]
  }
  return [
    { x, y: isFirst ? y : y + height - across, width, height: across },
    { x, y: isFirst ? y + across + GAP : y, width, height: rest },
  ]
}

/** The modules of a code in the middle of the box, as rectangles. */
function drawCode(kind: keyof typeof SYMBOLS, { columns, dark }: Modules, box: Box): Shape {
  const [rows, quiet] = [dark.length / columns, QUIET[kind]]
  const isBar = rows === 1
  const module = isBar
    ? box.width / (columns + 2 * quiet)
    : Math.min(box.width / (columns + 2 * quiet), box.height / (rows + 2 * quiet))
  const left = box.x + (box.width - columns * module) / 2
  const tall = isBar ? box.height : module
  const top = isBar ? box.y : box.y + (box.height - rows * module) / 2
  const parts: string[] = []
  for (let row = 0; row < rows; row += 1) {
    const [y, below] = [short(top + row * tall), short(top + (row + 1) * tall)]
    for (let from = 0; from < columns; from += 1) {
      let to = from
      while (to < columns && dark[row * columns + to]) to += 1
      if (to === from) continue
      const [x, right] = [short(left + from * module), short(left + to * module)]
      parts.push(`M${x} ${y}L${right} ${y}L${right} ${below}L${x} ${below}Z`)
      from = to
    }
  }
  return { path: parts.join('') }
}

/** The code of a label, if it has one: the slow part of its drawing. Throws `invalid` if it cannot contain the text. */
export function modulesOf({ code: kind }: Design, { code: text }: LabelContent): Modules | undefined {
  if (kind === 'none' || text === '') return undefined
  try {
    if (text.length > MOST_IN_CODE) throw new Error('The text is too long')
    if (kind === 'code128' && !/^[ -~]+$/.test(text)) throw new Error('Code 128 has no such character')
    const [symbol] = codes.raw(SYMBOLS[kind], text, kind === 'qr' ? 'eclevel=M' : '')
    if (!symbol) throw new Error('no symbol')
    if ('pixs' in symbol) return { columns: symbol.pixx, dark: Uint8Array.from(symbol.pixs) }
    // Widths of bars and spaces in turns.
    const bars = symbol.sbs.flatMap((width, index) => Array.from({ length: width }, () => Number(index % 2 === 0)))
    return { columns: bars.length, dark: Uint8Array.from(bars) }
  } catch {
    throw invalid({ code_content: [`The code cannot contain this text: ${firstCharacters(text, 100)}`] })
  }
}

/** The lines in the middle of the box. Lines that are too long get smaller, and are cut if that is not enough. */
function drawText({ fontSize, isBold, align }: Design, lines: readonly string[], box: Box): readonly Shape[] {
  if (lines.length === 0 || box.width < 1 || box.height < 1) return []
  const wanted = fontSize * MILLIMETRES_PER_POINT
  const size = Math.min(wanted, box.height / (lines.length * LINE))
  const top = box.y + Math.max(0, (box.height - lines.length * size * LINE) / 2)
  return lines.flatMap((line, index) => {
    const isBoldLine = isBold && index === 0
    const extra = isBoldLine ? BOLD : 0
    const fitting = Math.max(Math.min(size, box.width / (widthOf(line) + extra)), size * SMALLEST)
    const text = cut(line, box.width / fitting - extra)
    const x = align === 'center' ? box.x + Math.max(0, (box.width - widthOf(text) * fitting) / 2) : box.x
    const path = outlineOf(text, x, top + index * size * LINE + size * ASCENT, fitting)
    return path === '' ? [] : [{ path, ...(isBoldLine && { stroke: fitting * BOLD }) }]
  })
}

/** The text, or its beginning with an ellipsis; `width` is in units of the em. */
function cut(text: string, width: number): string {
  if (widthOf(text) <= width + 1e-6) return text
  let room = width - widthOf('…')
  let beginning = ''
  for (const character of text.normalize('NFC')) {
    room -= widthOf(character)
    if (room < 0) break
    beginning += character
  }
  return beginning === '' ? '' : `${beginning}…`
}

const short = (value: number): string => String(Math.round(value * 1000) / 1000)

/** The drawing as SVG of exact size. */
export const svgOf = ({ width, height }: Design, shapes: readonly Shape[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="#fff"/>${shapes
    .map(
      ({ path, stroke }) =>
        `<path d="${path}"${stroke === undefined ? '' : ` stroke="#000" stroke-width="${short(stroke)}"`}/>`,
    )
    .join('')}</svg>`
