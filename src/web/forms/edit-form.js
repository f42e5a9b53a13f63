import './choices.js'
import { preparePickers } from '../components/object-picker.js'
import { translated } from '../components/translated.client.ts'

for (const form of document.querySelectorAll('form.edit')) prepare(form)

function prepare(form) {
  preparePickers(form)
  prepareColors(form)
  prepareSlugs(form)
  form.addEventListener('change', ({ target }) => {
    const { name } = target
    const dependent = [...form.querySelectorAll('[data-depends-on]')].filter(({ dataset }) =>
      dataset.dependsOn.split(' ').includes(name),
    )
    if (name && dependent.length > 0) renew(form, name, dependent)
  })
  form.addEventListener('click', (event) => {
    const link = event.target.closest('a.create')
    const field = link?.closest('[data-field]')
    if (!field || event.ctrlKey || event.metaKey || event.shiftKey) return
    const tab = window.open(link.href)
    // Without a tab that the page may look into, the link opens one.
    if (!tab) return
    event.preventDefault()
    awaitCreated(link, tab, (id) => chooseCreated(form, field.dataset.field, id))
  })
}

const CREATED_CHECK = 400

/** Calls back with the id of the object that the form in the tab has created, and closes the tab. */
function awaitCreated(link, tab, chosen) {
  const list = link.pathname.replace(/add\/$/, '')
  const timer = setInterval(() => {
    if (tab.closed) return clearInterval(timer)
    const id = createdIn(tab, list)
    if (id === undefined) return
    clearInterval(timer)
    tab.close()
    chosen(id)
  }, CREATED_CHECK)
}

/** Id of the object that the page in the tab says was created, if it is one of the list. */
function createdIn(tab, list) {
  try {
    const { pathname, search } = tab.location
    const query = new URLSearchParams(search)
    const id = query.get('saved_id')
    return query.get('saved') === 'created' && pathname === `${list}${id}/` ? id : undefined
  } catch {
    // The tab shows a page of another host.
    return undefined
  }
}

/** Chooses an object by its id; the service names it. */
async function chooseCreated(form, name, id) {
  const fieldNow = () => form.querySelector(`[data-field="${CSS.escape(name)}"]`)
  const select = fieldNow()?.querySelector('select')
  // Some fields name objects by their slugs, which the tab does not say.
  if (!select || fieldNow().querySelector('[data-key="slug"]')) return
  const option = new Option(id, id)
  select.append(option)
  option.selected = true
  // A field in use is not renewed.
  document.activeElement?.blur()
  await renew(form, name, [fieldNow()])
  const field = fieldNow()
  field.querySelector('select').dispatchEvent(new Event('change', { bubbles: true }))
  field.querySelector('[role="combobox"], select').focus()
}

/** Asks the service for these fields once more, with the values that are entered now. */
async function renew(form, changed, fields) {
  const body = new FormData(form)
  for (const [name, value] of [...body]) if (value instanceof File) body.delete(name)
  body.set('_refresh', changed)
  let text
  try {
    const response = await fetch(form.action, { method: 'POST', body })
    if (!response.ok) return
    text = await response.text()
  } catch {
    return
  }
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  for (const field of fields) {
    if (field.contains(document.activeElement) || !field.isConnected) continue
    const name = CSS.escape(field.dataset.field)
    const other = fresh.querySelector(`form.edit [data-field="${name}"]`)
    if (!other) continue
    const before = textOf(field)
    field.replaceWith(document.adoptNode(other))
    preparePickers(other)
    // Fields that depend on this one in turn follow.
    if (textOf(other) !== before) {
      other.querySelector('select')?.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}

const textOf = (field) => field.querySelector('select, input:not([type=search])')?.value

/** Fills a slug from the name until the user edits it. */
function prepareSlugs(form) {
  for (const field of form.querySelectorAll('[data-made-from]')) {
    const slug = field.querySelector('input')
    const source = form.elements.namedItem(field.dataset.madeFrom)
    if (!slug || !source || slug.value !== '') continue
    let isOwn = false
    slug.addEventListener('input', () => {
      isOwn = slug.value !== ''
    })
    source.addEventListener('input', () => {
      if (!isOwn) slug.value = slugOf(source.value)
    })
  }
}

const slugOf = (name) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/[\s-]+/g, '-')
    .slice(0, 100)

/** Puts a picker of colours beside the text with the six digits. */
function prepareColors(form) {
  for (const field of form.querySelectorAll('[data-color]')) {
    const text = field.querySelector('input')
    const picker = document.createElement('input')
    picker.type = 'color'
    picker.setAttribute('aria-label', translated('Choose a color'))
    const show = () => {
      if (/^[0-9a-f]{6}$/i.test(text.value)) picker.value = `#${text.value}`
    }
    show()
    text.addEventListener('input', show)
    picker.addEventListener('input', () => {
      text.value = picker.value.slice(1)
    })
    const pair = document.createElement('div')
    pair.className = 'pair'
    text.replaceWith(pair)
    pair.append(text, picker)
  }
}
