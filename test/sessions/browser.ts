import { parseSetCookie, stringifyCookie } from 'cookie'

/** Everything that a test may look at in the answer to a page's request. */
export interface PageAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Of a redirect. */
  readonly location: string | null
}

export interface Visit {
  readonly method?: string
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What a person's browser does: it keeps cookies, says where a form comes from, and follows no redirect. */
export class Browser {
  readonly cookies = new Map<string, string>()
  /** Values of Set-Cookie in the last answer. */
  received: readonly string[] = []
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async visit(path: string, { method, form, body, headers = {} }: Visit = {}): Promise<PageAnswer> {
    const isWrite = form !== undefined || (method !== undefined && method !== 'GET')
    const response = await fetch(new URL(path, this.#url), {
      method: method ?? (form ? 'POST' : 'GET'),
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
        ...(isWrite && { origin: new URL(this.#url).origin }),
        ...(this.cookies.size > 0 && { cookie: stringifyCookie(Object.fromEntries(this.cookies)) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(form && { body: new URLSearchParams(form) }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    this.#keep(response.headers.getSetCookie())
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get('location'),
    }
  }

  /** The login form as a person fills it in. */
  async logIn(username: string, password: string, next = ''): Promise<PageAnswer> {
    const { text } = await this.visit(`/login/?next=${encodeURIComponent(next)}`)
    return await this.visit('/login/', { form: { ...hiddenFields(text), username, password } })
  }

  #keep(received: readonly string[]): void {
    this.received = received
    for (const text of received) {
      const { name, value = '', maxAge } = parseSetCookie(text)
      if (maxAge === 0) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

const HIDDEN = /<input type="hidden" name="([^"]*)" value="([^"]*)">/g

/** Names and values that the first form of the page's content sends back unseen. */
export const hiddenFields = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(HIDDEN)].map(([, name = '', value = '']) => [name, decoded(value)]),
  )

const decoded = (text: string): string =>
  text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
