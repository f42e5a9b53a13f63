// Rows of a list can be dragged to another place; without this script its buttons move them.

const list = document.querySelector<HTMLElement>('.sortable')
if (list) prepareSorting(list)

/** Makes the rows of a list movable by dragging, and by their buttons. */
export function prepareSorting(list: HTMLElement): void {
  let dragged: Element | undefined
  for (const row of list.querySelectorAll<HTMLElement>(':scope > li')) {
    row.draggable = true
    row.addEventListener('dragstart', (event) => {
      dragged = row
      if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move'
    })
    row.addEventListener('dragover', (event) => {
      if (!dragged || dragged === row) return
      event.preventDefault()
      const { top, height } = row.getBoundingClientRect()
      const isBelow = event.clientY > top + height / 2
      list.insertBefore(dragged, isBelow ? row.nextSibling : row)
    })
    row.addEventListener('drop', (event) => event.preventDefault())
    row.addEventListener('dragend', () => {
      dragged = undefined
    })
  }
  list.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element
        ? event.target.closest<HTMLButtonElement>('button[name="up"], button[name="down"]')
        : null
    const row = button?.closest('li')
    if (!button || !row) return
    event.preventDefault()
    if (button.name === 'up') row.previousElementSibling?.before(row)
    else row.nextElementSibling?.after(row)
    button.focus()
  })
}
