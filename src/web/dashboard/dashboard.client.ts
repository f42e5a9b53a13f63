import { translated } from '../components/translated.client.ts'

/** Moves widgets of the start page by dragging their headings. The order is sent as the form of the page would send it. */

const grid = document.querySelector<HTMLElement>('.dashboard.arranging')
const form = document.querySelector<HTMLFormElement>('#order')
const status = document.querySelector<HTMLElement>('#dashboard-status')

if (grid && form) {
  for (const heading of grid.querySelectorAll<HTMLElement>('.widget > h2')) heading.draggable = true
  listen(grid, form)
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

const widgetAt = ({ target }: Event): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>('.widget')) || undefined

const isBefore = (one: Node, other: Node): boolean =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

async function save(area: HTMLElement, orderForm: HTMLFormElement): Promise<void> {
  const ids = [...area.querySelectorAll<HTMLElement>('.widget')].map(({ dataset }) => dataset.widget ?? '')
  const body = new FormData(orderForm)
  body.set('order', ids.join(','))
  const response = await fetch(location.pathname, { method: 'POST', body })
  if (!response.ok) location.reload()
  else if (status) status.textContent = translated('Saved.')
}
