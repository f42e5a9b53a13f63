/** Makes a dropdown of checkboxes show the checked options, and close like a menu. */
export function prepareChoices(details) {
  const shown = details.querySelector('summary [data-empty]')
  details.addEventListener('change', () => {
    const labels = [...details.querySelectorAll('input:checked')].map((input) =>
      input.parentElement.textContent.trim(),
    )
    shown.textContent = labels.join(', ') || shown.dataset.empty
  })
  details.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    details.open = false
    details.querySelector('summary').focus()
  })
  document.addEventListener('click', (event) => {
    if (!details.contains(event.target)) details.open = false
  })
}
