import '../components/dropdowns.client.ts'
import { prepareComboboxes } from '../components/object-picker.client.ts'
import { addressOf } from '../components/page-at.client.ts'
import { translated } from '../components/translated.client.ts'
import { prepareSorting } from './columns.client.ts'
import { preparePeek } from './peek.client.ts'

// Lists of objects work without this script. It adds the search for related objects, filters that apply at once, a
// check box for all rows of the page, the number of selected rows, trees that fold, and the scroll position of the
// table on return.

/** Milliseconds without a key press after which the list is filtered. */
const PAUSE = 120

// Forms for several objects use them too.
prepareComboboxes(document)
const filters = document.querySelector<HTMLFormElement>('form.list-filters')
if (filters) prepareFilters(filters)
prepareTable()
preparePeek()
for (const menu of document.querySelectorAll<HTMLElement>('[data-columns]')) prepareColumns(menu)

/** Handlers for the rows of the page, which filters replace. */
function prepareTable(): void {
  for (const head of document.querySelectorAll<HTMLElement>('[data-select-all]')) prepareSelection(head)
  for (const table of document.querySelectorAll<HTMLElement>('.in-list')) {
    keepPosition(table)
  }
  for (const table of document.querySelectorAll('.in-list.tree')) prepareTree(table)
}

/** Filters apply as soon as they change; the search while the user types. */
function prepareFilters(form: HTMLFormElement): void {
  let latest = 0
  const refresh = async (): Promise<void> => {
    const turn = ++latest
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') query.append(name, value)
    try {
      const response = await fetch(`${addressOf(form)}?${query}`, { headers: { Accept: 'text/html' } })
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      if (turn !== latest) return
      for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) {
        const fresh = page.querySelector(`[data-live="${part.dataset.live}"]`)
        if (fresh) part.replaceWith(document.adoptNode(fresh))
      }
      history.replaceState(null, '', response.url)
      for (const menu of document.querySelectorAll<HTMLElement>('[data-columns]')) prepareColumns(menu)
      prepareTable()
      form.dispatchEvent(new Event('listed'))
    } catch {
      form.submit()
    }
  }
  let timer: number | undefined
  form.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'q') return
    clearTimeout(timer)
    timer = setTimeout(refresh, PAUSE)
  })
  document.addEventListener('change', ({ target }) => {
    const isOwn = target instanceof HTMLInputElement || target instanceof HTMLSelectElement
    if (isOwn && target.form === form && target.name !== '' && target.name !== 'q') void refresh()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    clearTimeout(timer)
    void refresh()
  })
  prepareSearchOfFilters(form)
  // An active filter is changed in the control where it was set.
  document.addEventListener('click', ({ target }) => {
    const name = target instanceof Element ? target.closest<HTMLElement>('[data-edit]')?.dataset.edit : undefined
    if (name !== undefined) setTimeout(() => openFilter(form, name))
  })
  document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
    if (
      key !== 'f' ||
      ctrlKey ||
      metaKey ||
      altKey ||
      (target instanceof Element && target.closest('input, textarea, select'))
    )
      return
    setTimeout(() => openFilter(form, undefined))
  })
}

function openFilter(form: HTMLFormElement, name: string | undefined): void {
  const all = form.querySelector<HTMLDetailsElement>('.all-filters')
  const named =
    name === undefined ? null : form.querySelector<HTMLDetailsElement>(`[data-filter="${CSS.escape(name)}"]`)
  const menu = named?.closest<HTMLDetailsElement>('.filter') ?? all
  if (name === 'q') form.querySelector<HTMLInputElement>('[name="q"]')?.focus()
  if (name === 'q' || !menu) return
  menu.open = true
  if (named) named.open = true
  const [first] = [...(named ?? menu).querySelectorAll<HTMLElement>('input:not([hidden], [type="hidden"]), select')]
  first?.focus()
}

/** The names of the filters can be searched; an opened filter takes the cursor. */
function prepareSearchOfFilters(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('.find-filter')
  if (input) {
    input.hidden = false
    const find = (): void => {
      const words = input.value.toLowerCase()
      for (const group of form.querySelectorAll<HTMLElement>('.filter-groups fieldset')) {
        const names = [...group.querySelectorAll<HTMLElement>('.one')]
        for (const name of names)
          name.hidden = !(name.querySelector('summary')?.textContent ?? '').toLowerCase().includes(words)
        group.hidden = names.every(({ hidden }) => hidden)
      }
    }
    input.addEventListener('input', find)
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      form.querySelector<HTMLElement>('.one:not([hidden]) > summary')?.click()
    })
  }
  for (const filter of form.querySelectorAll<HTMLDetailsElement>('details.filter, details.one')) {
    filter.addEventListener('toggle', () => {
      if (filter.open && filter.contains(document.activeElement))
        filter
          .querySelector<HTMLElement>('input:not([hidden], [type="hidden"], [name="_"]), select:not([hidden])')
          ?.focus()
    })
  }
}

