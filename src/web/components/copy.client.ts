import { translated } from './translated.client.ts'

// Buttons that copy the text of their box; without this script users select the text themselves.

const MESSAGE_MS = 2_000

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const source = button.closest('.code-view, .notice, .copied')?.querySelector('.code, .secret, bdi')
  if (source) prepareCopying(button, source)
}

function prepareCopying(button: HTMLButtonElement, source: Element): void {
  const label = button.textContent
  // An icon stays unchanged; its title reports the result.
  const tell = (text: string): void => {
    if (label.trim() === '') button.title = text
    else button.textContent = text
    button.classList.toggle('done', text !== label)
  }
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent)
      tell(translated('Copied'))
    } catch {
      // Without HTTPS browsers deny access to the clipboard.
      getSelection()?.selectAllChildren(source)
      tell(translated('Press Ctrl+C'))
    }
    setTimeout(() => tell(label), MESSAGE_MS)
  })
}
