import {
  apiRequest,
  basePath,
  type Method,
  RequestRefused,
  requestErrorText,
} from '../components/api-request.client.ts'
import '../components/dropdowns.client.ts'
import { prepareComboboxes } from '../components/object-picker.client.ts'

// Features that need a script: searches for related objects, and requests other than GET. It sends ordinary API
// requests; error messages are shown at their fields.

/** The entered value of a field: a text, or a file. */
type Entered = string | File

/** An entered text that cannot be sent. */
class UnusableText extends Error {
  override readonly name = 'UnusableText'
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

function prepareForm(form: HTMLFormElement): void {
  const before = valuesOf(form)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    clear(form)
    const buttons = form.querySelectorAll<HTMLButtonElement>('.buttons button')
    for (const button of buttons) button.disabled = true
    try {
      await send(form, methodOf(form, event.submitter), before)
    } catch (error) {
      showErrors(form, error)
    }
    for (const button of buttons) button.disabled = false
  })
}

function methodOf(form: HTMLFormElement, button: HTMLElement | null): Method {
  const name = form.dataset.method ?? (button instanceof HTMLButtonElement ? button.value : '')
  return name as Method // The page has buttons of these names only.
}

async function send(form: HTMLFormElement, method: Method, before: ReadonlyMap<string, Entered>): Promise<void> {
  const path = (form.getAttribute('action') ?? '').slice(basePath().length)
  const options = form.classList.contains('raw')
    ? { json: form.querySelector('textarea')?.value }
    : method === 'DELETE'
      ? {}
      : { body: changedValues(form, before) }
  followUp(form, await apiRequest<unknown>(method, path, options))
}

/** Shows the response, or opens another page. */
function followUp(form: HTMLFormElement, document: unknown): void {
  const { leadsTo = '' } = form.dataset
  if (leadsTo === 'answer') {
    showResponse(form, document)
    return
  }
  // The URL has the host that the API was configured with; the page uses only its path.
  const url = document instanceof Object && 'url' in document ? String(document.url) : undefined
  const action = form.getAttribute('action') ?? ''
  const created = url === undefined ? action : new URL(url).pathname
  location.assign(leadsTo === 'self' ? created : leadsTo)
}

function showResponse(form: HTMLFormElement, document: unknown): void {
  const box = form.querySelector<HTMLElement>('.answer')
  if (!box) return
  box.textContent = document === undefined ? 'Done.' : JSON.stringify(document, null, 2)
  box.hidden = false
  box.focus()
}

/** The changed values; a form if some of them are files. */
function changedValues(form: HTMLFormElement, before: ReadonlyMap<string, Entered>): unknown {
  const body: Record<string, unknown> = {}
  const customFields: Record<string, unknown> = {}
  for (const field of fieldsOf(form)) {
    const name = field.dataset.field ?? ''
    const entered = enteredIn(field)
    if (entered === before.get(name)) continue
    const value = jsonOf(field, entered)
    if (!name.startsWith(CUSTOM)) {
      body[name] = value
      continue
    }
    // A custom field without values has none: filters find it as empty.
    const isEmptyList = Array.isArray(value) && value.length === 0 && field.dataset.sentAs !== 'json'
    customFields[name.slice(CUSTOM.length)] = isEmptyList ? null : value
    body.custom_fields = customFields
  }
  const values = Object.entries(body)
  if (!values.some(([, value]) => value instanceof File)) return body
  const data = new FormData()
  for (const [name, value] of values) {
    for (const item of [value].flat()) data.append(name, item instanceof File ? item : textOf(item))
  }
  return data
}

const CUSTOM = 'custom_fields.'

