// A list of names below a text area, to complete the word at the cursor. The text area is a combobox only while there are
// names; otherwise screen readers treat it as a text of several lines.

interface Options<Offered> {
  /** What the names are, for screen readers. */
  readonly label: string
  /** Content of an item of the list. */
  readonly itemOf: (offered: Offered) => readonly (Node | string)[]
  /** Writes the name that was chosen into the text; the list is closed then. */
  readonly write: (offered: Offered) => void
}

/** The names that a text area offers. */
interface NamesAtCursor<Offered> {
  readonly offered: readonly Offered[]
  /** Element below the text area, with the list. */
  readonly below: HTMLElement
  /** Replaces the names; the first is chosen by Enter and Tab if `isMarked`. None close the list. */
  offer(names: readonly Offered[], isMarked?: boolean): void
}

/** An element with properties. */
export const create = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
): HTMLElementTagNameMap[Name] => Object.assign(document.createElement(name), properties)

/** Puts an empty list below the text area, which arrow keys, Enter, Tab, Escape and clicks work on. */
export function namesAtCursor<Offered>(
  area: HTMLTextAreaElement,
  { label, itemOf, write }: Options<Offered>,
): NamesAtCursor<Offered> {
  const list = create('ul', { id: `${area.id || area.name}-names`, className: 'found', hidden: true, role: 'listbox' })
  list.ariaLabel = label
  const below = create('div', { className: 'picker' })
  below.append(list)
  // Within the label, the names would be part of it.
  ;(area.closest('label') ?? area).after(below)
  area.setAttribute('aria-controls', list.id)
  area.setAttribute('aria-autocomplete', 'list')
  let offered: readonly Offered[] = []
  let marked = -1

  const mark = (index: number): void => {
    marked = index
    for (const [position, item] of [...list.children].entries()) item.ariaSelected = String(position === index)
    list.children[index]?.scrollIntoView({ block: 'nearest' })
    area.setAttribute('aria-activedescendant', list.children[index]?.id ?? '')
  }
  const offer = (names: readonly Offered[], isMarked = true): void => {
    offered = names
    list.replaceChildren(
      ...names.map((name, index) => {
        const item = create('li', { id: `${list.id}-${index}`, role: 'option' })
        item.append(...itemOf(name))
        return item
      }),
    )
    list.hidden = names.length === 0
    area.role = list.hidden ? null : 'combobox'
    area.ariaExpanded = list.hidden ? null : 'true'
    mark(isMarked ? 0 : -1)
  }
  const choose = (name: Offered): void => {
    write(name)
    offer([])
    // The form keeps a draft of each input.
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }

  area.addEventListener('keydown', (event) => {
    const { key } = event
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    const chosen = key === 'Enter' || key === 'Tab' ? offered[marked] : undefined
    if (event.isComposing || event.shiftKey || list.hidden) return
    if (step !== 0)
      mark(marked < 0 && step < 0 ? offered.length - 1 : (marked + step + offered.length) % offered.length)
    else if (chosen) choose(chosen)
    else if (key === 'Escape') offer([])
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
  return {
    get offered() {
      return offered
    },
    below,
    offer,
  }
}
