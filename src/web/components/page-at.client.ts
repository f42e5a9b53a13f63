/** The page that the service sends for a request; undefined if it refuses the request, or cannot be reached. */
export async function pageAt(address: string, options?: RequestInit): Promise<Document | undefined> {
  try {
    const response = await fetch(address, options)
    return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : undefined
  } catch {
    return undefined
  }
}

/** The field of a form, by its name. */
export const fieldOf = (root: ParentNode, name: string): HTMLElement | null =>
  root.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`)
