import { translated } from './translated.client.ts'

// Buttons that copy the text of their box; without this script users select the text themselves.

const MESSAGE_MS = 2_000

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const source = button.closest('.code-view, .notice')?.querySelector('.code, .secret')
  if (source) prepareCopying(button, source)
}

function prepareCopying(button: HTMLButtonElement, source: Element): void {
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent)
      button.textContent = translated('Copied')
    } catch {
      // Without HTTPS browsers deny access to the clipboard.
      getSelection()?.selectAllChildren(source)
      button.textContent = translated('Press Ctrl+C')
    }
    setTimeout(() => {
      button.textContent = label
    }, MESSAGE_MS)
  })
}
