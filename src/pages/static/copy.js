// Buttons that copy the text beside them.

for (const button of document.querySelectorAll('[data-copy]')) {
  const text = button.closest('.code-view')?.querySelector('.code')
  if (!text || !navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.textContent)
    button.textContent = 'Copied'
  })
}
