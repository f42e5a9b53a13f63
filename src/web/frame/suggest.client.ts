import { apiRequest } from '../components/api-request.client.ts'
import { translated } from '../components/translated.client.ts'

/** An entry of the list below a text: a page, an object, or a command. */
export interface Suggestion {
  readonly label: string
  /** Text that distinguishes it from other objects of the same name, such as the device of an interface. */
  readonly context?: string
  readonly detail: string
  /** Address; of a command, a name that no other entry has. */
  readonly href: string
  readonly icon?: string
  /** Words in lower case by which it is found besides its label, such as its English name. */
  readonly words?: string | undefined
  /** It leads to all results of the search. */
  readonly isSearch?: boolean
  /** What a command does. */
  readonly run?: () => void
}

interface FoundObjects {
  readonly results: readonly {
    readonly name: string
    readonly context: string
    readonly kind: string
    readonly page: string
  }[]
}

interface Suggesting {
  readonly input: HTMLInputElement
  /** Empty list for the suggestions; hidden while there are none. */
  readonly list: HTMLUListElement
  /** Offered in addition to objects, and before they are found. */
  readonly pagesFor: (words: readonly string[]) => readonly Suggestion[]
  /** Name of the icon for the object at an address. */
  readonly iconOf: (href: string) => string
  /** Escape was pressed. */
  readonly close: () => void
}

/** Milliseconds without a key press after which the search starts. */
const PAUSE = 100

/** Suggests objects and pages while the user types. Returns the function that suggests them for the current text. */
export function suggest({ input, list, pagesFor, iconOf, close }: Suggesting): () => void {
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', translated('Matches'))
  for (const [name, value] of Object.entries({
    role: 'combobox',
    autocomplete: 'off',
    'aria-controls': list.id,
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
  })) {
    input.setAttribute(name, value)
  }

  // Enter without an arrow key sends the form.
  let current = -1
  /** Number of the latest search: earlier ones may end after it. */
  let latest = 0
  let offered: readonly Suggestion[] = []

  function show(suggestions: readonly Suggestion[]): void {
    // What the user has already reached by arrow keys stays chosen when objects are added to the pages.
    const chosen = offered[current]?.href
    current = chosen === undefined ? -1 : suggestions.findIndex(({ href }) => href === chosen)
    offered = suggestions
    list.replaceChildren(...suggestions.map((suggestion, index) => option(suggestion, `${list.id}-${index}`)))
    list.hidden = suggestions.length === 0
    mark()
  }

  function mark(): void {
    input.setAttribute('aria-expanded', String(!list.hidden))
    for (const [index, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(index === current))
      if (index === current) item.scrollIntoView({ block: 'nearest' })
    }
    input.setAttribute('aria-activedescendant', list.children[current]?.id ?? '')
  }

  async function offer(): Promise<void> {
    const text = input.value.trim()
    const turn = ++latest
    const pages = pagesFor(text.toLowerCase().split(/\s+/).filter(Boolean))
    if (text === '' || pages.length > 0) show(pages)
    if (text === '') return
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
    if (turn !== latest) return
    // If no objects are found, only pages are shown.
    const objects = await objectsWith(text).catch(() => undefined)
    if (turn !== latest) return
    const further = objects?.length === 0 ? withoutResults(pages) : pages
    show([...(objects ?? []).map((suggestion) => ({ ...suggestion, icon: iconOf(suggestion.href) })), ...further])
  }

  input.addEventListener('input', () => {
    current = -1
    void offer()
  })
  input.addEventListener('keydown', (event) => {
    const { length } = list.children
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const chosen = offered[current]
    if (step !== 0 && length > 0) {
      event.preventDefault()
      current = current < 0 && step < 0 ? length - 1 : (current + step + length) % length
      mark()
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      go(chosen)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      latest++
      // The second time, one leaves the box.
      if (list.hidden) {
        input.value = ''
        input.blur()
      }
      close()
    }
  })
  list.addEventListener('click', ({ target }) => {
    const item = target instanceof Element && target.closest('li')
    const chosen = item ? offered[[...list.children].indexOf(item)] : undefined
    if (chosen) go(chosen)
  })
  return () => void offer()
}

/** Without the link to all results; it says that there are none if there is nothing else. */
const withoutResults = (pages: readonly Suggestion[]): readonly Suggestion[] =>
  pages.every(({ isSearch }) => isSearch === true)
    ? pages.map((page) => ({ ...page, label: translated('Nothing found'), detail: '' }))
    : pages.filter(({ isSearch }) => isSearch !== true)

async function objectsWith(text: string): Promise<readonly Suggestion[]> {
  const query = new URLSearchParams({ q: text })
  const { results } = await apiRequest<FoundObjects>('GET', `/search/suggestions/?${query}`)
  return results.map(({ name, context, kind, page }) => ({
    ...{ label: name, context, detail: kind, href: page },
  }))
}

function option({ label, context, detail, href, icon = 'search' }: Suggestion, id: string): HTMLLIElement {
  const item = Object.assign(document.createElement('li'), { id })
  item.setAttribute('role', 'option')
  item.dataset.href = href
  item.append(Object.assign(document.createElement('span'), { className: `icon i-${icon}` }))
  const name = document.createElement('span')
  const text = document.createElement('bdi')
  text.textContent = label
  name.append(text)
  if (context) name.append(' ', muted(`· ${context}`))
  item.append(name, ' ', muted(detail))
  return item
}

const muted = (textContent: string): HTMLElement =>
  Object.assign(document.createElement('span'), { className: 'muted', textContent })

function go({ href, run }: Suggestion): void {
  if (run) run()
  else location.assign(href)
}
