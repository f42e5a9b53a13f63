import { basePath, branchHeader } from './api-request.client.ts'
import { translated } from './translated.client.ts'

const DELAY = 150
const MOST = 20

let counter = 0

/** An object in the form of `/choices/`. */
interface Choice extends Readonly<Record<string, unknown>> {
  readonly display: string
  readonly context?: string
  readonly colour?: string | undefined
}

interface Choices {
  readonly results: readonly Choice[]
  readonly has_more?: boolean
}

/** Single-choice lists up to this length stay native. */
const SHORT = 8

/**
 * Turns the lists and searches below an element into comboboxes (WAI-ARIA's pattern): relations, tags, types and
 * choices. The lists keep the values. Plain inputs for the ids of objects become lists first.
 */
export function prepareComboboxes(root: ParentNode): void {
  for (const picker of root.querySelectorAll<HTMLElement>('.picker')) {
    const select = picker.querySelector('select')
    if (!select || select.hidden) continue
    if ('choices' in picker.dataset || select.multiple || select.options.length > SHORT) prepare(picker)
  }
  for (const box of root.querySelectorAll<HTMLElement>('.objects')) {
    const unnamed = pickerFrom(box)
    const showChosen = prepare(box)
    if (unnamed.length > 0) void nameOptions(box, unnamed).then(showChosen)
  }
}

/** Replaces the inputs by a list and a search. The options that have no label yet. */
function pickerFrom(box: HTMLElement): readonly HTMLOptionElement[] {
  const inputs = [...box.querySelectorAll('input')]
  const select = document.createElement('select')
  for (const { name, value } of inputs[0]?.attributes ?? [])
    if (name === 'id' || name === 'name' || name.startsWith('aria-')) select.setAttribute(name, value)
  select.multiple = 'multiple' in box.dataset
  if (!select.multiple) select.append(new Option('', ''))
  const unnamed: HTMLOptionElement[] = []
  for (const { value, dataset } of inputs) {
    if (value === '') continue
    const option = new Option(dataset.label ?? value, value, true, true)
    select.append(option)
    if (dataset.label === undefined) unnamed.push(option)
  }
  box.classList.replace('objects', 'picker')
  box.replaceChildren(boxOf('pick', select))
  return unnamed
}

/** The search of a picker, created if the page has none. */
function searchIn(picker: HTMLElement): HTMLInputElement {
  const existing = picker.querySelector<HTMLInputElement>('input[type=search]')
  if (existing) return existing
  const input = document.createElement('input')
  input.type = 'search'
  input.autocomplete = 'off'
  input.placeholder = translated('Type to search')
  picker.append(boxOf('find', input))
  return input
}

function boxOf(name: string, content: HTMLElement): HTMLElement {
  const box = document.createElement('div')
  box.className = name
  box.append(content)
  return box
}

/** Replaces ids, which come from the URL of the page, with the names of the objects. */
async function nameOptions(picker: HTMLElement, options: readonly HTMLOptionElement[]): Promise<void> {
  const key = keyOf(picker)
  const address = choicesOf(picker)
  if (!address) return
  for (const option of options) address.searchParams.append(key, option.value)
  address.searchParams.set('limit', String(options.length))
  for (const choice of (await choicesAt(address)).results) {
    const option = options.find(({ value }) => value === String(choice[key]))
    if (option) option.textContent = nameOf(choice)
  }
}

