import { basePath } from '../components/api-request.client.ts'
import { addressOf, pageAt } from '../components/page-at.client.ts'
import { translated } from '../components/translated.client.ts'

// What was typed into a form survives leaving the page and the end of a session: this tab keeps it, and the form
// offers it when it is opened again. Files and passwords are not kept.

/** Prefix of the keys of drafts in the tab's storage; the rest is the address of the form. */
const DRAFT = 'cadastre:draft:'
/** Key of the draft that was sent last, until a page shows what became of it. */
const SENT = 'cadastre:sent-draft'

type Entries = readonly (readonly [name: string, value: string])[]

/** Names of fields that concern the page, not the object. */
const isOfPage = (name: string): boolean => name.startsWith('csrf') || name.startsWith('_find')

function entriesOf(form: HTMLFormElement): Entries {
  return [...new FormData(form)].flatMap(([name, value]) => {
    const input = form.elements.namedItem(name)
    const isSecret = input instanceof HTMLInputElement && input.type === 'password'
    return typeof value === 'string' && !isOfPage(name) && !isSecret ? [[name, value] as const] : []
  })
}

/**
 * Keeps what is typed into the form, and offers what was typed into it before. `prepare` makes the restored form, which
 * takes the place of this one, ready.
 */
export function keepDraft(form: HTMLFormElement, prepare: (form: HTMLFormElement) => void): void {
  // The script of the frame does this too, but it may run later.
  settleSentDraft()
  const { pathname, search } = new URL(addressOf(form))
  const key = `${DRAFT}${pathname}${search}`
  const initial = JSON.stringify(entriesOf(form))
  const draft = sessionStorage.getItem(key)
  // A refused form shows what was typed.
  const isRefused = form.querySelector('[role="alert"]') !== null
  if (draft !== null && draft !== initial && !isRefused) form.prepend(offer(form, key, draft, prepare))
  const store = (): void => {
    const entries = JSON.stringify(entriesOf(form))
    if (entries === initial && !isRefused) return
    try {
      sessionStorage.setItem(key, entries)
    } catch {
      // The storage is full: the form works without a draft.
    }
  }
  if (isRefused) store()
  for (const kind of ['input', 'change']) form.addEventListener(kind, store)
  form.addEventListener('submit', () => {
    store()
    sessionStorage.setItem(SENT, key)
  })
}

/** For the first page after a sent form: the draft goes, unless the page asks for a login first. */
export function settleSentDraft(): void {
  const key = sessionStorage.getItem(SENT)
  if (key === null) return
  sessionStorage.removeItem(SENT)
  if (!location.pathname.startsWith(`${basePath()}/login/`)) sessionStorage.removeItem(key)
}

function offer(
  form: HTMLFormElement,
  key: string,
  draft: string,
  prepare: (form: HTMLFormElement) => void,
): HTMLElement {
  const notice = Object.assign(document.createElement('div'), { className: 'notice draft' })
  const text = document.createElement('p')
  text.textContent = translated('You left this form with unsaved input.')
  const button = (label: string, act: () => void): HTMLButtonElement => {
    const made = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'quiet',
      textContent: label,
    })
    made.addEventListener('click', act)
    return made
  }
  const restore = button(translated('Restore'), async () => {
    const restored = await restoredForm(form, JSON.parse(draft))
    if (!restored) {
      text.textContent = translated('The input cannot be restored now. Try again.')
      return
    }
    form.replaceWith(restored)
    prepare(restored)
    restored.dispatchEvent(new Event('input'))
  })
  const discard = button(translated('Discard'), () => {
    sessionStorage.removeItem(key)
    notice.remove()
  })
  notice.setAttribute('role', 'status')
  text.append(' ', restore, ' ', discard)
  notice.append(text)
  return notice
}

/** The form with these entries, as the service fills it in; undefined if it does not answer. */
async function restoredForm(form: HTMLFormElement, entries: Entries): Promise<HTMLFormElement | undefined> {
  const body = new FormData()
  for (const [name, value] of entries) body.append(name, value)
  const token = form.querySelector<HTMLInputElement>('[name="csrfmiddlewaretoken"]')
  if (token) body.set(token.name, token.value)
  body.set('_refresh', '1')
  const page = await pageAt(addressOf(form), { method: 'POST', body })
  const restored = page?.querySelector<HTMLFormElement>('form.edit')
  return restored ? document.adoptNode(restored) : undefined
}
