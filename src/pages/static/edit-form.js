import { translated } from './islands/translated.ts'
import { preparePickers } from './object-picker.js'

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
  form.addEventListener('click', ({ target }) => {
    const link = target.closest('a.create')
    // The form for a new object opens in another tab: what is made there can be chosen on return.
    if (link) window.addEventListener('focus', () => renewList(form, link), { once: true })
  })
}

function renewList(form, link) {
  const field = link.closest('[data-field]')
  if (field && !field.querySelector('[role="combobox"]')) renew(form, '', [field])
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
