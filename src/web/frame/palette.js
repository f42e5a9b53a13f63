// The palette (Ctrl+K): objects of every kind, lists and actions of the menu, and the pages seen last. The search box of
// the page works without it.
import '../forms/choices.js'
import { translated } from '../components/translated.client.ts'

const base = document.body.dataset.basePath
const RECENT = 'cadastre:recent'
const MOST_RECENT = 8
const PAUSE = 150

const entries = [...document.querySelectorAll('.sidebar a, .user-menu a')].map((link) => ({
  label: link.classList.contains('add') ? link.getAttribute('aria-label') : link.textContent,
  detail: link.classList.contains('add') ? translated('Action') : translated('Page'),
  href: link.getAttribute('href'),
}))

const read = () => {
  try {
    return JSON.parse(localStorage.getItem(RECENT) ?? '[]')
  } catch {
    return []
  }
}

/** Keeps the address of the page of an object, which ends with an id, for the next palette. */
function remember() {
  if (!/\/\d+\/$/.test(location.pathname) || location.pathname.startsWith(`${base}/api/`)) return
  const label = document.querySelector('h1')?.textContent.trim()
  if (!label) return
  const others = read().filter(({ href }) => href !== location.pathname)
  const recent = [{ label, detail: translated('Recent'), href: location.pathname }, ...others]
  localStorage.setItem(RECENT, JSON.stringify(recent.slice(0, MOST_RECENT)))
}

const dialog = document.createElement('dialog')
dialog.className = 'palette'
dialog.setAttribute('aria-label', translated('Go to'))
const input = Object.assign(document.createElement('input'), {
  type: 'search',
  placeholder: translated('Objects, pages, actions'),
  autocomplete: 'off',
})
for (const [name, value] of Object.entries({
  role: 'combobox',
  'aria-label': translated('Objects, pages, actions'),
  'aria-controls': 'palette-list',
  'aria-expanded': 'true',
  'aria-autocomplete': 'list',
})) {
  input.setAttribute(name, value)
}
const list = Object.assign(document.createElement('ul'), { id: 'palette-list' })
list.setAttribute('role', 'listbox')
list.setAttribute('aria-label', translated('Matches'))
dialog.append(input, list)
document.body.append(dialog)

let current = 0
let asked = 0

function show(matches) {
  current = 0
  list.replaceChildren(
    ...matches.map(({ label, detail, href }, index) => {
      const item = Object.assign(document.createElement('li'), { id: `palette-${index}` })
      item.setAttribute('role', 'option')
      item.dataset.href = href
      const name = document.createElement('bdi')
      name.textContent = label
      const kind = Object.assign(document.createElement('span'), {
        className: 'muted',
        textContent: detail,
      })
      item.append(name, ' ', kind)
      return item
    }),
  )
  mark()
}

function mark() {
  for (const [index, item] of [...list.children].entries()) {
    item.setAttribute('aria-selected', String(index === current))
    if (index === current) item.scrollIntoView({ block: 'nearest' })
  }
  input.setAttribute('aria-activedescendant', list.children[current]?.id ?? '')
}

const pagesWith = (words) =>
  entries.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))

async function objectsWith(text) {
  const query = new URLSearchParams({ q: text, limit: '8' })
  const answer = await fetch(`${base}/api/search/?${query}`, {
    headers: { accept: 'application/json' },
  })
  if (!answer.ok) return []
  const { results, groups } = await answer.json()
  const names = new Map(groups.map(({ object_type: type, name }) => [type, name]))
  return results.map(({ object, object_type: type }) => ({
    label: object.display,
    detail: names.get(type) ?? type,
    // The address has the host that the API is configured with; the page uses its path.
    href: new URL(object.display_url ?? object.url, location.href).pathname,
  }))
}

async function search() {
  const text = input.value.trim()
  const turn = ++asked
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return show([...read(), ...entries.slice(0, 6)])
  const pages = pagesWith(words).slice(0, 6)
  show(pages)
  await new Promise((resolve) => setTimeout(resolve, PAUSE))
  if (turn !== asked) return
  const objects = await objectsWith(text)
  if (turn === asked) show([...objects, ...pages].filter(({ href }) => href))
}

const go = (item) => {
  if (item) location.assign(item.dataset.href)
}

input.addEventListener('input', search)
input.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step) {
    event.preventDefault()
    current = (current + step + list.children.length) % Math.max(1, list.children.length)
    mark()
  } else if (event.key === 'Enter') {
    event.preventDefault()
    if (list.children[current]) go(list.children[current])
    else location.assign(`${base}/search/?${new URLSearchParams({ q: input.value })}`)
  }
})
list.addEventListener('click', (event) => go(event.target.closest('li')))
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close()
})

function open() {
  input.value = ''
  dialog.showModal()
  search()
}

document.addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, select')
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    if (!dialog.open) open()
  } else if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    document.querySelector('.search input')?.focus()
  }
})

remember()
