/** Labels on paper: one on each page of a roll, several on each sheet. */
import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import type { Design, Shape } from './layout.ts'

/** A sheet in millimetres; the labels of a roll are its pages. */
export interface Sheet {
  readonly width: number
  readonly height: number
  readonly top: number
  readonly left: number
  readonly gapX: number
  readonly gapY: number
}

const POINTS = 72 / 25.4

/** Positions of the labels of a sheet, row by row; at least one. */
export function placesOn({ width, height, top, left, gapX, gapY }: Sheet, label: Design): readonly [number, number][] {
  const fitting = (space: number, size: number, gap: number) =>
    Math.max(1, Math.floor((space + gap + 0.01) / (size + gap)))
  const columns = fitting(width - 2 * left, label.width, gapX)
  const rows = fitting(height - 2 * top, label.height, gapY)
  return Array.from({ length: columns * rows }, (_, index): [number, number] => [
    left + (index % columns) * (label.width + gapX),
    top + Math.floor(index / columns) * (label.height + gapY),
  ])
}

/**
 * The PDF in chunks, drawn while they are read. `skipped`: number of places at the beginning of the first sheet that
 * are used already.
 */
export function pdfOf(
  design: Design,
  sheet: Sheet | undefined,
  labels: readonly (readonly Shape[])[],
  skipped: number,
): AsyncIterable<Uint8Array> {
  const page = sheet ?? design
  const size: [number, number] = [page.width * POINTS, page.height * POINTS]
  const document = new PDFDocument({ autoFirstPage: false, margin: 0, size, info: { Title: 'Labels' } })
  const places = sheet ? placesOn(sheet, design) : [[0, 0] as const]
  const first = sheet ? skipped % places.length : 0
  const draw = async (): Promise<void> => {
    if (labels.length === 0) document.addPage()
    for (const [index, shapes] of labels.entries()) {
      const place = (first + index) % places.length
      if (index === 0 || place === 0) document.addPage()
      drawAt(document, places[place] ?? [0, 0], shapes)
      // Others are served in between.
      if (index % AT_ONCE === 0) await setImmediate()
    }
    document.end()
  }
  draw().catch((error: unknown) => document.emit('error', error))
  return document as AsyncIterable<Uint8Array> // a stream of bytes, whose types name no content
}

/** Labels that are drawn in one turn of the event loop. */
export const AT_ONCE = 10

function drawAt(document: PDFKit.PDFDocument, [x, y]: readonly [number, number], shapes: readonly Shape[]): void {
  document
    .save()
    .translate(x * POINTS, y * POINTS)
    .scale(POINTS)
  for (const { path, stroke } of shapes) {
    document.path(path)
    if (stroke === undefined) document.fill('#000')
    else document.lineWidth(stroke).fillAndStroke('#000', '#000')
  }
  document.restore()
}
