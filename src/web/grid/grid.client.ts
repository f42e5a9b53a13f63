import { makeButton } from '../components/button.client.ts'
import { translated } from '../components/translated.client.ts'

/** Makes a table of inputs work like a spreadsheet: moving by keys, pasting several cells, filling down, marks at changed cells. */

const table = document.querySelector<HTMLTableElement>('table.grid')
const status = document.querySelector<HTMLElement>('#grid-status')

if (table && status) start(table, status)

function start(grid: HTMLTableElement, line: HTMLElement): void {
  const rows = [...(grid.tBodies[0]?.rows ?? [])].map((row) => [...row.querySelectorAll<HTMLInputElement>('input')])
  for (const hint of document.querySelectorAll<HTMLElement>('.with-script')) hint.hidden = false
  let current: Place | undefined
  const mark = (): void => {
    let count = 0
    for (const input of rows.flat()) {
      const isChanged = input.value !== input.dataset.shown
      input.classList.toggle('changed', isChanged)
      if (isChanged) count += 1
    }
    line.textContent = count === 0 ? '' : translated('Changed cells: {count}', { count })
  }
  const set = (input: HTMLInputElement | undefined, text: string): void => {
    if (input) input.value = text
  }
  const fill = (place: Place): void => {
    fillDown(rows, place, set)
    mark()
  }
  // Screen keyboards have no Ctrl.
  line.before(
    makeButton(translated('Fill down'), () => {
      if (!current) return
      fill(current)
      rows[current.row]?.[current.column]?.focus()
    }),
  )
  grid.addEventListener('focusin', ({ target }) => {
    current = placeOf(rows, target)
  })
  grid.addEventListener('input', mark)
  grid.addEventListener('keydown', (event) => {
    const place = placeOf(rows, event.target)
    if (!place) return
    const target = targetOf(rows, place, event)
    if (target) {
      event.preventDefault()
      target.focus()
      target.select()
    } else if (event.key.toLowerCase() === 'd' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      fill(place)
    } else if (event.key === 'Escape') {
      const input = rows[place.row]?.[place.column]
      set(input, input?.dataset.shown ?? '')
      mark()
    }
  })
  grid.addEventListener('paste', (event) => {
    const place = placeOf(rows, event.target)
    const lines = linesOf(event.clipboardData?.getData('text/plain') ?? '')
    if (!place || (lines.length === 1 && lines[0]?.length === 1)) return
    event.preventDefault()
    for (const [down, cells] of lines.entries()) {
      for (const [right, text] of cells.entries()) {
        set(rows[place.row + down]?.[place.column + right], text)
      }
    }
    mark()
  })
  mark()
  rows
    .flat()
    .find((input) => input.getAttribute('aria-invalid') === 'true')
    ?.focus()
}

/** Position of an input. */
interface Place {
  readonly row: number
  readonly column: number
}

type Inputs = readonly (readonly HTMLInputElement[])[]

function placeOf(rows: Inputs, target: EventTarget | null): Place | undefined {
  if (!(target instanceof HTMLInputElement)) return undefined
  for (const [row, inputs] of rows.entries()) {
    const column = inputs.indexOf(target)
    if (column >= 0) return { row, column }
  }
  return undefined
}

/** The input to which a key moves; undefined if the key keeps its usual effect. */
function targetOf(
  rows: Inputs,
  { row, column }: Place,
  { key, ctrlKey, shiftKey }: KeyboardEvent,
): HTMLInputElement | undefined {
  // While an input has a list of values, the arrow keys choose among them.
  const hasList = rows[row]?.[column]?.hasAttribute('list') === true && !ctrlKey
  if (key === 'Enter') return rows[row + (shiftKey ? -1 : 1)]?.[column] ?? rows[row]?.[column]
  if (key === 'ArrowDown' && !hasList) return rows[row + 1]?.[column]
  if (key === 'ArrowUp' && !hasList) return rows[row - 1]?.[column]
  return undefined
}

/** Copies the text of a cell into the cells below it, as long as these have the same text as the one right below. */
function fillDown(
  rows: Inputs,
  { row, column }: Place,
  set: (input: HTMLInputElement | undefined, text: string) => void,
): void {
  const text = rows[row]?.[column]?.value ?? ''
  const replaced = rows[row + 1]?.[column]?.value
  for (let below = row + 1; below < rows.length; below++) {
    const input = rows[below]?.[column]
    if (input?.value !== replaced) break
    set(input, text)
  }
}

/** The cells of a text from a spreadsheet: rows by line breaks, cells by tabs. */
const linesOf = (text: string): readonly (readonly string[])[] =>
  text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t'))
