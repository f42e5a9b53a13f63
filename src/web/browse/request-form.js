/** Sends a form as an API request; error messages are shown at their fields. */
export function prepareForm(form) {
  const before = isRaw(form) ? undefined : valuesOf(form)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    clear(form)
    const method = form.dataset.method ?? event.submitter?.value
    let body
    try {
      body = bodyOf(form, method, before)
    } catch (error) {
      return refuse(form, error.field, [error.message])
    }
    const buttons = form.querySelectorAll('.buttons button')
    for (const button of buttons) button.disabled = true
    try {
      await send(form, method, body)
    } catch {
      refuse(form, undefined, ['The service cannot be reached.'])
    }
    for (const button of buttons) button.disabled = false
  })
}

const isRaw = (form) => form.classList.contains('raw')

async function send(form, method, body) {
  const headers = { Accept: 'application/json', 'X-CSRFToken': csrfToken() }
  if (typeof body === 'string') headers['Content-Type'] = 'application/json'
  const response = await fetch(form.getAttribute('action'), { method, body, headers })
  const text = await response.text()
  const answer = text === '' ? undefined : JSON.parse(text)
  if (response.ok) return goOn(form, answer)
  if (response.status === 400 && typeof answer === 'object') showRefusals(form, answer)
  else
    refuse(form, undefined, [
      answer?.detail ?? `The service responded with status ${response.status}.`,
    ])
}

function goOn(form, answer) {
  const { leadsTo } = form.dataset
  if (leadsTo === 'answer') return showAnswer(form, answer)
  // The URL has the host that the API was configured with; the page uses only its path.
  const made = answer?.url && new URL(answer.url).pathname
  location.assign(leadsTo === 'self' ? (made ?? form.getAttribute('action')) : leadsTo)
}

function showAnswer(form, answer) {
  const shown = form.querySelector('.answer')
  shown.textContent = answer === undefined ? 'Done.' : JSON.stringify(answer, null, 2)
  shown.hidden = false
  shown.focus()
}

const csrfToken = () => document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? ''

/** JSON text, or a multipart form for files; undefined without a body. */
function bodyOf(form, method, before) {
  if (isRaw(form)) return form.elements.namedItem('body').value
  if (method === 'DELETE') return undefined
  const body = {}
  for (const [name, entered] of valuesOf(form)) {
    if (entered === before.get(name)) continue
    const field = fieldNamed(form, name)
    const read = jsonOf(field, entered)
    const [outer, inner] = name.split('.')
    // A custom field without values has none: filters find it as empty.
    const isEmptyList = Array.isArray(read) && read.length === 0 && field.dataset.sentAs !== 'json'
    const value = outer === 'custom_fields' && isEmptyList ? null : read
    if (inner === undefined) body[outer] = value
    else body[outer] = { ...body[outer], [inner]: value }
  }
  const values = Object.entries(body)
  if (!values.some(([, value]) => value instanceof File)) return JSON.stringify(body)
  const data = new FormData()
  for (const [name, value] of values) {
    for (const each of [value].flat()) data.append(name, partOf(each))
  }
  return data
}

const partOf = (value) => {
  if (value instanceof File) return value
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const fieldsOf = (form) => [...form.querySelectorAll('[data-sent-as]')]
const fieldNamed = (form, name) => fieldsOf(form).find(({ dataset }) => dataset.field === name)

/** Values of the fields as texts that can be compared; files as they are. */
function valuesOf(form) {
  return new Map(fieldsOf(form).map((field) => [field.dataset.field, enteredIn(field)]))
}

function enteredIn(field) {
  const { field: name, sentAs } = field.dataset
  const inputs = [...field.querySelectorAll('[name]')].filter((input) => input.name === name)
  if (sentAs === 'file') return inputs[0].files[0] ?? ''
  if (sentAs === 'boolean' && inputs[0].type === 'checkbox') return String(inputs[0].checked)
  return inputs
    .filter((input) => input.type !== 'checkbox' || input.checked)
    .flatMap(({ value, multiple, selectedOptions }) =>
      multiple && selectedOptions ? [...selectedOptions].map((option) => option.value) : [value],
    )
    .join('\n')
}

/** The entered text as the API takes it. Throws an error that names its field. */
function jsonOf(field, entered) {
  const { sentAs } = field.dataset
  const parts = typeof entered === 'string' ? entered.split('\n').filter((part) => part !== '') : []
  switch (sentAs) {
    case 'text':
    case 'file':
      return entered
    case 'boolean':
      return entered === '' ? null : entered === 'true'
    case 'number':
    case 'id':
      return entered === '' ? null : numberOf(entered)
    case 'ids':
      return parts.map((part) => numberOf(part))
    case 'numbers':
      return entered
        .split(/[\s,]+/)
        .filter((part) => part !== '')
        .map((part) => numberOf(part))
    case 'words':
    case 'lines':
      return parts
    case 'json':
      return entered.trim() === '' ? null : documentOf(field, entered)
    default:
      return entered === '' ? null : entered
  }
}

// Texts that are no numbers are sent unchanged, so that the API reports them; so are numbers beyond the exact range.
const numberOf = (text) => {
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text.trim() ? number : text.trim()
}

function documentOf(field, text) {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw Object.assign(new Error(`This is not valid JSON: ${error.message}`), {
      field: field.dataset.field,
    })
  }
}

function clear(form) {
  for (const error of form.querySelectorAll('.error')) error.remove()
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
  form.querySelector('.refusal').replaceChildren()
  const shown = form.querySelector('.answer')
  if (shown) shown.hidden = true
}

function showRefusals(form, answer) {
  for (const [name, messages] of Object.entries(answer)) refuse(form, name, textsIn(messages))
  const first = form.querySelector('[aria-invalid]')
  if (first) first.focus()
}

/** The API reports an invalid custom field for the whole object; its name is in the message. */
function customFieldIn(form, texts) {
  const [, name] = /custom field '(\w+)'/.exec(texts.join(' ')) ?? []
  return name && fieldNamed(form, `custom_fields.${name}`)
}

const textsIn = (messages) => {
  if (Array.isArray(messages)) return messages.flatMap(textsIn)
  if (typeof messages !== 'object') return [String(messages)]
  return Object.entries(messages).flatMap(([name, inner]) =>
    textsIn(inner).map((text) => `${name}: ${text}`),
  )
}

/** Shows messages at a field, or for the form as a whole if it has no such field. */
function refuse(form, name, texts) {
  const field = fieldNamed(form, name) ?? customFieldIn(form, texts)
  const input = field?.querySelector(
    'input:not([type=hidden]), select:not([hidden]), textarea, summary',
  )
  if (!field || !input) {
    const isWhole = ['__all__', 'non_field_errors', 'detail', undefined].includes(name)
    const notice = document.createElement('p')
    notice.className = 'notice bad'
    notice.textContent = (isWhole ? '' : `${name}: `) + texts.join(' ')
    form.querySelector('.refusal').append(notice)
    return
  }
  const error = document.createElement('p')
  error.className = 'error'
  error.id = `${name}-error`
  error.textContent = texts.join(' ')
  field.append(error)
  input.setAttribute('aria-invalid', 'true')
  input.setAttribute('aria-errormessage', error.id)
}