/** Prepares the search; the returned function shows the selected objects again. */
function prepare(picker: HTMLElement): () => void {
  const select = picker.querySelector('select')
  if (!select) return () => {}
  const input = searchIn(picker)
  const isMultiple = 'multiple' in picker.dataset
  const list = listFor(picker, input)
  takeOver(select, input)
  const chips = isMultiple ? chipsFor(picker, select) : undefined
  const chosen = () => select.selectedOptions[0]
  const clear =
    isMultiple || select.getAttribute('aria-required')
      ? undefined
      : clearButton(input, () => {
          select.value = ''
          changed()
          input.focus()
        })

  const showChosen = (): void => {
    if (chips) renewChips(chips, select, changed)
    else input.value = select.value === '' ? '' : labelOf(chosen())
    if (clear) clear.hidden = select.value === ''
  }
  const changed = (): void => {
    showChosen()
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const close = (): void => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const choose = (item: HTMLElement | null): void => {
    if (item?.dataset.value === undefined) return
    addOption(select, item, isMultiple)
    input.value = ''
    close()
    changed()
  }
  let timer: number | undefined
  let latest = 0
  const search = (words: string): void => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      latest += 1
      const turn = latest
      const choices = await find(picker, words)
      // Responses may overtake one another, and may arrive after the field has lost the focus.
      if (turn !== latest || document.activeElement !== input) return
      show(list, input, choices, keyOf(picker))
    }, DELAY)
  }
  input.addEventListener('input', () => {
    if (!isMultiple && input.value === '' && select.value !== '') {
      select.value = ''
      select.dispatchEvent(new Event('change', { bubbles: true }))
    }
    search(input.value.trim())
  })
  input.addEventListener('focus', () => input.select())
  input.addEventListener('click', () => list.hidden && search(''))
  input.addEventListener('blur', () => {
    clearTimeout(timer)
    close()
    if (isMultiple) input.value = ''
    else showChosen()
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      close()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (list.hidden) search(isMultiple || input.value !== labelOf(chosen()) ? input.value.trim() : '')
      else move(list, input, event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter') {
      // Enter chooses; in a search it does not send the form.
      event.preventDefault()
      if (!list.hidden)
        choose(
          list.querySelector<HTMLElement>('[aria-selected="true"]') ?? list.querySelector<HTMLElement>('[data-value]'),
        )
    } else if (event.key === 'Backspace' && isMultiple && input.value === '') {
      const last = [...select.selectedOptions].at(-1)
      if (!last) return
      last.selected = false
      changed()
    }
  })
  // The input keeps the focus, whose loss would close the list.
  list.addEventListener('mousedown', (event) => {
    event.preventDefault()
    if (event.target instanceof Element) choose(event.target.closest('li'))
  })
  showChosen()
  return showChosen
}

function clearButton(input: HTMLInputElement, clear: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'clear'
  button.textContent = '×'
  button.setAttribute('aria-label', translated('Clear'))
  button.addEventListener('click', clear)
  input.after(button)
  return button
}

/** The input takes the place of the list: its label, its description, its errors. */
function takeOver(select: HTMLSelectElement, input: HTMLInputElement): void {
  const { id } = select
  for (const name of ['aria-describedby', 'aria-invalid', 'aria-required']) {
    const value = select.getAttribute(name)
    if (value !== null) input.setAttribute(name, value)
  }
  input.removeAttribute('name')
  input.removeAttribute('aria-label')
  select.removeAttribute('id')
  input.id = id
  select.hidden = true
  if (select.autofocus) input.focus()
  const box = input.parentElement
  box?.querySelector('button[name="_find"]')?.remove()
  // The link to a form for a new object is next to the input.
  if (box) select.after(box)
}

function listFor(picker: HTMLElement, input: HTMLInputElement): HTMLElement {
  const list = document.createElement('ul')
  counter += 1
  list.id = `found${counter}`
  list.className = 'found'
  list.hidden = true
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', translated('Found'))
  picker.append(list)
  input.type = 'text'
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-expanded', 'false')
  input.setAttribute('aria-controls', list.id)
  input.setAttribute('aria-autocomplete', 'list')
  return list
}

const keyOf = (picker: HTMLElement): string => picker.dataset.key ?? 'id'

const labelOf = (option: HTMLOptionElement | undefined): string => option?.textContent.trim() ?? ''

function addOption(select: HTMLSelectElement, item: HTMLElement, isMultiple: boolean): void {
  const { value = '' } = item.dataset
  let option = [...select.options].find((candidate) => candidate.value === value)
  if (!option) {
    option = new Option(item.dataset.label, value)
    select.append(option)
  }
  if (!isMultiple) select.value = value
  option.selected = true
}

function chipsFor(picker: HTMLElement, select: HTMLSelectElement): HTMLElement {
  const chips = document.createElement('div')
  chips.className = 'chips'
  picker.insertBefore(chips, select.parentElement)
  return chips
}

function renewChips(chips: HTMLElement, select: HTMLSelectElement, changed: () => void): void {
  chips.replaceChildren(
    ...[...select.selectedOptions].map((option) => {
      const chip = document.createElement('span')
      chip.className = 'chip'
      const text = document.createElement('bdi')
      text.textContent = labelOf(option)
      const remove = document.createElement('button')
      remove.type = 'button'
      remove.textContent = '×'
      remove.setAttribute('aria-label', translated('Remove {name}', { name: labelOf(option) }))
      remove.addEventListener('click', () => {
        option.selected = false
        changed()
        chips.parentElement?.querySelector<HTMLElement>('[role="combobox"]')?.focus()
      })
      chip.append(text, remove)
      return chip
    }),
  )
}

