/** Set while the slider moves from page to page, so that it keeps the focus. */
const IN_USE = 'cadastre-time-slider'

const slider = document.querySelector<HTMLInputElement>('.time-slider')
const form = slider?.form
const field = form?.querySelector<HTMLInputElement>('[name="as_of"]')

if (slider && form && field) {
  const now = Date.now()
  const span = now - Date.parse(slider.dataset.begins ?? '')
  /** Milliseconds that correspond to a position on the slider. The square makes the steps near the present short. */
  const timeAt = (place: number): number => now - span * (1 - place / 100) ** 2
  const placeOf = (time: number): number => 100 * (1 - Math.sqrt(Math.min(Math.max((now - time) / span, 0), 1)))
  const say = () => slider.setAttribute('aria-valuetext', `${field.value.replace('T', ' ')} UTC`)
  slider.value = String(field.value === '' ? 100 : placeOf(Date.parse(`${field.value}Z`)))
  slider.hidden = false
  say()
  slider.addEventListener('input', () => {
    // Rounded up, because the first second of the history would otherwise be before it.
    field.value = new Date(Math.ceil(timeAt(Number(slider.value)) / 1000) * 1000).toISOString().slice(0, 19)
    say()
  })
  slider.addEventListener('change', () => {
    sessionStorage.setItem(IN_USE, 'yes')
    const present = form.parentElement?.querySelector<HTMLAnchorElement>('a[data-now]')
    if (slider.value !== '100') form.requestSubmit()
    else if (present) location.assign(present.href)
  })
  if (sessionStorage.getItem(IN_USE) !== null) {
    sessionStorage.removeItem(IN_USE)
    slider.focus()
  }
}
