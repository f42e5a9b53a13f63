import { translated } from './translated.client.ts'

const DELAY = 150
const MOST = 20

let counter = 0

/** Turns the searches for objects below an element into comboboxes (WAI-ARIA's pattern); the lists keep the values. */
export function preparePickers(root) {
  for (const picker of root.querySelectorAll('.picker[data-choices]')) prepare(picker)
}

/** Turns plain inputs for the keys of objects below an element into such searches. */
export function prepareObjects(root) {
  for (const box of root.querySelectorAll('.objects')) {
    const unnamed = pickerFrom(box)
    const showChosen = prepare(box)
    if (unnamed.length > 0) nameOptions(box, unnamed).then(showChosen)
  }
}

/** Puts a list and a search in the place of the inputs. The options that have no label yet. */
function pickerFrom(box) {
  const [first, ...others] = box.querySelectorAll('input')
  const select = document.createElement('select')
  for (const { name, value } of first.attributes)
    if (name === 'id' || name === 'name' || name.startsWith('aria-'))
      select.setAttribute(name, value)
  select.multiple = 'multiple' in box.dataset
  if (!select.multiple) select.append(new Option('', ''))
  const unnamed = []
  for (const { value, dataset } of [first, ...others]) {
    if (value === '') continue
    const option = new Option(dataset.label ?? value, value, true, true)
    select.append(option)
    if (dataset.label === undefined) unnamed.push(option)
  }
  const input = document.createElement('input')
  input.type = 'search'
  input.autocomplete = 'off'
  input.placeholder = translated('Type to search')
  box.classList.replace('objects', 'picker')
  box.replaceChildren(boxOf('pick', select), boxOf('find', input))
  return unnamed
}

function boxOf(name, content) {
  const box = document.createElement('div')
  box.className = name
  box.append(content)
  return box
}

/** Replaces keys, which come from the address of the page, by the names of the objects. */
async function nameOptions(picker, options) {
  const key = picker.dataset.key
  const address = choicesOf(picker)
  if (!address) return
  for (const option of options) address.searchParams.append(key, option.value)
  address.searchParams.set('limit', String(options.length))
  for (const choice of (await choicesAt(address)).results) {
    const option = options.find(({ value }) => value === String(choice[key]))
    if (option) option.textContent = nameOf(choice)
  }
}

/** Prepares the search; the function that it returns shows the chosen objects again. */
function prepare(picker) {
  const select = picker.querySelector('select')
  const input = picker.querySelector('input[type=search]')
  const isMultiple = 'multiple' in picker.dataset
  const list = listFor(picker, input)
  takeOver(select, input)
  const chips = isMultiple ? chipsFor(picker, select) : undefined
  const chosen = () => select.selectedOptions[0]

  const showChosen = () => {
    if (isMultiple) renewChips(chips, select, changed)
    else input.value = select.value === '' ? '' : labelOf(chosen())
  }
  const changed = () => {
    showChosen()
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const close = () => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const choose = (item) => {
    if (item?.dataset.value === undefined) return
    addOption(select, item, isMultiple)
    input.value = ''
    close()
    changed()
  }
  let timer
  let asked = 0
  const search = (words) => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      asked += 1
      const own = asked
      const answer = await find(picker, words)
      // Answers may overtake one another, and come after the field was left.
      if (own !== asked || document.activeElement !== input) return
      show(list, input, answer, picker.dataset.key)
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
      if (list.hidden)
        search(isMultiple || input.value !== labelOf(chosen()) ? input.value.trim() : '')
      else move(list, input, event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter') {
      // Enter chooses; it does not send the form from within a search.
      event.preventDefault()
      if (!list.hidden)
        choose(list.querySelector('[aria-selected="true"]') ?? list.querySelector('[data-value]'))
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
    choose(event.target.closest('li'))
  })
  showChosen()
  return showChosen
}

