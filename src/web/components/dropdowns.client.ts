// Dropdowns on every page close like menus.

const openDropdowns = (): NodeListOf<HTMLDetailsElement> =>
  document.querySelectorAll<HTMLDetailsElement>(
    'details:is(.link-menu, .user-menu, .branch-menu, .filter, .tab-menu)[open]',
  )

document.addEventListener('click', ({ target }) => {
  for (const dropdown of openDropdowns()) {
    if (!(target instanceof Node && dropdown.contains(target))) dropdown.open = false
  }
})

document.addEventListener('keydown', (event) => {
  // Escape in a field of the dropdown may have closed only the field's own list.
  if (event.key !== 'Escape' || event.defaultPrevented) return
  for (const dropdown of openDropdowns()) {
    const hadFocus = dropdown.contains(document.activeElement)
    dropdown.open = false
    if (hadFocus) dropdown.querySelector('summary')?.focus()
  }
})
