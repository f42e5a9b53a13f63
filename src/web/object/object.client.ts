import '../components/copy.client.ts'

// The buttons of custom links, which are loaded after the object's page.

const link = document.querySelector<HTMLAnchorElement>('a[data-custom-links]')
if (link) void showCustomLinks(link)

/** Replaces the link to the page of the custom links with their buttons. */
async function showCustomLinks(link: HTMLAnchorElement): Promise<void> {
  try {
    const response = await fetch(link.href)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const buttons = page.getElementById('custom-links')
    if (buttons) link.replaceWith(...buttons.childNodes)
  } catch {
    // The link remains: it leads to the page with the buttons.
  }
}
