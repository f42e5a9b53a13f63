import './branch-of-tab.client.ts'
import { basePath } from '../components/api-request.client.ts'
import '../components/dropdowns.client.ts'
import { translated } from '../components/translated.client.ts'
import { settleSentDraft } from '../forms/draft.client.ts'
import { commands, usedCommands } from './commands.client.ts'
import { type Suggestion, suggest } from './suggest.client.ts'

// The search box of the header (Ctrl+K): objects of every kind, lists and actions of the menu, and the pages seen last;
// without this script it is a form. The menu, which can be collapsed and remembers its state. Keyboard shortcuts.

const RECENT = 'cadastre:recent'
const MOST_RECENT = 8
const MOST_PAGES = 6
/** Seconds for which a browser keeps the state of the menu: a year. */
const KEPT_FOR = 31_536_000
/** Width from which the menu is next to the page. */
const WIDE = matchMedia('(min-width: 56.01rem)')
/** Milliseconds within which the second key of a shortcut follows the first. */
const PATIENCE = 1200

const subjects = [...document.querySelectorAll<HTMLDetailsElement>('.sidebar > details')]
document.addEventListener('mouseover', ({ target }) => {
  const cell =
    target instanceof Element
      ? target.closest<HTMLElement>('.objects-table :is(td, tbody th), .overview li > span')
      : null
  // Text that does not fit appears on hover.
  if (cell && cell.title === '' && cell.scrollWidth > cell.clientWidth) cell.title = cell.innerText
})

document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('.toast > .close')) target.closest('.toast')?.remove()
})

/** The entry of the menu for the page, or for the list of its object. */
const current = document.querySelector('.sidebar [aria-current]')
const subjectOf = (link: Element | undefined): string =>
  link?.closest<HTMLElement>('[data-subject]')?.dataset.subject ?? 'search'

const links = [...document.querySelectorAll<HTMLAnchorElement>('.user-menu a, .sidebar > details a')]
const entries = links.flatMap((link): readonly Suggestion[] => {
  const isAction = link.classList.contains('add')
  const href = link.getAttribute('href') ?? ''
  const entry: Suggestion = {
    label: (isAction ? link.getAttribute('aria-label') : link.textContent) ?? '',
    detail: isAction ? translated('Action') : translated('Page'),
    href,
    icon: isAction ? 'add' : subjectOf(link),
    words: link.dataset.words,
  }
  const list = link.previousElementSibling?.textContent
  return link.dataset.import !== undefined && list
    ? [
        entry,
        {
          ...entry,
          label: translated('Import {objects}', { objects: list }),
          href: href.replace(/[^/]+\/$/, 'import/'),
          words: 'import',
        },
      ]
    : [entry]
})

/** Lists of the menu by their address. */
const lists = [...document.querySelectorAll<HTMLAnchorElement>('.sidebar > details li > a:first-child')]

/** The icon of the list to which an address belongs. */
const iconOf = (href: string): string =>
  subjectOf(lists.find((link) => href.startsWith(link.getAttribute('href') ?? ' ')))

function readRecent(): readonly Suggestion[] {
  try {
    return JSON.parse(localStorage.getItem(RECENT) ?? '[]')
  } catch {
    return []
  }
}

/** Stores the URL of an object's page, which ends with an id, for the next search. */
function remember(): void {
  const { pathname } = location
  if (!/\/\d+\/$/.test(pathname) || pathname.startsWith(`${basePath()}/api/`)) return
  const label = document.querySelector('h1')?.textContent.trim()
  const [visit] = performance.getEntriesByType('navigation')
  const isRefused = visit instanceof PerformanceNavigationTiming && visit.responseStatus >= 400
  if (!label || isRefused) return
  const otherPages = readRecent().filter(({ href }) => href !== pathname)
  const kind = document.querySelector('.heading .kind')?.textContent.trim()
  const recent = [
    { label, detail: kind ?? translated('Recent'), href: pathname, icon: iconOf(pathname) },
    ...otherPages,
  ]
  localStorage.setItem(RECENT, JSON.stringify(recent.slice(0, MOST_RECENT)))
}

