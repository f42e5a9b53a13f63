import { translated } from '../components/translated.client.ts'

// Folds and unfolds the levels of a table of prefixes, which is unfolded without this script.

/** A row of the table, and the rows below it. */
interface Row {
  readonly element: HTMLElement
  readonly depth: number
}

/** Number of rows from which a table is folded at first, because more would be hard to read. */
const MOST_UNFOLDED = 60

function prepareTable(table: HTMLElement): void {
  const rows = [...table.querySelectorAll<HTMLElement>('tr[data-depth]')].map(
    (element): Row => ({ element, depth: Number(element.dataset.depth) }),
  )
  const folded = new Set<Row>()
  const show = (): void => {
    let hiddenBelow = Number.POSITIVE_INFINITY
    for (const row of rows) {
      if (row.depth <= hiddenBelow) hiddenBelow = Number.POSITIVE_INFINITY
      row.element.hidden = row.depth > hiddenBelow
      if (folded.has(row)) hiddenBelow = Math.min(hiddenBelow, row.depth)
    }
  }
  for (const row of rows.filter(({ element }) => element.dataset.parent === 'true')) {
    const name = row.element.querySelector('th')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'fold'
    const fold = (isFolded: boolean): void => {
      if (isFolded) folded.add(row)
      else folded.delete(row)
      button.setAttribute('aria-expanded', String(!isFolded))
    }
    button.setAttribute('aria-label', translated('Prefixes within {prefix}', { prefix: name?.textContent ?? '' }))
    fold(rows.length > MOST_UNFOLDED)
    button.addEventListener('click', () => {
      fold(!folded.has(row))
      show()
    })
    name?.prepend(button)
  }
  show()
}

for (const table of document.querySelectorAll<HTMLElement>('[data-island="space-table"]')) {
  prepareTable(table)
}
