import { apiRequest, basePath } from '../components/api-request.client.ts'
import '../components/dropdowns.client.ts'
import { translated } from '../components/translated.client.ts'

// The palette (Ctrl+K): objects of every kind, lists and actions of the menu, and the pages seen last. The search box of
// the page works without it.

/** What the palette offers: a page or an object. */
interface Entry {
  readonly label: string
  readonly detail: string
  readonly href: string
}

interface FoundObjects {
  readonly groups: readonly { readonly object_type: string; readonly name: string }[]
  readonly results: readonly {
    readonly object_type: string
    readonly object: {
      readonly display: string
      readonly display_url: string | null
      readonly url: string
    }
  }[]
}

const RECENT = 'cadastre:recent'
const MOST_RECENT = 8
const PAUSE = 150

const entries = [...document.querySelectorAll('.sidebar a, .user-menu a')].map((link): Entry => {
  const isAction = link.classList.contains('add')
  return {
    label: (isAction ? link.getAttribute('aria-label') : link.textContent) ?? '',
    detail: isAction ? translated('Action') : translated('Page'),
    href: link.getAttribute('href') ?? '',
  }
})

function readRecent(): readonly Entry[] {
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
/** Number of the latest search: earlier ones may end after it. */
let latest = 0

function show(matches: readonly Entry[]): void {
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

function mark(): void {
  for (const [index, item] of [...list.children].entries()) {
    item.setAttribute('aria-selected', String(index === current))
    if (index === current) item.scrollIntoView({ block: 'nearest' })
  }
  input.setAttribute('aria-activedescendant', list.children[current]?.id ?? '')
}

const pagesWith = (words: readonly string[]): readonly Entry[] =>
  entries.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))

async function objectsWith(text: string): Promise<readonly Entry[]> {
  const query = new URLSearchParams({ q: text, limit: '8' })
  const { results, groups } = await apiRequest<FoundObjects>('GET', `/api/search/?${query}`)
  const names = new Map(groups.map(({ object_type: type, name }) => [type, name]))
  return results.map(({ object, object_type: type }) => ({
    label: object.display,
    detail: names.get(type) ?? type,
    // The address has the host that the API is configured with; the page uses its path.
    href: new URL(object.display_url ?? object.url, location.href).pathname,
  }))
}

async function search(): Promise<void> {
  const text = input.value.trim()
  const turn = ++latest
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return show([...readRecent(), ...entries.slice(0, 6)])
  const pages = pagesWith(words).slice(0, 6)
  show(pages)
  await new Promise((resolve) => setTimeout(resolve, PAUSE))
  if (turn !== latest) return
  // Without objects the palette offers pages.
  const objects = await objectsWith(text).catch(() => [])
  if (turn === latest) show([...objects, ...pages].filter(({ href }) => href))
}

function go(item: Element | null | undefined): void {
  if (item instanceof HTMLElement && item.dataset.href) location.assign(item.dataset.href)
}

input.addEventListener('input', search)
input.addEventListener('keydown', (event) => {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step !== 0) {
    event.preventDefault()
    current = (current + step + list.children.length) % Math.max(1, list.children.length)
    mark()
  } else if (event.key === 'Enter') {
    event.preventDefault()
    if (list.children[current]) go(list.children[current])
    else location.assign(`${basePath()}/search/?${new URLSearchParams({ q: input.value })}`)
  }
})
list.addEventListener('click', ({ target }) => {
  if (target instanceof Element) go(target.closest('li'))
})
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close()
})

function open(): void {
  input.value = ''
  dialog.showModal()
  void search()
}

document.addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, select')
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    if (!dialog.open) open()
  } else if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    document.querySelector<HTMLInputElement>('.search input')?.focus()
  }
})

remember()
