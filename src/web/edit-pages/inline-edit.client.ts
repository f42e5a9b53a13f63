import { fieldOf } from '../components/page-at.client.ts'
import { translated } from '../components/translated.client.ts'
import { type InlineValue, inlineCell } from '../lists/inline-cells.client.ts'
import { prepareForm } from './edit-form.client.ts'

// A double click on a value of a list or of an object's page opens the field of the object's form in its place. The
// form is the one of the page that changes the object, with all other fields hidden, so that it is checked, refused
// and undone in the same way. By the keyboard: Enter on a chosen cell, or the button at a value.

/** The open form with its value. */
let open: { readonly panel: HTMLElement; readonly value: InlineValue } | undefined

document.addEventListener('dblclick', (event) => {
  const value = inlineCell(event.target) ?? inlineAttribute(event.target)
  if (!value || (event.target instanceof Element && event.target.closest('a, button, input, label, .inline-edit')))
    return
  event.preventDefault()
  getSelection()?.removeAllRanges()
  void edit(value)
})
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !open || event.defaultPrevented) return
  event.stopPropagation()
  close()
})
document.addEventListener('pointerdown', ({ target }) => {
  if (open && target instanceof Element && !open.panel.contains(target) && !target.closest('.options')) close()
})
prepareAttributes()

/** The value of the panel of an object, if the user may change the object. */
function inlineAttribute(target: EventTarget | null): InlineValue | undefined {
  const place = target instanceof Element ? target.closest<HTMLElement>('dd[data-inline]') : null
  const form = document.querySelector<HTMLAnchorElement>('.heading a[data-key="e"]')?.href
  const name = place?.dataset.inline
  return !place || name === undefined || form === undefined ? undefined : { place, name, form }
}

/** Each value of an object has a button, for the keyboard and for touch. */
function prepareAttributes(): void {
  for (const place of document.querySelectorAll<HTMLElement>('dd[data-inline]')) {
    const value = inlineAttribute(place)
    if (!value) return
    const label = place.previousElementSibling?.textContent?.trim() ?? ''
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'edit-value' })
    button.setAttribute('aria-label', translated('Edit {name}', { name: label }))
    button.append(Object.assign(document.createElement('span'), { className: 'icon i-edit' }))
    button.addEventListener('click', () => void edit(value))
    place.append(button)
  }
}

function close(): void {
  const { panel, value } = open ?? {}
  open = undefined
  panel?.remove()
  const button = value?.place.querySelector<HTMLElement>('.edit-value')
  button?.focus()
}

/** Opens the field. The address of the form leads back to this page. */
async function edit(value: InlineValue): Promise<void> {
  close()
  const address = new URL(value.form)
  address.searchParams.set('return_url', `${location.pathname}${location.search}`)
  value.place.setAttribute('aria-busy', 'true')
  const response = await requested(address.href)
  value.place.removeAttribute('aria-busy')
  const form = response && formFor(response.page, value)
  // A form without the field, or none at all, is a page of its own.
  if (!form) return location.assign(address.href)
  const panel = document.createElement('div')
  panel.className = 'inline-edit'
  panel.setAttribute('role', 'dialog')
  panel.setAttribute('aria-label', fieldOf(form, value.name)?.querySelector('label')?.textContent?.trim() ?? value.name)
  document.body.append(panel)
  open = { panel, value }
  show(form)
}

/** The form of the page, if it has the field. */
function formFor(page: Document, { name }: InlineValue): HTMLFormElement | undefined {
  const form = page.querySelector<HTMLFormElement>('form.edit')
  const field = form && fieldOf(form, name)
  if (!form || !field) return undefined
  // What is typed here is saved or discarded at once, and one field is not folded.
  form.removeAttribute('data-draft')
  form.removeAttribute('data-folds')
  for (const details of form.querySelectorAll('details')) if (details.contains(field)) details.open = true
  field.dataset.edited = ''
  return form
}

