/** The drawing of a label, in millimetres. The preview and the PDF show the same one. */

// Its named export `raw` is another function.
import codes from 'bwip-js/node'
import { invalid } from 'cadastre'
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

/** Black shapes. */
export interface Shape {
  /** As path data of SVG. */
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
const SYMBOLS = { qr: 'qrcode', datamatrix: 'datamatrix', code128: 'code128' } as const

/** The shapes of a label. Throws `invalid` if a code cannot contain its text. */
export function drawLabel(design: Design, { lines, code }: LabelContent): readonly Shape[] {
  const { width, height, margin } = design
  const inner = {
    x: margin,
    y: margin,
    width: Math.max(1, width - 2 * margin),
    height: Math.max(1, height - 2 * margin),
  }
  if (design.code === 'none' || code === '') return drawText(design, lines, inner)
  const [codeBox, textBox] = divide(design, inner, lines.length > 0)
  return [drawCode(design.code, code, codeBox), ...drawText(design, lines, textBox)]
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
function drawCode(kind: keyof typeof SYMBOLS, text: string, box: Box): Shape {
  const rows = modulesOf(kind, text)
  const [columns, quiet] = [rows[0]?.length ?? 0, QUIET[kind]]
  const isBar = rows.length === 1
  const module = isBar
    ? box.width / (columns + 2 * quiet)
    : Math.min(box.width / (columns + 2 * quiet), box.height / (rows.length + 2 * quiet))
  const left = box.x + (box.width - columns * module) / 2
  const tall = isBar ? box.height : module
  const top = isBar ? box.y : box.y + (box.height - rows.length * module) / 2
  let path = ''
  for (const [row, dark] of rows.entries()) {
    for (let from = 0; from < columns; from += 1) {
      if (!dark[from]) continue
      let to = from
      while (dark[to]) to += 1
      const [x, y] = [left + from * module, top + row * tall]
      path += `M${short(x)} ${short(y)}L${short(left + to * module)} ${short(y)}L${short(left + to * module)} ${short(y + tall)}L${short(x)} ${short(y + tall)}Z`
      from = to
    }
  }
  return { path }
}

/** Rows of modules, dark or not. */
function modulesOf(kind: keyof typeof SYMBOLS, text: string): readonly (readonly boolean[])[] {
  try {
    if (kind === 'code128' && !/^[ -~]+$/.test(text)) throw new Error('Code 128 has no such character')
    const [symbol] = codes.raw(SYMBOLS[kind], text, kind === 'qr' ? 'eclevel=M' : '')
    if (symbol && 'sbs' in symbol) {
      // Widths of bars and spaces in turns.
      return [symbol.sbs.flatMap((width, index) => Array.from({ length: width }, () => index % 2 === 0))]
    }
    if (!symbol) throw new Error('no symbol')
    const { pixs, pixx } = symbol
    return Array.from({ length: pixs.length / pixx }, (_, row) =>
      pixs.slice(row * pixx, (row + 1) * pixx).map((pixel) => pixel === 1),
    )
  } catch {
    throw invalid({ code_content: [`The code cannot contain this text: ${text.slice(0, 100)}`] })
  }
}

/** The lines in the middle of the box. Lines that are too long get smaller, and are cut if that is not enough. */
function drawText({ fontSize, isBold, align }: Design, lines: readonly string[], box: Box): readonly Shape[] {
  const shown = lines.slice(0, 50)
  if (shown.length === 0 || box.width < 1 || box.height < 1) return []
  const wanted = fontSize * MILLIMETRES_PER_POINT
  const size = Math.min(wanted, box.height / (shown.length * LINE))
  const top = box.y + Math.max(0, (box.height - shown.length * size * LINE) / 2)
  return shown.flatMap((line, index) => {
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
  const characters = [...text]
  while (characters.length > 0 && widthOf(`${characters.join('')}…`) > width) characters.pop()
  return characters.length === 0 ? '' : `${characters.join('')}…`
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