const box = document.querySelector<HTMLInputElement>('.search input')
if (box) prepareSearch(box)

function prepareSearch(input: HTMLInputElement): void {
  const list = Object.assign(document.createElement('ul'), {
    id: 'search-list',
    className: 'suggestions',
    hidden: true,
  })
  input.after(list)
  const close = (): void => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
  }
  const offer = suggest({
    input,
    list,
    iconOf,
    pagesFor: (words) => {
      if (words.length === 0) return [...usedCommands(), ...readRecent(), ...entries.slice(0, MOST_PAGES)]
      const isMatch = ({ label, words: others = '' }: Suggestion) =>
        words.every((word) => `${label} ${others}`.toLowerCase().includes(word))
      const pages = [...commands().filter(isMatch), ...entries.filter(isMatch)]
      // Enter alone may open an object.
      const query = new URLSearchParams({ q: words.join(' ') })
      const results = {
        label: translated('All results'),
        detail: '',
        href: `${basePath()}/search/?${query}`,
        isSearch: true,
      }
      return [...pages.slice(0, MOST_PAGES), results]
    },
    close,
  })
  input.addEventListener('focus', offer)
  // A click on a suggestion comes after the loss of focus, unless the mousedown event is prevented.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  input.addEventListener('blur', close)
}

/**
 * The button in the header: if the menu is next to the page, it makes the menu narrow; in narrow windows, it opens the
 * menu above the page.
 */
function prepareMenu(button: HTMLButtonElement): void {
  const root = document.documentElement
  const store = (): void => {
    const state = root.dataset.menu === 'narrow' ? 'narrow' : 'wide'
    // biome-ignore lint/suspicious/noDocumentCookie: the other way is missing in Firefox
    document.cookie = `menu=${state}; path=${basePath() || '/'}; max-age=${KEPT_FOR}; samesite=lax`
  }
  const set = (state: 'narrow' | 'wide' | 'open'): void => {
    root.dataset.menu = state
    button.setAttribute('aria-expanded', String(state === (WIDE.matches ? 'wide' : 'open')))
  }
  const isOpen = (): boolean => root.dataset.menu === (WIDE.matches ? 'wide' : 'open')
  button.hidden = false
  button.setAttribute('aria-controls', 'menu')
  set(root.dataset.menu === 'narrow' ? 'narrow' : 'wide')
  button.addEventListener('click', () => {
    set(WIDE.matches ? (isOpen() ? 'narrow' : 'wide') : isOpen() ? 'wide' : 'open')
    if (WIDE.matches) store()
  })
  for (const subject of subjects) {
    subject.querySelector('summary')?.addEventListener('click', (event) => {
      if (root.dataset.menu !== 'narrow') return
      event.preventDefault()
      set('wide')
      store()
      subject.open = true
    })
  }
  // Scrolls only the menu: `scrollIntoView` would also scroll the page, away from its top.
  const menu = current?.closest('.sidebar')
  if (WIDE.matches && current && menu) {
    menu.scrollTop += Math.max(0, current.getBoundingClientRect().bottom - menu.getBoundingClientRect().bottom)
  }
  document.addEventListener('click', ({ target }) => {
    const isOutside = target instanceof Element && !target.closest('.sidebar, .menu-button')
    if (root.dataset.menu === 'open' && isOutside) set('wide')
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && root.dataset.menu === 'open') set('wide')
  })
}

const menuButton = document.querySelector<HTMLButtonElement>('.menu-button')
if (menuButton) prepareMenu(menuButton)

