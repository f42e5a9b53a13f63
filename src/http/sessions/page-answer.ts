import { HTML_TYPE, type HttpResponse } from '../response.ts'

/** A page that is made for one person: nobody else may be shown it again, nor the next one at this machine. */
export const personalPage = (status: number, body: string): HttpResponse => ({
  status,
  type: HTML_TYPE,
  body,
  headers: { 'Cache-Control': 'no-store' },
})

/** On to another page with GET, after a form (RFC 9110 §15.4.4). `location` is a path, base path and all. */
export const seeOther = (location: string, cookies: readonly string[] = []): HttpResponse => ({
  status: 303,
  headers: { Location: location, 'Cache-Control': 'no-store' },
  cookies,
})
