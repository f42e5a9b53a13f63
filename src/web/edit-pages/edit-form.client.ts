import { prepareFarEndSearch } from '../cabling/far-end-search.client.ts'
import '../components/dropdowns.client.ts'
import { prepareComboboxes } from '../components/object-picker.client.ts'
import { addressOf, fieldOf, pageAt } from '../components/page-at.client.ts'
import { translated } from '../components/translated.client.ts'
import { keepDraft } from '../forms/draft.client.ts'
import { slugOf } from '../forms/slug.client.ts'

for (const form of document.querySelectorAll<HTMLFormElement>('form.edit')) {
  prepareForm(form)
  prepareFarEndSearch(form, replaceField)
}

/** Makes the choices, searches, colors and slugs of a form ready. */
export function prepareForm(form: HTMLFormElement): void {
  if (form.hasAttribute('data-draft')) keepDraft(form, prepareForm)
  refuseUnmatched(form)
  prepareComboboxes(form)
  prepareColors(form)
  prepareSlugs(form)
  prepareConditions(form)
  form.addEventListener('change', ({ target }) => {
    const name = nameOf(target)
    if (name === '') return
    const dependent = [...form.querySelectorAll<HTMLElement>('[data-depends-on]')].filter(({ dataset }) =>
      dataset.dependsOn?.split(' ').includes(name),
    )
    if (dependent.length > 0) void renew(form, name, dependent.map(fieldName))
  })
  form.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.create') : null
    const name = link?.closest<HTMLElement>('[data-field]')?.dataset.field
    if (!link || !name || event.ctrlKey || event.metaKey || event.shiftKey) return
    const tab = window.open(link.href)
    // If the page cannot access such a tab, the link opens one normally.
    if (!tab) return
    event.preventDefault()
    awaitCreated(link, tab, (id) => void chooseCreated(form, name, id))
  })
}

const nameOf = (target: EventTarget | null): string =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
    ? target.name
    : ''

/** A form is not sent while the words in one of its choices are no value: they would be lost without a word. */
function refuseUnmatched(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    const input = [...form.querySelectorAll<HTMLInputElement>('[role="combobox"]')].find(
      ({ validity }) => validity.customError,
    )
    if (!input) return
    event.preventDefault()
    event.stopImmediatePropagation()
    input.focus()
    input.scrollIntoView({ block: 'center' })
  })
}

const CREATED_CHECK = 400

/** Calls back with the id of the object that the form in the tab has created, and closes the tab. */
function awaitCreated(link: HTMLAnchorElement, tab: Window, chosen: (id: string) => void): void {
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

/** Id of the created object that the page in the tab reports, if it belongs to the list. */
function createdIn(tab: Window, list: string): string | undefined {
  try {
    const { pathname, search } = tab.location
    const query = new URLSearchParams(search)
    const id = query.get('saved_id')
    const isOfList = query.get('saved') === 'created' && pathname === `${list}${id}/`
    return (isOfList && id) || undefined
  } catch {
    // The tab shows a page of another host.
    return undefined
  }
}

/** Selects an object by its id; its name comes from the service. */
async function chooseCreated(form: HTMLFormElement, name: string, id: string): Promise<void> {
  const field = fieldOf(form, name)
  const select = field?.querySelector('select')
  // Some fields identify objects by slug, which the tab does not report.
  if (!field || !select || field.querySelector('[data-key="slug"]')) return
  const option = new Option(id, id)
  select.append(option)
  option.selected = true
  // Words in the search, which would be searched for again, are replaced by the chosen object.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  await renew(form, name, [name])
  const renewed = fieldOf(form, name)
  renewed?.querySelector('select')?.dispatchEvent(new Event('change', { bubbles: true }))
  renewed?.querySelector<HTMLElement>('[role="combobox"], select')?.focus()
}

const fieldName = ({ dataset }: HTMLElement): string => dataset.field ?? ''

/** Latest request for each field, by the field's name. */
const latestRequests = new Map<string, object>()

/**
 * Requests fields again, with the values that are currently entered. Requests may overlap: a field follows the latest
 * one for it, and keeps a value that has been entered since then.
 */
async function renew(form: HTMLFormElement, changed: string, names: readonly string[]): Promise<void> {
  const body = new FormData(form)
  for (const [name, value] of [...body]) if (value instanceof File) body.delete(name)
  body.set('_refresh', changed)
  const sent = new Map(names.map((name) => [name, textOf(fieldOf(form, name))]))
  for (const name of names) latestRequests.set(name, body)
  const renewed = (await pageAt(addressOf(form), { method: 'POST', body }))?.querySelector('form.edit')
  if (!renewed) return
  for (const name of names) {
    const field = fieldOf(form, name)
    const fresh = fieldOf(renewed, name)
    if (!field || !fresh || latestRequests.get(name) !== body) continue
    const before = textOf(field)
    if (before !== sent.get(name)) continue
    replaceField(field, document.adoptNode(fresh))
    // Fields that depend on this one in turn are updated too.
    if (textOf(fresh) !== before) {
      fresh.querySelector('select')?.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}

/** Puts a renewed field in its place. If the user is already in it, the words of a search are searched for again. */
function replaceField(field: HTMLElement, fresh: HTMLElement): void {
  const active = field.contains(document.activeElement) ? document.activeElement : null
  const words = active instanceof HTMLInputElement && active.value !== labelOf(field) ? active.value : ''
  const isOpen = active?.getAttribute('aria-expanded') === 'true'
  field.replaceWith(fresh)
  prepareComboboxes(fresh)
  const input = fresh.querySelector<HTMLElement>('[role="combobox"], input, textarea')
  if (!active || !input) return
  input.focus()
  if (input instanceof HTMLInputElement && words !== '') {
    input.value = words
    input.dispatchEvent(new Event('input', { bubbles: true }))
  } else if (isOpen) input.click()
}

/** Label of the object or choice that a field shows. */
const labelOf = (field: HTMLElement): string =>
  field.querySelector('select')?.selectedOptions[0]?.textContent.trim() ?? ''

const textOf = (field: Element | null): string | undefined =>
  field?.querySelector<HTMLSelectElement | HTMLInputElement | HTMLTextAreaElement>(
    'select, input:not([type=search]), textarea',
  )?.value

/** Fills a slug from the name until the user edits it. */
function prepareSlugs(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll<HTMLElement>('[data-made-from]')) {
    const slug = field.querySelector('input')
    const source = form.elements.namedItem(field.dataset.madeFrom ?? '')
    if (!slug || !(source instanceof HTMLInputElement) || slug.value !== '') continue
    let isEntered = false
    slug.addEventListener('input', () => {
      isEntered = slug.value !== ''
    })
    source.addEventListener('input', () => {
      if (!isEntered) slug.value = slugOf(source.value)
    })
  }
}

/** Keeps an empty row below the conditions. */
function prepareConditions(form: HTMLFormElement): void {
  form.addEventListener('input', ({ target }) => {
    const row = target instanceof HTMLElement ? target.closest('.condition') : null
    const fresh = row?.nextElementSibling?.matches('.condition') === false ? row.cloneNode(true) : undefined
    if (!row || !(fresh instanceof HTMLElement)) return
    for (const input of fresh.querySelectorAll('input')) input.value = ''
    row.after(fresh)
  })
}

/** Puts a colour picker next to the text with the six digits. */
function prepareColors(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll('[data-color]')) {
    const text = field.querySelector('input')
    if (!text) continue
    const picker = document.createElement('input')
    picker.type = 'color'
    picker.setAttribute('aria-label', translated('Choose a color'))
    const show = (): void => {
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