/** The menu contains the form of the page with the columns. */
function prepareColumns(place: HTMLElement): void {
  const menu = place.closest('details')
  menu?.addEventListener('toggle', async () => {
    if (!menu.open || place.querySelector('form')) return
    const response = await fetch(place.dataset.columns ?? '', { headers: { Accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const form = page.querySelector<HTMLFormElement>('.columns-form')
    if (!form || place.querySelector('form')) return
    form.className = 'columns-form'
    place.replaceChildren(document.adoptNode(form))
    const list = form.querySelector<HTMLElement>('.sortable')
    if (!list) return
    const find = Object.assign(document.createElement('input'), { type: 'search', autocomplete: 'off' })
    find.placeholder = translated('Type to search')
    find.setAttribute('aria-label', translated('Type to search'))
    find.addEventListener('input', () => {
      for (const row of list.children)
        if (row instanceof HTMLElement)
          row.hidden = !(row.querySelector('label')?.textContent ?? '').toLowerCase().includes(find.value.toLowerCase())
    })
    list.before(find)
    prepareSorting(list)
  })
}

/** What the list shows is saved in the menu from which one asks for it. */
document.addEventListener('click', async (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('[data-form] > a') : null
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const response = await fetch(link.href, { headers: { Accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const form = page.querySelector<HTMLFormElement>('form.saving')
  if (!form) return location.assign(link.href)
  form.classList.remove('card')
  link.parentElement?.replaceWith(document.adoptNode(form))
  form.querySelector<HTMLElement>('[name="name"]')?.focus()
})

/** A check box in the head selects all rows; Shift and a click select a range. */
function prepareSelection(head: HTMLElement): void {
  const boxes = [...(head.closest('table')?.querySelectorAll<HTMLInputElement>('tbody input[type="checkbox"]') ?? [])]
  const form = document.querySelector<HTMLFormElement>(`form#${head.dataset.selectAll}`)
  const number = form?.querySelector('.selected')
  const all = document.createElement('input')
  all.type = 'checkbox'
  all.setAttribute('aria-label', translated('Select all on this page'))
  head.replaceChildren(all)
  let last: number | undefined
  const show = (): void => {
    const count = boxes.filter((box) => box.checked).length
    all.checked = count > 0 && count === boxes.length
    all.indeterminate = count > 0 && count < boxes.length
    if (number) number.textContent = translated('{number} selected', { number: count })
    form?.classList.toggle('empty-selection', count === 0)
  }
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

/** Rows with child rows get a button that folds these. */
function prepareTree(table: Element): void {
  const rows = [...table.querySelectorAll<HTMLElement>('tbody tr')]
  const depthOf = (row: HTMLElement): number =>
    Number(/depth-(\d)/.exec(row.querySelector('th')?.className ?? '')?.[1] ?? 0)
  const depths = rows.map(depthOf)
  const folded = new Set<number>()
  const show = (): void => {
    let hiddenBelow = Number.POSITIVE_INFINITY
    for (const [index, row] of rows.entries()) {
      const depth = depths[index] ?? 0
      if (depth <= hiddenBelow) hiddenBelow = Number.POSITIVE_INFINITY
      row.hidden = depth > hiddenBelow
      if (!row.hidden && folded.has(index)) hiddenBelow = depth
    }
  }
  for (const [index, row] of rows.entries()) {
    const cell = row.querySelector('th')
    if (!cell || (depths[index + 1] ?? 0) <= (depths[index] ?? 0)) continue
    const fold = Object.assign(document.createElement('button'), { type: 'button', className: 'fold' })
    fold.setAttribute('aria-expanded', 'true')
    fold.setAttribute('aria-label', translated('Rows within {name}', { name: cell.textContent.trim() }))
    fold.addEventListener('click', () => {
      if (!folded.delete(index)) folded.add(index)
      fold.setAttribute('aria-expanded', String(!folded.has(index)))
      show()
    })
    cell.prepend(fold)
  }
}

/** Browsers restore the scroll position of the page, but not that of the table in it. */
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
