import { translated } from '../components/translated.client.ts'

/**
 * Keeps the rows of the latest changes current: each event of the stream reports new ones, which are then loaded in the
 * page's form. Existing rows are left unchanged.
 */

const table = document.querySelector<HTMLTableElement>('#live-changes')
const status = document.querySelector<HTMLElement>('#live-status')
const pause = document.querySelector<HTMLButtonElement>('#live-pause')

/** Milliseconds to wait for further events, so that a bulk change causes a single load. */
const PAUSE_MS = 400

if (table && status && pause) start(table, status, pause)

function start(rows: HTMLTableElement, line: HTMLElement, button: HTMLButtonElement): void {
  let isPaused = false
  let isLoading = false
  const say = (text: string): void => {
    if (line.textContent !== text) line.textContent = text
  }
  const stateText = (): string => (isPaused ? translated('Paused.') : translated('New changes appear automatically.'))
  const load = (): void => {
    isLoading = false
    if (!isPaused) void loadRows(rows)
  }
  const stream = new EventSource(rows.dataset.stream ?? '')
  stream.addEventListener('open', () => say(stateText()))
  stream.addEventListener('error', () => say(translated('The connection was interrupted and will be restored.')))
  const awaitMore = (): void => {
    if (!isLoading) window.setTimeout(load, PAUSE_MS)
    isLoading = true
  }
  for (const name of ['message', 'object_created', 'object_updated', 'object_deleted']) {
    stream.addEventListener(name, awaitMore)
  }
  button.hidden = false
  button.addEventListener('click', () => {
    isPaused = !isPaused
    button.setAttribute('aria-pressed', String(isPaused))
    button.textContent = isPaused ? translated('Continue') : translated('Pause')
    say(stateText())
    if (!isPaused) load()
  })
}

async function loadRows(rows: HTMLTableElement): Promise<void> {
  const response = await fetch(location.href, { cache: 'no-store' })
  if (!response.ok) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fresh = [...(page.querySelector<HTMLTableElement>('#live-changes')?.tBodies[0]?.rows ?? [])]
  const body = rows.tBodies[0]
  if (!body) return
  // Existing rows stay where they are: one may be open, or have the focus.
  const present = new Set([...body.rows].map(({ dataset }) => dataset.position))
  const positions = new Set(fresh.map(({ dataset }) => dataset.position))
  for (const row of [...body.rows]) {
    if (!positions.has(row.dataset.position)) row.remove()
  }
  const added = fresh.filter(({ dataset }) => !present.has(dataset.position))
  for (const row of added) row.classList.add('is-new')
  body.prepend(...added)
}