/** Address of the choices: the picker's own, or that of the type selected in another field. */
function choicesOf(picker: HTMLElement): URL | undefined {
  const { choices, collection, typedBy } = picker.dataset
  if (choices) return new URL(choices, location.href)
  const type = picker.closest('form')?.elements.namedItem(typedBy ?? '')
  const option = type instanceof HTMLSelectElement ? type.selectedOptions[0] : undefined
  const path = collection ?? option?.dataset.collection
  if (!path) return undefined
  return new URL(basePath() + path.replace('/api/', '/choices/'), location.href)
}

/** The choices for some words, among those that fit the values of other fields. */
async function find(picker: HTMLElement, words: string): Promise<Choices> {
  const address = choicesOf(picker)
  if (!address) return listed(picker, words)
  const entered = new FormData(picker.closest('form') ?? undefined)
  const narrowedBy: Readonly<Record<string, string>> = JSON.parse(picker.dataset.narrowedBy ?? '{}')
  for (const [parameter, name] of Object.entries(narrowedBy))
    for (const value of entered.getAll(name))
      if (typeof value === 'string' && value !== '') address.searchParams.append(parameter, value)
  address.searchParams.set('limit', String(MOST))
  if (words !== '') address.searchParams.set('q', words)
  return await choicesAt(address)
}

/** The options of the list that contain the words. */
function listed(picker: HTMLElement, words: string): Choices {
  const options = [...(picker.querySelector('select')?.options ?? [])]
  const wanted = words.toLowerCase().split(/\s+/)
  const results = options
    .filter(
      ({ value, text, selected }) =>
        value !== '' &&
        !(selected && 'multiple' in picker.dataset) &&
        wanted.every((word) => text.toLowerCase().includes(word)),
    )
    .map(({ value, text, dataset }) => ({ [keyOf(picker)]: value, display: text, colour: dataset.colour }))
  return { results }
}

async function choicesAt(address: URL): Promise<Choices> {
  try {
    const response = await fetch(address, {
      headers: { Accept: 'application/json', ...branchHeader() },
      cache: 'no-store',
    })
    return response.ok ? await response.json() : { results: [] }
  } catch {
    return { results: [] }
  }
}

const nameOf = ({ display, context }: Choice): string => [display, context].filter(Boolean).join(' · ')

function show(
  list: HTMLElement,
  input: HTMLElement,
  { results, has_more: hasMore = false }: Choices,
  key: string,
): void {
  const items = results.map((choice, index) => {
    const item = document.createElement('li')
    item.id = `${list.id}-${index}`
    item.setAttribute('role', 'option')
    item.setAttribute('aria-selected', 'false')
    item.dataset.value = String(choice[key])
    item.dataset.label = nameOf(choice)
    const name = document.createElement('bdi')
    name.textContent = choice.display
    if (choice.colour) name.className = `badge ${choice.colour}`
    item.append(name)
    if (choice.context) {
      const context = document.createElement('small')
      context.textContent = ` ${choice.context}`
      item.append(context)
    }
    return item
  })
  if (results.length === 0) items.push(remark(translated('Nothing found')))
  if (hasMore) items.push(remark(translated('There are more. Type to narrow the list')))
  list.replaceChildren(...items)
  list.hidden = false
  input.setAttribute('aria-expanded', 'true')
  input.removeAttribute('aria-activedescendant')
}

function remark(text: string): HTMLLIElement {
  const item = document.createElement('li')
  item.className = 'none'
  item.setAttribute('role', 'option')
  item.setAttribute('aria-disabled', 'true')
  item.textContent = text
  return item
}

function move(list: HTMLElement, input: HTMLElement, step: 1 | -1): void {
  const items = [...list.querySelectorAll('[data-value]')]
  const current = items.findIndex((item) => item.getAttribute('aria-selected') === 'true')
  const next = current < 0 ? items.at(step > 0 ? 0 : -1) : items[(current + step + items.length) % items.length]
  if (!next) return
  for (const item of items) item.setAttribute('aria-selected', String(item === next))
  input.setAttribute('aria-activedescendant', next.id)
  next.scrollIntoView({ block: 'nearest' })
}
