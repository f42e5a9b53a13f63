import { translated } from '../components/translated.client.ts'

/** Moves widgets of the start page by dragging their headings, and resizes them at their corner. The order is sent as the form of the page would send it. */

const grid = document.querySelector<HTMLElement>('.dashboard.arranging')
const form = document.querySelector<HTMLFormElement>('#order')
const status = document.querySelector<HTMLElement>('#dashboard-status')

if (grid && form) {
  for (const heading of grid.querySelectorAll<HTMLElement>('.widget > h2')) heading.draggable = true
  listen(grid, form)
  for (const widget of grid.querySelectorAll<HTMLElement>('.widget')) addCorner(grid, widget, form)
}

function listen(area: HTMLElement, orderForm: HTMLFormElement): void {
  let dragged: HTMLElement | undefined
  let mark: HTMLElement | undefined
  const markBefore = (widget: HTMLElement | undefined): void => {
    mark?.classList.remove('drop-before')
    mark = widget
    mark?.classList.add('drop-before')
  }
  area.addEventListener('dragstart', (event) => {
    dragged = widgetAt(event)
    dragged?.classList.add('dragged')
    if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move'
  })
  area.addEventListener('dragover', (event) => {
    const over = widgetAt(event)
    if (!dragged || !over) return
    event.preventDefault()
    markBefore(over === dragged ? undefined : over)
  })
  area.addEventListener('dragend', () => {
    dragged?.classList.remove('dragged')
    dragged = undefined
    markBefore(undefined)
  })
  area.addEventListener('drop', (event) => {
    const over = widgetAt(event)
    if (!dragged || !over || over === dragged) return
    event.preventDefault()
    const isBehind = isBefore(dragged, over)
    if (isBehind) over.after(dragged)
    else over.before(dragged)
    void save(area, orderForm)
  })
}

const COLUMNS = 12
const NARROWEST = 3

/** Dragging a corner sets the width of the widget. Buttons do the same for the keyboard. */
function addCorner(area: HTMLElement, widget: HTMLElement, orderForm: HTMLFormElement): void {
  const corner = document.createElement('span')
  corner.className = 'corner'
  widget.append(corner)
  let width = 0
  corner.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    corner.setPointerCapture(event.pointerId)
  })
  corner.addEventListener('pointermove', (event) => {
    if (!corner.hasPointerCapture(event.pointerId)) return
    const column = area.clientWidth / COLUMNS
    const columns = Math.round((event.clientX - widget.getBoundingClientRect().left) / column)
    width = Math.min(Math.max(columns, NARROWEST), COLUMNS)
    widget.className = widget.className.replace(/span-\d+/, `span-${width}`)
  })
  corner.addEventListener('pointerup', () => {
    if (width > 0) void send(orderForm, { change: 'width', widget: widget.dataset.widget ?? '', width: String(width) })
  })
}

const widgetAt = ({ target }: Event): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>('.widget')) || undefined

const isBefore = (left: Node, right: Node): boolean =>
  (left.compareDocumentPosition(right) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

async function save(area: HTMLElement, orderForm: HTMLFormElement): Promise<void> {
  const ids = [...area.querySelectorAll<HTMLElement>('.widget')].map(({ dataset }) => dataset.widget ?? '')
  await send(orderForm, { order: ids.join(',') })
}

/** Sends a change as the form of the page would. */
async function send(orderForm: HTMLFormElement, values: Readonly<Record<string, string>>): Promise<void> {
  const body = new FormData(orderForm)
  for (const [name, value] of Object.entries(values)) body.set(name, value)
  const response = await fetch(location.pathname, { method: 'POST', body })
  if (!response.ok) location.reload()
  else if (status) status.textContent = translated('Saved.')
}
