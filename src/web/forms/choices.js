// Dropdowns on every page: they close like menus, and those of check boxes show what is checked.
const DROPDOWNS = 'details:is(.choices, .link-menu, .user-menu)[open]'

document.addEventListener('click', ({ target }) => {
  for (const each of document.querySelectorAll(DROPDOWNS)) {
    if (!each.contains(target)) each.open = false
  }
})

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  for (const each of document.querySelectorAll(DROPDOWNS)) {
    const hadFocus = each.contains(document.activeElement)
    each.open = false
    if (hadFocus) each.querySelector('summary').focus()
  }
})

document.addEventListener('change', ({ target }) => {
  const details = target.closest('.choices')
  const shown = details?.querySelector('summary [data-empty]')
  if (!shown) return
  const labels = [...details.querySelectorAll('input:checked')].map((input) =>
    input.parentElement.textContent.trim(),
  )
  shown.textContent = labels.join(', ') || shown.dataset.empty
})
