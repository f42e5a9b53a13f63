import { translated } from '../components/translated.client.ts'
import { inlineCell, inlineCellsOf } from './inline-cells.client.ts'

// A preview of a row's object without leaving the list, by a click on the row or by the keyboard: J and K choose the
// row, Space shows it, X selects it, Enter opens it. The left and right arrows choose a value of the row that can be
// changed in its place, and Enter changes it.

const rowsNow = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.in-list tbody tr:not([hidden])')]
const linkIn = (row: HTMLElement): HTMLAnchorElement | null => row.querySelector<HTMLAnchorElement>('th a[href]')

let current: HTMLElement | undefined
let panel: HTMLElement | undefined
let cell: HTMLElement | undefined

/** Milliseconds in which a second click on a value that can be changed in its place becomes a double click. */
const DOUBLE_CLICK = 250
let peeking: number | undefined

export function preparePeek(): void {
  document.addEventListener('click', ({ target, detail }) => {
    clearTimeout(peeking)
    if (detail > 1) return
    const row = target instanceof Element ? target.closest<HTMLElement>('.in-list tbody tr') : null
    if (!row || !(target instanceof Element) || getSelection()?.isCollapsed === false) return
    if (target.closest('a, button, input, label, summary, details')) return
    choose(row)
    if (inlineCell(target)) peeking = setTimeout(() => void show(row), DOUBLE_CLICK)
    else void show(row)
  })
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (key === 'Escape' && panel) return close()
    const isTyping =
      target instanceof Element && target.closest('input:not([type="checkbox"]), textarea, select, dialog')
    if (isTyping || ctrlKey || metaKey || altKey) return
    const isFree = !(target instanceof Element && target.closest('a, button, summary, input'))
    if (key === 'j' || key === 'k') step(key === 'j' ? 1 : -1)
    else if (!current?.isConnected) return
    else if (key === 'x') current.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click()
    else if (key === 'ArrowLeft' || key === 'ArrowRight') stepCell(key === 'ArrowRight' ? 1 : -1)
    else if (key === 'Enter' && isFree && cell?.isConnected) {
      event.preventDefault()
      cell.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
    } else if (key === 'Enter' && isFree) linkIn(current)?.click()
    else if (key === ' ' && isFree) {
      event.preventDefault()
      void show(current)
    }
  })
}

function step(by: 1 | -1): void {
  const rows = rowsNow()
  const at = current ? rows.indexOf(current) : -1
  const next = rows[Math.min(Math.max(at + by, 0), rows.length - 1)]
  if (!next) return
  choose(next)
  // Enter opens the row now, not what had the focus before.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  next.scrollIntoView({ block: 'nearest' })
  if (panel) void show(next)
}

/** Chooses a value of the current row that can be changed in its place. */
function stepCell(by: 1 | -1): void {
  const cells = current ? inlineCellsOf(current) : []
  const at = cell ? cells.indexOf(cell) : -1
  chooseCell(cells[at < 0 && by < 0 ? cells.length - 1 : at + by])
}

function chooseCell(chosen: HTMLElement | undefined): void {
  cell?.classList.remove('current-cell')
  cell = chosen
  cell?.classList.add('current-cell')
  cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function choose(row: HTMLElement): void {
  chooseCell(undefined)
  current?.classList.remove('current')
  current = row
  row.classList.add('current')
}

function close(): void {
  panel?.remove()
  panel = undefined
}

/** Shows the head and the first panels of the object's page next to the list. */
async function show(row: HTMLElement): Promise<void> {
  const link = linkIn(row)
  if (!link) return
  const response = await fetch(link.href, { headers: { Accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (row !== current) return
  const heading = page.querySelector('main h1')
  const parts = [page.querySelector('main .facts'), ...page.querySelectorAll('main .panel:has(> .attributes)')]
  close()
  panel = document.createElement('aside')
  panel.className = 'peek'
  panel.setAttribute('aria-label', heading?.textContent.trim() ?? '')
  const head = document.createElement('div')
  head.className = 'peek-head'
  const open = Object.assign(document.createElement('a'), { href: link.href, className: 'button quiet' })
  open.textContent = translated('Open')
  const shut = Object.assign(document.createElement('button'), { type: 'button', className: 'icon-button' })
  shut.setAttribute('aria-label', translated('Close'))
  shut.append(Object.assign(document.createElement('span'), { className: 'icon i-close' }))
  shut.addEventListener('click', close)
  if (heading) head.append(document.adoptNode(heading))
  head.append(open, shut)
  panel.append(head, ...parts.filter((part) => part !== null).map((part) => document.adoptNode(part)))
  document.body.append(panel)
}
