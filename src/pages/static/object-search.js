const DELAY = 200
const MOST_FOUND = 20

let counter = 0

/**
 * Turns plain inputs for keys into a search (WAI-ARIA's combobox): selected objects are shown as chips, with a hidden
 * input for each.
 */
export function prepareObjects(box) {
  const { key } = box.dataset
  const isMultiple = 'multiple' in box.dataset
  const [input, ...others] = box.querySelectorAll('input')
  const { name } = input
  const chosen = [input, ...others].filter(({ value }) => value !== '')
  const start = chosen.map(({ value, dataset }) => ({ value, label: dataset.label }))
  for (const other of others) other.remove()
  input.removeAttribute('name')
  input.value = ''
  input.placeholder = 'Search…'
  const list = makeList(box, input)

  const add = (value, label) => {
    if (!isMultiple) for (const chip of box.querySelectorAll('.chip')) chip.remove()
    box.insertBefore(makeChip(name, value, label ?? value, changed), input)
    changed()
  }
  const changed = () => {
    input.hidden = !isMultiple && box.querySelector('.chip') !== null
    box.dispatchEvent(new Event('change', { bubbles: true }))
  }
  for (const { value, label } of start) add(value, label)
  const unnamed = start.filter(({ label }) => label === undefined)
  if (unnamed.length > 0) nameChips(box, key, unnamed)

  const choose = (item) => {
    if (item?.dataset.value === undefined) return
    add(item.dataset.value, item.textContent)
    input.value = ''
    close()
    if (!input.hidden) input.focus()
    else box.querySelector('.chip button').focus()
  }
  const close = () => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  let timer
  const search = () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const collection = collectionOf(box)
      if (!collection) return
      show(list, input, await find(collection, key, input.value.trim()), key)
    }, DELAY)
  }
  input.addEventListener('input', search)
  input.addEventListener('focus', search)
  input.addEventListener('blur', () => {
    clearTimeout(timer)
    // A typed id is accepted like a selected object.
    if (/^\d+$/.test(input.value.trim()) && key === 'id') {
      add(input.value.trim())
      input.value = ''
    }
    close()
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (list.hidden) search()
      else move(list, input, event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && !list.hidden) {
      const item = list.querySelector('[aria-selected="true"]')
      if (!item) return
      event.preventDefault()
      choose(item)
    } else if (event.key === 'Backspace' && input.value === '') {
      const chips = box.querySelectorAll('.chip')
      chips[chips.length - 1]?.remove()
      changed()
    }
  })
  // Prevents the input from losing focus, which would close the list.
  list.addEventListener('mousedown', (event) => {
    event.preventDefault()
    choose(event.target.closest('li'))
  })
}

function makeList(box, input) {
  const list = document.createElement('ul')
  list.className = 'found'
  list.id = `found${counter++}`
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Found')
  list.hidden = true
  box.append(list)
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-expanded', 'false')
  input.setAttribute('aria-controls', list.id)
  input.setAttribute('aria-autocomplete', 'list')
  return list
}

function makeChip(name, value, label, changed) {
  const chip = document.createElement('span')
  chip.className = 'chip'
  const text = document.createElement('span')
  text.textContent = label
  const hidden = document.createElement('input')
  Object.assign(hidden, { type: 'hidden', name, value })
  const remove = document.createElement('button')
  remove.type = 'button'
  remove.textContent = '×'
  remove.setAttribute('aria-label', `Remove ${label}`)
  remove.addEventListener('click', () => {
    const input = chip.parentElement.querySelector('[role="combobox"]')
    chip.remove()
    changed()
    input.focus()
  })
  chip.append(text, hidden, remove)
  return chip
}

/** The collection to search: the box's own, or that of the type that another field selects. */
function collectionOf(box) {
  const base = document.body.dataset.basePath
  const { collection, typedBy } = box.dataset
  if (collection) return base + collection
  const type = box.closest('form').elements.namedItem(typedBy)
  const typed = type?.selectedOptions?.[0]?.dataset.collection
  return typed && base + typed
}

async function find(collection, key, words) {
  const query = new URLSearchParams({ fields: `id,display,${key}`, limit: String(MOST_FOUND) })
  if (words !== '') query.set('q', words)
  return await objectsAt(`${collection}?${query}`)
}

async function objectsAt(address) {
  try {
    const response = await fetch(address, {
      headers: { Accept: 'application/json' },
      cache: 'no-store',
    })
    return response.ok ? (await response.json()).results : []
  } catch {
    return []
  }
}

/** Replaces the keys on chips, which come from the URL, by display names. */
async function nameChips(box, key, chosen) {
  const collection = collectionOf(box)
  if (!collection) return
  const query = new URLSearchParams(chosen.map(({ value }) => [key, value]))
  query.set('fields', `id,display,${key}`)
  for (const object of await objectsAt(`${collection}?${query}`)) {
    for (const hidden of box.querySelectorAll('.chip input')) {
      if (hidden.value !== String(object[key])) continue
      hidden.previousElementSibling.textContent = object.display
      hidden.nextElementSibling.setAttribute('aria-label', `Remove ${object.display}`)
    }
  }
}

function show(list, input, objects, key) {
  list.replaceChildren(
    ...objects.map((object, index) => {
      const item = document.createElement('li')
      item.id = `${list.id}-${index}`
      item.setAttribute('role', 'option')
      item.setAttribute('aria-selected', 'false')
      item.dataset.value = object[key]
      item.textContent = object.display
      return item
    }),
  )
  if (objects.length === 0) {
    const none = document.createElement('li')
    none.className = 'none'
    none.setAttribute('role', 'option')
    none.setAttribute('aria-disabled', 'true')
    none.textContent = 'Nothing found'
    list.append(none)
  }
  // The response may arrive after the input has lost focus.
  const isHere = document.activeElement === input
  list.hidden = !isHere
  input.setAttribute('aria-expanded', String(isHere))
}

function move(list, input, step) {
  const items = [...list.querySelectorAll('li[data-value]')]
  if (items.length === 0) return
  const current = items.findIndex((item) => item.getAttribute('aria-selected') === 'true')
  const next = items[(current + step + items.length) % items.length]
  for (const item of items) item.setAttribute('aria-selected', String(item === next))
  input.setAttribute('aria-activedescendant', next.id)
  next.scrollIntoView({ block: 'nearest' })
}