/** Puts the form into the panel, next to the value. */
function show(form: HTMLFormElement): void {
  if (!open) return
  const { panel, value } = open
  panel.replaceChildren(document.adoptNode(form))
  prepareForm(form)
  form.querySelector('.buttons a')?.addEventListener('click', (event) => {
    event.preventDefault()
    close()
  })
  // A choice is saved as soon as it is made.
  form.addEventListener('change', ({ target }) => {
    const isChoice = target instanceof HTMLSelectElement && !target.multiple && target.name === value.name
    if (isChoice) form.requestSubmit()
  })
  form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
    event.preventDefault()
    void save(form, value)
  })
  const { left, top, width } = value.place.getBoundingClientRect()
  panel.style.setProperty('--left', `${Math.max(8, Math.min(left, innerWidth - panel.offsetWidth - 8))}px`)
  panel.style.setProperty('--top', `${Math.max(8, Math.min(top, innerHeight - panel.offsetHeight - 8))}px`)
  panel.style.setProperty('--value-width', `${width}px`)
  fieldOf(form, value.name)
    ?.querySelector<HTMLElement>('input:not([type="hidden"], [hidden]), textarea, select:not([hidden])')
    ?.focus()
}

/** Sends the form. A refused one is shown again; after a saved one, the page is read again with its sentence. */
async function save(form: HTMLFormElement, value: InlineValue): Promise<void> {
  const { action } = form
  const body = new FormData(form)
  body.set('_save', '1')
  const response = await requested(action, { method: 'POST', body })
  if (response?.isRedirected) {
    if (showSaved(response.page, value.place)) {
      close()
      return history.replaceState(history.state, '', response.url)
    }
    // The browser keeps the positions of the page and of its table.
    history.replaceState(history.state, '', response.url)
    return location.reload()
  }
  const refused = response && formFor(response.page, value)
  if (refused) return show(refused)
  // Another page, such as the comparison of an object that was changed meanwhile, needs the whole window.
  form.submit()
}

/** Address of the form of a row's object, without the page to which that form leads back. */
const formOf = (row: Element): string | undefined =>
  row.querySelector<HTMLAnchorElement>('.row-actions a[data-edits]')?.getAttribute('href')?.replace(/\?.*/, '')

/**
 * Puts the saved values into the row of a list, and the sentence of the page above it, so that nothing else moves. False
 * if the row is no longer in the list, or has other columns.
 */
function showSaved(page: Document, place: HTMLElement): boolean {
  const row = place.closest('tr')
  const fresh = [...page.querySelectorAll('.in-list tbody tr')].find((other) => row && formOf(other) === formOf(row))
  const isEqual = page.querySelectorAll('.in-list thead th').length === row?.cells.length
  if (!row || !(fresh instanceof HTMLTableRowElement) || !isEqual) return false
  for (const [index, cell] of [...fresh.cells].entries()) {
    const old = row.cells[index]
    if (!old || cell.matches('th, .select')) continue
    cell.classList.toggle('current-cell', old.classList.contains('current-cell'))
    old.replaceWith(document.adoptNode(cell))
  }
  row.classList.remove('just-saved')
  requestAnimationFrame(() => row.classList.add('just-saved'))
  document.querySelector('main > .toast')?.remove()
  const sentence = page.querySelector('main > .toast')
  if (sentence) document.querySelector('main')?.append(document.adoptNode(sentence))
  return true
}

interface Requested {
  readonly page: Document
  readonly url: string
  readonly isRedirected: boolean
}

/** The page at the address, refused ones too; undefined if the service cannot be reached. */
async function requested(address: string, options?: RequestInit): Promise<Requested | undefined> {
  try {
    const response = await fetch(address, { headers: { Accept: 'text/html' }, ...options })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return { page, url: response.url, isRedirected: response.redirected && response.ok }
  } catch {
    return undefined
  }
}
