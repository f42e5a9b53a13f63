/** Labels on paper: one on each page of a roll, several on each sheet. */
import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { type Design, drawLabel, type LabelContent, type Modules, type Shape } from './layout.ts'

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

/** A label whose code is made already. */
export interface EncodedLabel {
  readonly content: LabelContent
  readonly modules: Modules | undefined
}

/**
 * The PDF in chunks, drawn while they are read. `skipped`: number of places at the beginning of the first sheet that
 * are used already.
 */
export async function* pdfOf(
  design: Design,
  sheet: Sheet | undefined,
  labels: readonly EncodedLabel[],
  { copies, skipped }: { readonly copies: number; readonly skipped: number },
): AsyncGenerator<Uint8Array> {
  const page = sheet ?? design
  const size: [number, number] = [page.width * POINTS, page.height * POINTS]
  const document = new PDFDocument({ autoFirstPage: false, margin: 0, size, info: { Title: 'Labels' } })
  const places = sheet ? placesOn(sheet, design) : [[0, 0] as const]
  const pause = pauses()
  let place = sheet ? skipped % places.length : 0
  document.addPage()
  for (const { content, modules } of labels) {
    const operators = operatorsOf(drawLabel(design, content, modules))
    for (let copy = 0; copy < copies; copy += 1) {
      if (place === places.length) {
        document.addPage()
        place = 0
      }
      const [x, y] = places[place] ?? [0, 0]
      document
        .save()
        .translate(x * POINTS, y * POINTS)
        .scale(POINTS)
        .addContent(operators)
        .restore()
      place += 1
      const chunk: Uint8Array | null = document.read()
      if (chunk) yield chunk
      await pause()
    }
  }
  document.end()
  yield* document as AsyncIterable<Uint8Array> // a stream of bytes, whose types name no content
}

/** Milliseconds of work in one turn of the event loop. */
const TURN = 20

/** A function that lets other requests be served if the work since its last call has taken long. */
export function pauses(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < TURN) return
    await setImmediate()
    began = performance.now()
  }
}

const OPERATORS = { M: 'm', L: 'l', C: 'c', Z: 'h' }

/** Shapes in the operators of PDF, as one text: the library keeps a buffer for each command of a path. */
const operatorsOf = (shapes: readonly Shape[]): string =>
  shapes
    .map(({ path, stroke }) => {
      const commands = path.replaceAll(
        /([MLCZ])([^MLCZ]*)/g,
        (_, letter: keyof typeof OPERATORS, numbers: string) => `${numbers} ${OPERATORS[letter]}\n`,
      )
      return `${commands}${stroke === undefined ? 'f' : `${stroke} w B`}`
    })
    .join('\n')
