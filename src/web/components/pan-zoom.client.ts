import { makeButton } from './button.client.ts'
import { translated } from './translated.client.ts'
import { type Box, moveBox, zoomBox } from './view-box.client.ts'

/** Pixels of a step with the keyboard, and the factor of a step of zooming. */
const STEP = 40
const ZOOM = 1.25
/** Pixels that a pointer must move to count as dragging instead of clicking. */
const SLACK = 4

/** A drawing of which a part is visible. */
interface PannedDrawing {
  /** The element that has the focus and gets the buttons. */
  readonly frame: HTMLElement
  readonly svg: SVGSVGElement
  /** The visible part now, in units of the drawing. */
  readonly box: () => Box
  readonly show: (box: Box) => void
  readonly whole: Box
  /** What a drag from this element moves instead of the visible part; the distance is in units of the drawing. */
  readonly grab?: (target: Element) => ((dx: number, dy: number) => void) | undefined
}

/**
 * Lets the visible part be changed with the mouse, by touch, with the keyboard, and with buttons, of which `more` are
 * added.
 */
export function preparePanAndZoom(drawing: PannedDrawing, more: readonly HTMLButtonElement[] = []): void {
  addTools(drawing, more)
  addKeys(drawing)
  addDrag(drawing)
  addWheel(drawing)
}

function addTools({ frame, box, show, whole }: PannedDrawing, more: readonly HTMLButtonElement[]): void {
  const tools = document.createElement('div')
  tools.className = 'map-tools'
  const labelledButton = (text: string, label: string, act: () => void): HTMLButtonElement => {
    const button = makeButton(text, act)
    button.setAttribute('aria-label', label)
    return button
  }
  tools.append(
    labelledButton('+', translated('Zoom in'), () => show(zoomBox(box(), 1 / ZOOM))),
    labelledButton('−', translated('Zoom out'), () => show(zoomBox(box(), ZOOM))),
    makeButton(translated('Fit'), () => show(whole)),
    ...more,
  )
  frame.append(tools)
}

export const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Units of the drawing for a pixel of the screen. */
function scaleOf({ svg, box }: PannedDrawing): number {
  const { width, height } = svg.getBoundingClientRect()
  const part = box()
  return Math.max(part.width / width, part.height / height)
}

function addKeys(drawing: PannedDrawing): void {
  const { frame, box, show } = drawing
  frame.addEventListener('keydown', (event) => {
    const arrow = ARROWS[event.key]
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const step = STEP * scaleOf(drawing)
    if (arrow) show(moveBox(box(), arrow[0] * step, arrow[1] * step))
    else if (event.key === '+' || event.key === '=') show(zoomBox(box(), 1 / ZOOM))
    else if (event.key === '-') show(zoomBox(box(), ZOOM))
    else return
    event.preventDefault()
  })
}

function addDrag(drawing: PannedDrawing): void {
  const { frame, svg, box, show, grab } = drawing
  const pointers = new Map<number, PointerEvent>()
  let move: ((dx: number, dy: number) => void) | undefined
  let start: readonly [number, number] = [0, 0]
  let hasMoved = false
  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    pointers.set(event.pointerId, event)
    start = [event.clientX, event.clientY]
    hasMoved = false
    move = event.target instanceof Element ? grab?.(event.target) : undefined
  })
  svg.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId)
    if (!before) return
    const distance = Math.hypot(event.clientX - start[0], event.clientY - start[1])
    if (!hasMoved && distance < SLACK) return
    if (!hasMoved) svg.setPointerCapture(event.pointerId)
    hasMoved = true
    frame.classList.add('moving')
    pointers.set(event.pointerId, event)
    const scale = scaleOf(drawing)
    const [dx, dy] = [(event.clientX - before.clientX) * scale, (event.clientY - before.clientY) * scale]
    const second = [...pointers.values()].find((pointer) => pointer.pointerId !== event.pointerId)
    if (second) show(zoomBox(box(), gap(before, second) / Math.max(gap(event, second), 1)))
    else if (move) move(dx, dy)
    else show(moveBox(box(), -dx, -dy))
  })
  const end = (event: PointerEvent): void => {
    pointers.delete(event.pointerId)
    frame.classList.remove('moving')
  }
  svg.addEventListener('pointerup', end)
  svg.addEventListener('pointercancel', end)
  // The click at the end of a drag must not follow the link, and the browser's own dragging of links would interrupt
  // it.
  svg.addEventListener('click', (event) => hasMoved && event.preventDefault(), true)
  svg.addEventListener('dragstart', (event) => event.preventDefault())
}

const gap = (first: PointerEvent, second: PointerEvent): number =>
  Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY)

function addWheel({ frame, svg, box, show }: PannedDrawing): void {
  frame.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const { left, top, width, height } = svg.getBoundingClientRect()
      const at = [(event.clientX - left) / width, (event.clientY - top) / height] as const
      show(zoomBox(box(), event.deltaY > 0 ? ZOOM : 1 / ZOOM, at))
    },
    { passive: false },
  )
}
