import { parseSetCookie, stringifyCookie } from 'cookie'
import type { Api } from '../support/api.ts'

/** The parts of a page's response that tests inspect. */
export interface PageAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Target of a redirect. */
  readonly location: string | null
}

export interface Visit {
  readonly method?: string
  /** Fields of a form to send. */
  readonly form?: Readonly<Record<string, string>>
  /** JSON to send. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A simple browser: it stores cookies, sends the Origin of forms, and does not follow redirects. */
export class Browser {
  readonly cookies = new Map<string, string>()
  /** Values of Set-Cookie in the last response. */
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

  /** Submits the login form. */
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

/** Names and values of the hidden fields in the first form of the page. */
export const hiddenFields = (page: string): Record<string, string> =>
  Object.fromEntries([...page.matchAll(HIDDEN)].map(([, name = '', value = '']) => [name, decoded(value)]))

const decoded = (text: string): string =>
  text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** A browser in which a new user is signed in. */
export async function signedInBrowser(api: Api, username: string, password: string): Promise<Browser> {
  await api.ask('POST', '/api/users/users/', { body: { username, password } })
  const browser = new Browser(api.url)
  await browser.logIn(username, password)
  return browser
}
