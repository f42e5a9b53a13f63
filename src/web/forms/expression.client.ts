import { apiRequest, requestErrorText } from '../components/api-request.client.ts'
import { translated } from '../components/translated.client.ts'

// Helps to write an expression: names that fit at the cursor, the place of an error, the values of some objects. The text
// area is a combobox only while it offers names; otherwise screen readers treat it as a text of several lines.

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

const create = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
): HTMLElementTagNameMap[Name] => Object.assign(document.createElement(name), properties)

function prepare(area: HTMLTextAreaElement): void {
  prepared.add(area)
  const list = create('ul', { id: `${area.id}-names`, className: 'found', hidden: true, role: 'listbox' })
  list.ariaLabel = translated('Names and functions')
  const result = create('div', { className: 'checked', role: 'status' })
  const below = create('div', { className: 'picker' })
  below.append(list, result)
  area.after(below)
  area.setAttribute('aria-controls', list.id)
  area.setAttribute('aria-autocomplete', 'list')

  let offered: readonly Suggestion[] = []
  let marked = -1
  let timer: number | undefined
  /** Number of the latest check: earlier ones may end after it. */
  let latest = 0
  /** Names are wanted when they come. */
  let isOpening = false

  const mark = (index: number): void => {
    marked = index
    for (const [position, item] of [...list.children].entries()) item.ariaSelected = String(position === index)
    list.children[index]?.scrollIntoView({ block: 'nearest' })
    area.setAttribute('aria-activedescendant', list.children[index]?.id ?? '')
  }
  const offer = (names: readonly Suggestion[]): void => {
    offered = names
    list.replaceChildren(...names.map((suggestion, index) => option(suggestion, `${list.id}-${index}`)))
    list.hidden = names.length === 0
    area.role = list.hidden ? null : 'combobox'
    area.ariaExpanded = list.hidden ? null : 'true'
    mark(wordBefore(area) === '' ? -1 : 0)
  }
  const close = (): void => {
    isOpening = false
    offer([])
  }
  const choose = ({ name, kind, label }: Suggestion): void => {
    const { value, selectionStart } = area
    const end = selectionStart + (/^\w*/.exec(value.slice(selectionStart))?.[0].length ?? 0)
    const isNewCall = kind === 'function' && value[end] !== '('
    area.setRangeText(isNewCall ? `${name}()` : name, selectionStart - wordBefore(area).length, end, 'end')
    // The cursor goes between the parentheses of a function that takes values.
    if (isNewCall && !label.endsWith('()')) area.selectionEnd = area.selectionStart -= 1
    close()
    // The form keeps a draft of each input.
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
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
    offer(suggests && word !== '' ? offered.filter(({ name }) => name.startsWith(word)) : [])
    checkSoon(suggests)
  })
  area.addEventListener('focus', () => area.value === '' && checkSoon(true))
  area.addEventListener('blur', close)
  area.addEventListener('keydown', (event) => {
    const { key } = event
    const asks = key === ' ' && event.ctrlKey
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    const chosen = key === 'Enter' || key === 'Tab' ? offered[marked] : undefined
    if (event.isComposing || event.shiftKey || (list.hidden && !asks)) return
    if (step !== 0)
      mark(marked < 0 && step < 0 ? offered.length - 1 : (marked + step + offered.length) % offered.length)
    else if (chosen) choose(chosen)
    else if (asks) void check(true)
    else if (key === 'Escape') close()
    else return
    event.preventDefault()
  })
  // The text area keeps the focus, whose loss would close the list.
  list.addEventListener('mousedown', (event) => {
    event.preventDefault()
    const index = [...list.children].findIndex((item) => event.target instanceof Node && item.contains(event.target))
    const chosen = offered[index]
    if (chosen) choose(chosen)
  })
  area.form?.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.name === 'object_type') void check(false)
  })
  checkSoon(area.value === '')
}

function option({ name, kind, label, help }: Suggestion, id: string): HTMLLIElement {
  const item = create('li', { id, role: 'option' })
  const [head, texts] = kind === 'function' ? [label, [help]] : [name, [label, help]]
  const about = create('small', { textContent: texts.filter((text) => text !== '').join(' · ') })
  item.append(create('code', { textContent: head }), ' ', about)
  return item
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
