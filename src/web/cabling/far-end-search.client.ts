import { fieldOf, pageAt } from '../components/page-at.client.ts'

const DELAY = 200

/**
 * The search above the form of a cable: results appear as one types, and choosing one fills its fields. Without this
 * script each step loads the page again. `replaceField` puts a field in its place.
 */
export function prepareFarEndSearch(
  form: HTMLFormElement,
  replaceField: (field: HTMLElement, fresh: HTMLElement) => void,
): void {
  const box = document.querySelector<HTMLElement>('search.far-end')
  const search = box?.querySelector('form')
  if (!box || !search) return
  let latest = 0
  let timer: number | undefined
  const find = async (): Promise<void> => {
    latest += 1
    const turn = latest
    const query = new URLSearchParams([...new FormData(search)].map(([name, value]) => [name, String(value)]))
    const page = await pageAt(`${search.action.replace(/\?.*/, '')}?${query}`)
    const results = page?.querySelector('search.far-end')?.children
    if (!results || turn !== latest) return
    for (const element of [...box.children]) if (element.tagName !== 'H2' && element !== search) element.remove()
    box.append(...[...results].filter(({ tagName }) => tagName !== 'H2' && tagName !== 'FORM'))
  }
  search.addEventListener('submit', async (event) => {
    event.preventDefault()
    await find()
    const matches = box.querySelectorAll<HTMLAnchorElement>('td a.button')
    // As in a list of choices, Enter takes the only match.
    if (matches.length === 1) matches[0]?.click()
  })
  search.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(find, DELAY)
  })
  box.addEventListener('click', async (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('td a.button') : null
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const chosen = (await pageAt(link.href))?.querySelector<HTMLFormElement>('form.edit')
    if (!chosen) return location.assign(link.href)
    for (const name of chosenFields(link)) {
      const field = fieldOf(form, name)
      const fresh = fieldOf(chosen, name)
      if (field && fresh) replaceField(field, document.adoptNode(fresh))
    }
    form.action = chosen.action
    box.remove()
    form.dispatchEvent(new Event('input'))
    form.querySelector<HTMLElement>('.buttons.sticky button')?.focus()
  })
}

/** The fields that the address fills in beyond those of this page's address. */
const chosenFields = ({ search }: HTMLAnchorElement): readonly string[] =>
  [...new URLSearchParams(search).keys()].filter((name) => !new URLSearchParams(location.search).has(name))
