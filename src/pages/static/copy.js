// Buttons that copy the text beside them.

import { translated } from './islands/translated.ts'

for (const button of document.querySelectorAll('[data-copy]')) {
  const text = button.closest('.code-view')?.querySelector('.code')
  if (!text || !navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.textContent)
    button.textContent = translated('Copied')
  })
}
