// Buttons that copy a text; without this script users select the text themselves.
import { translated } from '../components/translated.client.ts'

for (const button of document.querySelectorAll('button[data-copies]')) {
  const source = document.getElementById(button.dataset.copies)
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent)
      button.textContent = translated('Copied')
    } catch {
      // Without HTTPS browsers deny access to the clipboard.
      getSelection().selectAllChildren(source)
      button.textContent = translated('Press Ctrl+C')
    }
    setTimeout(() => {
      button.textContent = label
    }, 2_000)
  })
}
