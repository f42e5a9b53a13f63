// Pages of objects: buttons that copy the text beside them, and the buttons of custom links, which are loaded after the page.

import { translated } from '../components/translated.client.ts'

for (const button of document.querySelectorAll('[data-copy]')) {
  const text = button.closest('.code-view')?.querySelector('.code')
  if (!text || !navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.textContent)
    button.textContent = translated('Copied')
  })
}

const link = document.querySelector('a[data-custom-links]')
if (link) showCustomLinks(link)

/** Replaces the link to the page of the custom links by their buttons. */
async function showCustomLinks(link) {
  try {
    const response = await fetch(link.href)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const buttons = page.getElementById('custom-links')
    if (buttons) link.replaceWith(...buttons.childNodes)
  } catch {
    // The link remains: it leads to the page with the buttons.
  }
}
