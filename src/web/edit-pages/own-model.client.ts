import { slugOf } from '../forms/slug.client.ts'

// The form of a new type: shows what follows from its name, and adds rows for fields. Without this script, the service
// derives the same, and there are enough rows to begin with.

const form = document.querySelector<HTMLFormElement>('form.own-model')
if (form) prepare(form)

function prepare(form: HTMLFormElement): void {
  const input = (name: string): HTMLInputElement | null => form.querySelector(`input[name="${name}"]`)
  const [name, plural, slug] = [input('name'), input('plural'), input('slug')]
  const derived = form.querySelector('[data-derived]')
  const rows = form.querySelector('.own-fields tbody')
  const more = form.querySelector<HTMLButtonElement>('[data-more]')
  if (!name || !plural || !slug || !derived || !rows || !more) return
  const show = (): void => {
    plural.placeholder = name.value.trim() === '' ? '' : `${name.value.trim()}s`
    slug.placeholder = slugOf(plural.value || plural.placeholder)
    const parts = [plural.value || plural.placeholder, slug.value || slug.placeholder]
    derived.textContent = parts.filter(Boolean).join(' · ')
  }
  form.addEventListener('input', show)
  show()
  more.hidden = false
  more.addEventListener('click', () => {
    const last = rows.lastElementChild
    if (!(last instanceof HTMLElement)) return
    const row = last.cloneNode(true)
    if (!(row instanceof HTMLElement)) return
    const index = rows.children.length
    for (const field of row.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')) {
      if (field instanceof HTMLInputElement && field.type === 'checkbox') {
        field.checked = false
        field.value = String(index)
      } else if (field instanceof HTMLInputElement) field.value = ''
      else field.selectedIndex = 0
      const label = field.getAttribute('aria-label') ?? ''
      field.setAttribute('aria-label', label.replace(/\d+$/, String(index + 1)))
    }
    rows.append(row)
    row.querySelector<HTMLElement>('input')?.focus()
  })
}
