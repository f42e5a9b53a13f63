import { basePath } from '../components/api-request.client.ts'
import '../components/dropdowns.client.ts'
import { translated } from '../components/translated.client.ts'
import { type Suggestion, suggest } from '../search/suggest.client.ts'

// The palette (Ctrl+K): objects of every kind, lists and actions of the menu, and the pages seen last. The search box of
// the page suggests objects; without this script it is a form.

const RECENT = 'cadastre:recent'
const MOST_RECENT = 8

const entries = [...document.querySelectorAll('.sidebar a, .user-menu a')].map((link): Suggestion => {
  const isAction = link.classList.contains('add')
  return {
    label: (isAction ? link.getAttribute('aria-label') : link.textContent) ?? '',
    detail: isAction ? translated('Action') : translated('Page'),
    href: link.getAttribute('href') ?? '',
  }
})

function readRecent(): readonly Suggestion[] {
  try {
    return JSON.parse(localStorage.getItem(RECENT) ?? '[]')
  } catch {
    return []
  }
}

/** Keeps the address of the page of an object, which ends with an id, for the next palette. */
function remember(): void {
  const { pathname } = location
  if (!/\/\d+\/$/.test(pathname) || pathname.startsWith(`${basePath()}/api/`)) return
  const label = document.querySelector('h1')?.textContent.trim()
  if (!label) return
  const others = readRecent().filter(({ href }) => href !== pathname)
  const recent = [{ label, detail: translated('Recent'), href: pathname }, ...others]
  localStorage.setItem(RECENT, JSON.stringify(recent.slice(0, MOST_RECENT)))
}

const dialog = document.createElement('dialog')
dialog.className = 'palette'
dialog.setAttribute('aria-label', translated('Go to'))
const input = Object.assign(document.createElement('input'), {
  type: 'search',
  placeholder: translated('Objects, pages, actions'),
})
input.setAttribute('aria-label', translated('Objects, pages, actions'))
const list = Object.assign(document.createElement('ul'), {
  id: 'palette-list',
  className: 'suggestions',
})
dialog.append(input, list)
document.body.append(dialog)

const offer = suggest({
  input,
  list,
  pagesFor: (words) =>
    words.length === 0
      ? [...readRecent(), ...entries.slice(0, 6)]
      : entries.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word))).slice(0, 6),
  choosesFirst: true,
  close: () => dialog.close(),
})
input.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.defaultPrevented) return
  location.assign(`${basePath()}/search/?${new URLSearchParams({ q: input.value })}`)
})
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close()
})

function open(): void {
  input.value = ''
  dialog.showModal()
  offer()
}

const box = document.querySelector<HTMLInputElement>('.search input')
if (box) {
  const below = Object.assign(document.createElement('ul'), {
    id: 'search-list',
    className: 'suggestions',
    hidden: true,
  })
  box.after(below)
  const close = (): void => {
    below.hidden = true
    box.setAttribute('aria-expanded', 'false')
  }
  const offerBelow = suggest({
    ...{ input: box, list: below, pagesFor: () => [], choosesFirst: false, close },
  })
  box.addEventListener('focus', offerBelow)
  // A click on a suggestion comes after the loss of the focus, unless the button that goes down keeps it.
  below.addEventListener('mousedown', (event) => event.preventDefault())
  box.addEventListener('blur', close)
}

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select')
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    if (!dialog.open) open()
  } else if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    box?.focus()
  }
})

remember()
