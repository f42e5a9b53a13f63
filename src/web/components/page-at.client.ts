/** The page that the service sends for a request; undefined if it refuses the request, or cannot be reached. */
export async function pageAt(address: string, options?: RequestInit): Promise<Document | undefined> {
  try {
    const response = await fetch(address, options)
    return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : undefined
  } catch {
    return undefined
  }
}

/** The address that a form is sent to. `form.action` would be the control of a field that is called `action`. */
export const addressOf = (form: HTMLFormElement): string =>
  new URL(form.getAttribute('action') ?? '', document.baseURI).href

/** The field of a form, by its name. */
export const fieldOf = (root: ParentNode, name: string): HTMLElement | null =>
  root.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`)
