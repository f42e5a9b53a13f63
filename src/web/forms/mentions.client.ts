import { apiRequest } from '../components/api-request.client.ts'
import { translated } from '../components/translated.client.ts'
import { create, namesAtCursor } from './names-at-cursor.client.ts'

// Offers the names of users after an @, which mentions them.

interface Named {
  readonly username: string
  readonly display: string
}

/** Milliseconds without a key press after which users are searched. */
const PAUSE = 150
const MOST = 8

/** The @ before the cursor and the letters after it; undefined within a word, such as an e-mail address. */
const mentionBefore = ({ value, selectionStart }: HTMLTextAreaElement): string | undefined =>
  /(?<![\w.@+-])@([\w.@+-]*)$/u.exec(value.slice(0, selectionStart))?.[1]

function prepare(area: HTMLTextAreaElement): void {
  let timer: number | undefined
  const write = ({ username }: Named): void => {
    const start = area.selectionStart - (mentionBefore(area)?.length ?? 0)
    area.setRangeText(`${username} `, start, area.selectionStart, 'end')
  }
  const itemOf = ({ username, display }: Named) => [
    create('code', { textContent: username }),
    ' ',
    create('small', { textContent: display === username ? '' : display }),
  ]
  const names = namesAtCursor<Named>(area, { label: translated('Users'), itemOf, write })

  const search = async (text: string): Promise<void> => {
    const query = new URLSearchParams({ brief: 'true', limit: String(MOST), username__isw: text })
    // Whoever may not view users gets none.
    const found = await apiRequest<{ readonly results: readonly Named[] }>('GET', `/api/users/users/?${query}`).catch(
      () => undefined,
    )
    if (mentionBefore(area) === text && document.activeElement === area) names.offer(found?.results ?? [])
  }
  area.addEventListener('input', () => {
    clearTimeout(timer)
    const text = mentionBefore(area)
    names.offer([])
    if (text !== undefined) timer = setTimeout(() => void search(text), PAUSE)
  })
  area.addEventListener('blur', () => names.offer([]))
}

for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-mentions]')) prepare(area)
