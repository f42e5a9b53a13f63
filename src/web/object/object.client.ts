import '../components/copy.client.ts'

// The menu of custom links, whose templates are rendered when it is opened.

const list = document.querySelector<HTMLElement>('[data-custom-links]')
const menu = list?.closest('details')
if (list && menu) menu.addEventListener('toggle', () => void showCustomLinks(list), { once: true })

/** Replaces the link to the page of the custom links with the links. */
async function showCustomLinks(list: HTMLElement): Promise<void> {
  try {
    const response = await fetch(list.dataset.customLinks ?? '')
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const links = page.getElementById('custom-links')
    if (links) list.replaceWith(...links.childNodes)
  } catch {
    // The link remains: it leads to the page with the links.
  }
}
