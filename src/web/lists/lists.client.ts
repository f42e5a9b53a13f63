import '../components/dropdowns.client.ts'
import { prepareObjects } from '../components/object-picker.client.ts'
import { translated } from '../components/translated.client.ts'

// Lists of objects work without this script. It adds the search for related objects, a check box for all rows of the
// page, the number of selected rows, and the position in the table on the way back.

prepareObjects(document)
for (const head of document.querySelectorAll<HTMLElement>('[data-select-all]')) prepareSelection(head)
for (const select of document.querySelectorAll<HTMLSelectElement>('.list-filters select[name="limit"]'))
  select.addEventListener('change', () => select.form?.requestSubmit())

for (const table of document.querySelectorAll('.in-list')) keepPosition(table)

/** A check box in the head selects all rows; Shift and a click select a range. */
function prepareSelection(head: HTMLElement): void {
  const boxes = [...(head.closest('table')?.querySelectorAll<HTMLInputElement>('tbody input[type="checkbox"]') ?? [])]
  const form = document.querySelector<HTMLFormElement>(`form#${head.dataset.selectAll}`)
  const scope = form?.querySelector<HTMLSelectElement>('select[name="scope"]')
  const all = document.createElement('input')
  all.type = 'checkbox'
  all.setAttribute('aria-label', translated('Select all on this page'))
  head.replaceChildren(all)
  let last: number | undefined
  const show = (): void => {
    const count = boxes.filter((box) => box.checked).length
    all.checked = count > 0 && count === boxes.length
    all.indeterminate = count > 0 && count < boxes.length
    const checked = scope?.options[0]
    if (checked)
      checked.textContent =
        count === 0 ? translated('Checked below') : translated('{number} checked', { number: count })
    const isEmpty = count === 0 && scope?.value === ''
    for (const button of form?.querySelectorAll('button') ?? []) button.disabled = isEmpty
  }
  scope?.addEventListener('change', show)
  // A page from the browser's history keeps the state of its check boxes.
  window.addEventListener('pageshow', show)
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
    show()
  })
  for (const [index, box] of boxes.entries()) {
    box.addEventListener('click', (event) => {
      if (event.shiftKey && last !== undefined) {
        const range = boxes.slice(Math.min(index, last), Math.max(index, last) + 1)
        for (const inRange of range) inRange.checked = box.checked
      }
      last = index
      show()
    })
  }
  show()
}

/** Browsers go back to where the page was scrolled, but not to where the table within it was. */
function keepPosition(table: Element): void {
  const { tableTop = 0, tableLeft = 0 } = history.state ?? {}
  table.scrollTo({ top: tableTop, left: tableLeft, behavior: 'instant' })
  let timer: number | undefined
  const store = (): void => {
    clearTimeout(timer)
    const { scrollTop: tableTop, scrollLeft: tableLeft } = table
    history.replaceState({ ...history.state, tableTop, tableLeft }, '')
  }
  // Browsers limit how often a page may store its state.
  table.addEventListener('scroll', () => {
    clearTimeout(timer)
    timer = setTimeout(store, 200)
  })
  // A link may be followed before that time has passed.
  table.addEventListener('click', store)
}
