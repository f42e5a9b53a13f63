import { apiRequest, requestErrorText } from '../components/api-request.client.ts'
import { translated } from '../components/translated.client.ts'
import { create, namesAtCursor } from './names-at-cursor.client.ts'

// Helps to write an expression: names that fit at the cursor, the place of an error, the values of some objects.

interface Suggestion {
  readonly name: string
  readonly kind: string
  readonly label: string
  /** The type of a field, or what a function does. */
  readonly help: string
}

interface Checked {
  readonly type: string
  readonly error: { readonly message: string; readonly position: number } | null
  readonly values: readonly { readonly display: string; readonly value: unknown }[] | null
  readonly names: readonly Suggestion[]
}

/** Milliseconds without a key press after which the expression is checked. */
const PAUSE = 150
const EXPRESSIONS = '[data-expression] textarea'
const prepared = new WeakSet<HTMLTextAreaElement>()

const wordBefore = ({ value, selectionStart }: HTMLTextAreaElement): string =>
  /\w*$/.exec(value.slice(0, selectionStart))?.[0] ?? ''

function prepare(area: HTMLTextAreaElement): void {
  prepared.add(area)
  const write = ({ name, kind, label }: Suggestion): void => {
    const { value, selectionStart } = area
    const end = selectionStart + (/^\w*/.exec(value.slice(selectionStart))?.[0].length ?? 0)
    const isNewCall = kind === 'function' && value[end] !== '('
    area.setRangeText(isNewCall ? `${name}()` : name, selectionStart - wordBefore(area).length, end, 'end')
    // The cursor goes between the parentheses of a function that takes values.
    if (isNewCall && !label.endsWith('()')) area.selectionEnd = area.selectionStart -= 1
    isOpening = false
  }
  const names = namesAtCursor<Suggestion>(area, { label: translated('Names and functions'), itemOf, write })
  const result = create('div', { className: 'checked', role: 'status' })
  names.below.append(result)

  let timer: number | undefined
  /** Number of the latest check: earlier ones may end after it. */
  let latest = 0
  /** Names are wanted when they come. */
  let isOpening = false

  const offer = (offered: readonly Suggestion[]): void => names.offer(offered, wordBefore(area) !== '')
  const check = async (suggests: boolean): Promise<void> => {
    const turn = ++latest
    isOpening = suggests
    const { value: expression, selectionStart } = area
    const type = new FormData(area.form ?? undefined).get('object_type')
    if (typeof type !== 'string' || type === '') {
      result.textContent = expression === '' ? '' : translated('Choose the object type first.')
      return
    }
    const query = new URLSearchParams({ object_type: type, expression, position: String(selectionStart) })
    try {
      const checked = await apiRequest<Checked>('GET', `/extras/computed-fields/check/?${query}`)
      if (turn !== latest) return
      result.replaceChildren(...(expression.trim() === '' ? [] : resultOf(expression, checked)))
      const isComplete = checked.names.some(({ name, kind }) => name === wordBefore(area) && kind !== 'function')
      offer(isOpening && !isComplete && document.activeElement === area ? checked.names : [])
    } catch (error) {
      if (turn === latest) result.textContent = requestErrorText(error)
    }
  }
  const checkSoon = (suggests: boolean): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void check(suggests), PAUSE)
  }

  area.addEventListener('input', () => {
    const suggests = /(?:^|[\w.(])$/.test(area.value.slice(0, area.selectionStart))
    const word = wordBefore(area).toLowerCase()
    // The check that follows replaces a check under way. Until then, the names that still fit can be chosen.
    latest += 1
    offer(suggests && word !== '' ? names.offered.filter(({ name }) => name.startsWith(word)) : [])
    checkSoon(suggests)
  })
  area.addEventListener('focus', () => area.value === '' && checkSoon(true))
  area.addEventListener('blur', () => {
    isOpening = false
    offer([])
  })
  area.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') isOpening = false
    if (event.key !== ' ' || !event.ctrlKey || event.isComposing || event.shiftKey) return
    event.preventDefault()
    void check(true)
  })
  area.form?.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.name === 'object_type') void check(false)
  })
  checkSoon(area.value === '')
}

function itemOf({ name, kind, label, help }: Suggestion): readonly (Node | string)[] {
  const [head, texts] = kind === 'function' ? [label, [help]] : [name, [label, help]]
  const about = create('small', { textContent: texts.filter((text) => text !== '').join(' · ') })
  return [create('code', { textContent: head }), ' ', about]
}

/** The error with its place, or the type and some values. */
function resultOf(expression: string, { type, error, values }: Checked): readonly HTMLElement[] {
  if (error) {
    const { message, position } = error
    const text = translated('Character {number}: {problem}', { number: position + 1, problem: message })
    // At the end of the expression, a space is marked.
    const wrong = /^(?:\w+|\S)/.exec(expression.slice(position))?.[0] ?? '\u00a0'
    const place = create('code')
    const mark = create('mark', { textContent: wrong })
    place.append(expression.slice(0, position), mark, expression.slice(position + wrong.length))
    return [create('p', { className: 'error', textContent: text }), place]
  }
  const remark =
    values === null
      ? translated('The values take too long to compute.')
      : values.length === 0 && translated('There is no object to show a value of.')
  const heading = [translated('Result: {type}', { type }), remark].filter(Boolean).join(' · ')
  const rows = (values ?? []).map(({ display, value }) => {
    const row = create('li', { textContent: `${display}: ` })
    row.append(create('strong', { textContent: String(value ?? '—') }))
    return row
  })
  const all = create('ul')
  all.append(...rows)
  return [create('p', { textContent: heading }), all]
}

for (const area of document.querySelectorAll<HTMLTextAreaElement>(EXPRESSIONS)) prepare(area)
// A restored draft replaces the form.
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLTextAreaElement && target.matches(EXPRESSIONS) && !prepared.has(target)) prepare(target)
})