function textOf(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const fieldsOf = (form: HTMLFormElement): readonly HTMLElement[] => [
  ...form.querySelectorAll<HTMLElement>('[data-sent-as]'),
]

const fieldNamed = (form: HTMLFormElement, name: string): HTMLElement | undefined =>
  fieldsOf(form).find(({ dataset }) => dataset.field === name)

/** Values of the fields as texts that can be compared; files as they are. */
const valuesOf = (form: HTMLFormElement): ReadonlyMap<string, Entered> =>
  new Map(fieldsOf(form).map((field) => [field.dataset.field ?? '', enteredIn(field)]))

function enteredIn(field: HTMLElement): Entered {
  const { field: name, sentAs } = field.dataset
  const inputs = [
    ...field.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>('[name]'),
  ].filter((input) => input.name === name)
  const [first] = inputs
  if (first instanceof HTMLInputElement) {
    if (sentAs === 'file') return first.files?.[0] ?? ''
    if (sentAs === 'boolean' && first.type === 'checkbox') return String(first.checked)
  }
  return inputs
    .flatMap((input) => {
      if (input instanceof HTMLInputElement && input.type === 'checkbox' && !input.checked) return []
      return input instanceof HTMLSelectElement && input.multiple
        ? [...input.selectedOptions].map((option) => option.value)
        : [input.value]
    })
    .join('\n')
}

/** The entered value in the form for the API. Throws `UnusableText`. */
function jsonOf(field: HTMLElement, entered: Entered): unknown {
  if (typeof entered !== 'string') return entered
  const parts = entered.split('\n').filter((part) => part !== '')
  switch (field.dataset.sentAs) {
    case 'text':
    case 'file':
      return entered
    case 'boolean':
      return entered === '' ? null : entered === 'true'
    case 'number':
    case 'id':
      return entered === '' ? null : numberOf(entered)
    case 'ids':
      return parts.map(numberOf)
    case 'numbers':
      return entered
        .split(/[\s,]+/)
        .filter((part) => part !== '')
        .map(numberOf)
    case 'words':
    case 'lines':
      return parts
    case 'json':
      return entered.trim() === '' ? null : documentIn(field, entered)
    default:
      return entered === '' ? null : entered
  }
}

// Texts that are not numbers are sent unchanged, so that the API reports them; so are numbers beyond the exact range.
function numberOf(text: string): number | string {
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text.trim() ? number : text.trim()
}

function documentIn(field: HTMLElement, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = `This is not valid JSON: ${requestErrorText(error)}`
    throw new UnusableText(field.dataset.field ?? '', reason)
  }
}

function clear(form: HTMLFormElement): void {
  for (const error of form.querySelectorAll('.error')) error.remove()
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
  form.querySelector('.refusal')?.replaceChildren()
  const response = form.querySelector<HTMLElement>('.answer')
  if (response) response.hidden = true
}

function showErrors(form: HTMLFormElement, error: unknown): void {
  if (error instanceof RequestRefused) {
    for (const [name, text] of error.byField) showError(form, name, text)
  } else showError(form, error instanceof UnusableText ? error.field : '', requestErrorText(error))
  form.querySelector<HTMLElement>('[aria-invalid]')?.focus()
}

/** The API reports an invalid custom field for the whole object; its name is in the message. */
function customFieldIn(form: HTMLFormElement, text: string): HTMLElement | undefined {
  const name = /custom field '(\w+)'/.exec(text)?.[1]
  return name === undefined ? undefined : fieldNamed(form, `${CUSTOM}${name}`)
}

/** Shows a message at its field, or for the form as a whole if it has no such field. */
function showError(form: HTMLFormElement, name: string, text: string): void {
  const field = fieldNamed(form, name) ?? customFieldIn(form, text)
  const input = field?.querySelector('input:not([type=hidden]), select:not([hidden]), textarea, summary')
  const message = document.createElement('p')
  if (!field || !input) {
    message.className = 'notice bad'
    message.textContent = name === '' ? text : `${name}: ${text}`
    form.querySelector('.refusal')?.append(message)
    return
  }
  message.className = 'error'
  message.id = `${name}-error`
  message.textContent = text
  field.append(message)
  input.setAttribute('aria-invalid', 'true')
  input.setAttribute('aria-errormessage', message.id)
}

prepareComboboxes(document)
for (const form of document.querySelectorAll<HTMLFormElement>('form.request, form.raw')) prepareForm(form)
