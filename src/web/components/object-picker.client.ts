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
  /** The search itself has failed, so nothing is known about the choices. */
  readonly hasFailed?: boolean
}

/** Lists up to this length need no keyboard on a touch screen. */
const SHORT = 8

/**
 * Turns the lists and searches below an element into comboboxes (WAI-ARIA's pattern): relations, tags, types and
 * choices. The lists keep the values. Plain inputs for the ids of objects become lists first.
 */
export function prepareComboboxes(root: ParentNode): void {
  for (const picker of root.querySelectorAll<HTMLElement>('.picker')) {
    if (!waitsForFold(picker) && picker.querySelector('select:not([hidden])')) prepare(picker)
  }
  for (const box of root.querySelectorAll<HTMLElement>('.objects')) {
    if (waitsForFold(box)) continue
    const unnamed = pickerFrom(box)
    const showChosen = prepare(box)
    if (unnamed.length > 0) void nameOptions(box, unnamed).then(showChosen)
  }
}

/** Closed folds that prepare their fields when they open: the menus of a list have dozens. */
const waiting = new WeakSet<Element>()

/** Whether the field is in a fold that is closed. */
function waitsForFold(field: Element): boolean {
  const fold = field.closest('details:not([open])')
  if (!fold || waiting.has(fold)) return fold !== null
  waiting.add(fold)
  fold.addEventListener(
    'toggle',
    () => {
      waiting.delete(fold)
      prepareComboboxes(fold)
    },
    { once: true },
  )
  return true
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
  const none = picker.querySelector<HTMLOptionElement>('option[value=""]')?.text ?? ''
  const hint = isLocal(picker) ? translated('Choose…') : translated('Type to search')
  input.placeholder = /\p{L}/u.test(none) ? none : hint
  picker.append(boxOf('find', input))
  return input
}

