// Dropdowns on every page: they close like menus, and those of check boxes show what is checked.

const openDropdowns = (): NodeListOf<HTMLDetailsElement> =>
  document.querySelectorAll<HTMLDetailsElement>(
    'details:is(.choices, .link-menu, .user-menu, .filter, .tab-menu)[open]',
  )

document.addEventListener('click', ({ target }) => {
  for (const dropdown of openDropdowns()) {
    if (!(target instanceof Node && dropdown.contains(target))) dropdown.open = false
  }
})

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  for (const dropdown of openDropdowns()) {
    const hadFocus = dropdown.contains(document.activeElement)
    dropdown.open = false
    if (hadFocus) dropdown.querySelector('summary')?.focus()
  }
})

document.addEventListener('change', ({ target }) => {
  const dropdown = target instanceof Element ? target.closest('.choices') : null
  const summary = dropdown?.querySelector<HTMLElement>('summary [data-empty]')
  if (!dropdown || !summary) return
  const labels = [...dropdown.querySelectorAll('input:checked')].map((input) => input.parentElement?.textContent.trim())
  summary.textContent = labels.join(', ') || (summary.dataset.empty ?? '')
})
