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
  if (event.key !== 'Escape') return
  for (const dropdown of openDropdowns()) {
    const hadFocus = dropdown.contains(document.activeElement)
    dropdown.open = false
    if (hadFocus) dropdown.querySelector('summary')?.focus()
  }
})