/** The options of the list are all that can be chosen. */
const isLocal = ({ dataset }: HTMLElement): boolean =>
  dataset.choices === undefined && dataset.collection === undefined && dataset.typedBy === undefined

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
  if (isLocal(picker) && select.options.length <= SHORT && matchMedia('(pointer: coarse)').matches)
    input.inputMode = 'none'
  takeOver(select, input)
  const chips = isMultiple ? chipsFor(picker, select) : undefined
  const shownText = (): string => (isMultiple || select.value === '' ? '' : labelOf(select.selectedOptions[0]))
  const mayBeEmpty = !isMultiple && [...select.options].some(({ value }) => value === '')
  const empty = (): void => {
    select.value = ''
    changed()
  }
  const clear =
    mayBeEmpty && !select.getAttribute('aria-required')
      ? clearButton(input, () => {
          empty()
          input.focus()
        })
      : undefined

  const showChosen = (): void => {
    if (chips) renewChips(chips, select, changed)
    else input.value = shownText()
    if (clear) clear.hidden = select.value === ''
  }
  const changed = (): void => {
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
  let timer: number | undefined
  let latest = 0
  /** Whether the list does not yet show the choices for the entered words. */
  let isSearching = false
  /** Enter was pressed before they came. */
  let choosesFirst = false
  const close = (): void => {
    clearTimeout(timer)
    latest += 1
    complain(input, undefined)
    isSearching = false
    choosesFirst = false
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  /** Closes the list; words that are typed next replace the present value. */
  const reset = (): void => {
    close()
    input.value = shownText()
    input.select()
  }
  const choose = (item: HTMLElement | null): void => {
    const value = item?.dataset.value
    if (item === null || value === undefined) return
    const isSame = !isMultiple && value === select.value
    if (!isSame) addOption(select, { value, label: item.dataset.label }, isMultiple)
    reset()
    if (!isSame) changed()
  }
  const open = (choices: Choices, marksFirst: boolean): void => {
    isSearching = false
    show(list, input, choices, keyOf(picker))
    const items = [...list.querySelectorAll<HTMLElement>('[data-value]')]
    const present = isMultiple ? undefined : items.find(({ dataset }) => dataset.value === select.value)
    const best = marksFirst ? items[0] : present
    if (best) mark(best, list, input)
    if (best && choosesFirst) choose(best)
  }
  /** The best match for words is marked, and without words the present value. */
  const search = (words: string, marksFirst = words !== ''): void => {
    clearTimeout(timer)
    latest += 1
    choosesFirst = false
    const address = choicesOf(picker)
    if (!address) {
      open(listed(picker, words), marksFirst)
      return
    }
    isSearching = true
    const turn = latest
    timer = setTimeout(async () => {
      const choices = await findChoices(picker, address, words)
      // Responses may overtake one another, and may arrive after the field has lost the focus.
      if (turn === latest && document.activeElement === input) open(choices, marksFirst)
    }, DELAY)
  }
  /** Words that were left without choosing: the only match is chosen; otherwise they stay, with the reason. */
  const settle = async (words: string): Promise<void> => {
    const turn = latest
    const address = choicesOf(picker)
    complain(input, translated('Nothing is chosen yet.'))
    const { results, hasFailed } = address ? await findChoices(picker, address, words) : listed(picker, words)
    if (turn !== latest || document.activeElement === input) return
    const [only] = results
    if (only && results.length === 1) {
      addOption(select, { value: String(only[keyOf(picker)]), label: nameOf(only) }, isMultiple)
      complain(input, undefined)
      input.value = shownText()
      changed()
    } else
      complain(input, hasFailed ? FAILED() : unmatched(words, results.length), results.length === 0 ? words : undefined)
  }
  /** The words that were entered in place of the present value. */
  const wordsNow = (): string => (input.value === shownText() ? '' : input.value.trim())
  select.addEventListener('change', showChosen)
  input.addEventListener('input', () => {
    if (mayBeEmpty && input.value === '' && select.value !== '') empty()
    search(input.value.trim())
  })
  input.addEventListener('focus', () => input.select())
  input.addEventListener('click', () => list.hidden && search(wordsNow()))
  input.addEventListener('blur', () => {
    const words = wordsNow()
    close()
    if (words === '') input.value = shownText()
    else void settle(words)
  })
  input.addEventListener('keydown', (event) => {
    const { key } = event
    if (event.isComposing || event.ctrlKey || event.metaKey) return
    const marked = isSearching ? null : list.querySelector<HTMLElement>('[aria-selected="true"]')
    if (key === 'Escape' && !list.hidden) {
      event.preventDefault()
      reset()
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (!list.hidden) move(list, input, key === 'ArrowDown' ? 1 : -1)
      else if (isMultiple || select.value === '') search(wordsNow(), true)
      else search(wordsNow())
    } else if (key === 'Enter') {
      // Enter opens and chooses; it does not send the form.
      event.preventDefault()
      if (isSearching) choosesFirst = true
      else if (list.hidden) search(wordsNow())
      else choose(marked)
    } else if (key === 'Tab' && !list.hidden) {
      choose(marked)
    } else if (key === 'Backspace' && isMultiple && input.value === '') {
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
  // With the keyboard, deleting the text does the same.
  button.tabIndex = -1
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
  const hasFocus = document.activeElement === select
  select.hidden = true
  if (select.autofocus || hasFocus) input.focus()
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

function addOption(
  select: HTMLSelectElement,
  { value, label }: { readonly value: string; readonly label: string | undefined },
  isMultiple: boolean,
): void {
  let option = [...select.options].find((candidate) => candidate.value === value)
  if (!option) {
    option = new Option(label, value)
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

/** The choices at the address for some words, among those that fit the values of other fields. */
async function findChoices(picker: HTMLElement, address: URL, words: string): Promise<Choices> {
  const entered = new FormData(picker.closest('form') ?? undefined)
  const narrowedBy: Readonly<Record<string, string>> = JSON.parse(picker.dataset.narrowedBy ?? '{}')
  for (const [parameter, name] of Object.entries(narrowedBy))
    for (const value of entered.getAll(name))
      if (typeof value === 'string' && value !== '') address.searchParams.append(parameter, value)
  address.searchParams.set('limit', String(MOST))
  if (words !== '') address.searchParams.set('q', words)
  const choices = await choicesAt(address)
  // The choice that stands for no object is only in the list.
  const none = listed(picker, words).results.filter((choice) => choice[keyOf(picker)] === 'null')
  return { ...choices, results: [...none, ...choices.results] }
}

/** The options of the list that contain the words; first those that begin with them. */
function listed(picker: HTMLElement, words: string): Choices {
  const options = [...(picker.querySelector('select')?.options ?? [])]
  const text = words.toLowerCase()
  const terms = text.split(/\s+/)
  const place = ({ display }: Choice): number => {
    const at = display.toLowerCase().indexOf(text)
    if (at <= 0) return at === 0 ? 0 : 3
    return /[\p{L}\p{N}]/u.test(display[at - 1] ?? '') ? 2 : 1
  }
  const results = options
    .filter(
      ({ value, text, selected }) =>
        value !== '' &&
        !(selected && 'multiple' in picker.dataset) &&
        terms.every((word) => text.toLowerCase().includes(word)),
    )
    .map(({ value, text, dataset }) => ({ [keyOf(picker)]: value, display: text, colour: dataset.colour }))
  return { results: results.toSorted((a, b) => place(a) - place(b)) }
}

async function choicesAt(address: URL): Promise<Choices> {
  try {
    const response = await fetch(address, {
      headers: { Accept: 'application/json', ...branchHeader() },
      cache: 'no-store',
    })
    if (response.ok) return await response.json()
  } catch {
    // Without a connection.
  }
  return { results: [], hasFailed: true }
}

const FAILED = (): string => translated('The search failed. Try again.')

const unmatched = (words: string, matches: number): string =>
  matches === 0
    ? translated('Nothing matches “{words}”.', { words })
    : translated('Several match “{words}”. Choose one.', { words })

/**
 * Says below the field why its words are no value, or that they are one. Words that match nothing can be the name of a
 * new object if the field offers a form for it.
 */
function complain(input: HTMLInputElement, complaint: string | undefined, newName?: string): void {
  const picker = input.closest('.picker')
  const id = `${input.id}-unmatched`
  picker?.querySelector('.unmatched')?.remove()
  input.setCustomValidity(complaint ?? '')
  if (complaint === undefined) return
  const message = Object.assign(document.createElement('p'), {
    id,
    className: 'unmatched error',
    textContent: complaint,
  })
  const create = picker?.querySelector<HTMLAnchorElement>('a.create')
  const naming = create?.dataset.naming
  if (create && naming !== undefined && newName !== undefined) {
    const link = Object.assign(document.createElement('a'), { className: 'create', href: create.href })
    link.search = String(new URLSearchParams([...new URLSearchParams(link.search), [naming, newName]]))
    link.textContent = translated('Create “{words}”', { words: newName })
    message.append(' ', link)
  }
  message.setAttribute('role', 'status')
  picker?.append(message)
}

const nameOf = ({ display, context }: Choice): string => [display, context].filter(Boolean).join(' · ')

function show(
  list: HTMLElement,
  input: HTMLElement,
  { results, has_more: hasMore = false, hasFailed = false }: Choices,
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
  if (results.length === 0) items.push(remark(hasFailed ? FAILED() : translated('Nothing found')))
  if (hasMore) items.push(remark(translated('There are more. Type to narrow the list')))
  list.replaceChildren(...items)
  list.hidden = false
  list.scrollIntoView({ block: 'nearest' })
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
  if (next) mark(next, list, input)
}

function mark(next: Element, list: HTMLElement, input: HTMLElement): void {
  for (const item of list.children) item.setAttribute('aria-selected', String(item === next))
  input.setAttribute('aria-activedescendant', next.id)
  next.scrollIntoView({ block: 'nearest' })
}