/** The input takes the place of the list: its label, its description, its errors. */
function takeOver(select, input) {
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
  input.parentElement.querySelector('button')?.remove()
  // The link to a form for a new object stands beside the input.
  select.after(input.parentElement)
}

function listFor(picker, input) {
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

const labelOf = (option) => option?.textContent.trim() ?? ''

function addOption(select, item, isMultiple) {
  const { value } = item.dataset
  let option = [...select.options].find((each) => each.value === value)
  if (!option) {
    option = new Option(item.dataset.label, value)
    select.append(option)
  }
  if (!isMultiple) select.value = value
  option.selected = true
}

function chipsFor(picker, select) {
  const chips = document.createElement('div')
  chips.className = 'chips'
  picker.insertBefore(chips, select.parentElement)
  return chips
}

function renewChips(chips, select, changed) {
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
        chips.parentElement.querySelector('[role="combobox"]').focus()
      })
      chip.append(text, remove)
      return chip
    }),
  )
}

/** Address of the choices: the picker's own, or that of the type that another field selects. */
function choicesOf(picker) {
  const { choices, collection, typedBy } = picker.dataset
  if (choices) return new URL(choices, location.href)
  const type = picker.closest('form').elements.namedItem(typedBy)
  const path = collection ?? type?.selectedOptions?.[0]?.dataset.collection
  if (!path) return undefined
  const base = document.body.dataset.basePath
  return new URL(base + path.replace('/api/', '/choices/'), location.href)
}

/** The choices for some words, among those that fit the values of other fields. */
async function find(picker, words) {
  const address = choicesOf(picker)
  if (!address) return { results: [] }
  const entered = new FormData(picker.closest('form'))
  for (const [parameter, name] of Object.entries(JSON.parse(picker.dataset.narrowedBy ?? '{}')))
    for (const value of entered.getAll(name))
      if (value !== '') address.searchParams.append(parameter, value)
  address.searchParams.set('limit', String(MOST))
  if (words !== '') address.searchParams.set('q', words)
  return await choicesAt(address)
}

async function choicesAt(address) {
  try {
    const response = await fetch(address, {
      headers: { Accept: 'application/json' },
      cache: 'no-store',
    })
    return response.ok ? await response.json() : { results: [] }
  } catch {
    return { results: [] }
  }
}

const nameOf = ({ display, context }) => [display, context].filter(Boolean).join(' · ')

function show(list, input, { results, has_more: hasMore = false }, key) {
  const items = results.map((choice, index) => {
    const item = document.createElement('li')
    item.id = `${list.id}-${index}`
    item.setAttribute('role', 'option')
    item.setAttribute('aria-selected', 'false')
    item.dataset.value = choice[key]
    item.dataset.label = nameOf(choice)
    const name = document.createElement('bdi')
    name.textContent = choice.display
    item.append(name)
    if (choice.context) {
      const context = document.createElement('small')
      context.textContent = ` ${choice.context}`
      item.append(context)
    }
    return item
  })
  if (results.length === 0) items.push(remark(translated('Nothing found')))
  if (hasMore) items.push(remark(translated('There are more: type to narrow them down')))
  list.replaceChildren(...items)
  list.hidden = false
  input.setAttribute('aria-expanded', 'true')
  input.removeAttribute('aria-activedescendant')
}

function remark(text) {
  const item = document.createElement('li')
  item.className = 'none'
  item.setAttribute('role', 'option')
  item.setAttribute('aria-disabled', 'true')
  item.textContent = text
  return item
}

function move(list, input, step) {
  const items = [...list.querySelectorAll('[data-value]')]
  if (items.length === 0) return
  const current = items.findIndex((item) => item.getAttribute('aria-selected') === 'true')
  const next =
    items[
      current < 0
        ? step > 0
          ? 0
          : items.length - 1
        : (current + step + items.length) % items.length
    ]
  for (const item of items) item.setAttribute('aria-selected', String(item === next))
  input.setAttribute('aria-activedescendant', next.id)
  next.scrollIntoView({ block: 'nearest' })
}
