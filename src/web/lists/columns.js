// Rows of a list can be dragged to another place; without this script its buttons move them.
const list = document.querySelector('.sortable')
let dragged

for (const row of list.children) {
  row.draggable = true
  row.addEventListener('dragstart', (event) => {
    dragged = row
    event.dataTransfer.effectAllowed = 'move'
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
  const button = event.target.closest('button[name="up"], button[name="down"]')
  if (!button) return
  event.preventDefault()
  const row = button.closest('li')
  const other = button.name === 'up' ? row.previousElementSibling : row.nextElementSibling
  if (!other) return
  list.insertBefore(row, button.name === 'up' ? other : other.nextSibling)
  button.focus()
})