/** Lists to which G and a letter lead. */
const PLACES: Readonly<Record<string, string>> = {
  h: '/',
  s: '/dcim/sites/',
  r: '/dcim/racks/',
  d: '/dcim/devices/',
  i: '/dcim/interfaces/',
  c: '/dcim/cables/',
  p: '/ipam/prefixes/',
  a: '/ipam/ip-addresses/',
  v: '/ipam/vlans/',
  m: '/virtualization/virtual-machines/',
  l: '/core/changelog/',
}

const shortcuts = (): readonly (readonly [keys: string, text: string])[] => [
  ['/  Ctrl+K', translated('Search or jump to…')],
  ['?', translated('Keyboard shortcuts')],
  ['J  K', translated('Next and previous row')],
  ['Enter', translated('Open the row')],
  ['←  →  Enter', translated('Change a value of the row')],
  ['Space', translated('Peek at the row')],
  ['X', translated('Select the row')],
  ['F', translated('Open the filters')],
  ['C', translated('Add an object')],
  ['E', translated('Edit the object')],
  ['Ctrl+Enter', translated('Save the form')],
  ...lists.flatMap((link): readonly (readonly [string, string])[] => {
    const [key] = Object.entries(PLACES).find(([, path]) => link.getAttribute('href') === basePath() + path) ?? []
    return key === undefined ? [] : [[`G ${key.toUpperCase()}`, link.textContent]]
  }),
]

function showShortcuts(): void {
  const dialog = Object.assign(document.createElement('dialog'), { className: 'shortcuts' })
  const title = Object.assign(document.createElement('h2'), { textContent: translated('Keyboard shortcuts') })
  const rows = document.createElement('dl')
  for (const [keys, text] of shortcuts()) {
    const row = document.createElement('div')
    const pressed = document.createElement('dd')
    for (const key of keys.split(/ +/))
      pressed.append(Object.assign(document.createElement('kbd'), { textContent: key }), ' ')
    row.append(Object.assign(document.createElement('dt'), { textContent: text }), pressed)
    rows.append(row)
  }
  dialog.setAttribute('aria-label', title.textContent)
  dialog.append(title, rows)
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  document.body.append(dialog)
  dialog.showModal()
}

const help = document.querySelector<HTMLButtonElement>('.shortcuts-button')
if (help) {
  help.hidden = false
  help.addEventListener('click', showShortcuts)
}

// On a phone, the bar of tabs begins at the tab of the page.
const tabs = document.querySelector('.tabs > ul')
const tab = tabs?.querySelector(':scope > li:has([aria-current])')
if (tabs && tab) tabs.scrollLeft += Math.max(0, tab.getBoundingClientRect().right - tabs.getBoundingClientRect().right)

let wentAt = Number.NEGATIVE_INFINITY

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event
  const field = target instanceof Element ? target.closest<HTMLInputElement>('input, textarea, select') : null
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') {
    event.preventDefault()
    box?.focus()
    box?.select()
  } else if ((ctrlKey || metaKey) && key === 'Enter' && field?.form?.getAttribute('method') === 'post') {
    event.preventDefault()
    field.form.requestSubmit(firstButtonOf(field.form))
  }
  const isTyping = field !== null && field.type !== 'checkbox'
  if (isTyping || ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return
  const place = PLACES[key]
  if (place !== undefined && event.timeStamp - wentAt < PATIENCE) location.assign(basePath() + place)
  else if (key === 'g') wentAt = event.timeStamp
  else if (key === '?') showShortcuts()
  else if (key === 'c' || key === 'e') document.querySelector<HTMLElement>(`main a[data-key="${key}"]`)?.click()
  else if (key === '/') {
    event.preventDefault()
    box?.focus()
  }
})

remember()
settleSentDraft()

/** The first visible button that sends the form: what it means may depend on the button, as with Enter. */
function firstButtonOf(form: HTMLFormElement): HTMLElement | undefined {
  const buttons = form.querySelectorAll<HTMLElement>('button:not([type=button]):not([type=reset]):not([disabled])')
  return [...buttons].find((button) => button.offsetParent !== null)
}
