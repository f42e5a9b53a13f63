import { HTML_TYPE, type HttpResponse } from '../../api/response.ts'

/** A page for one user: it must not be cached for other users, nor for the next user of this machine. */
export const personalPage = (status: number, body: string): HttpResponse => ({
  status,
  type: HTML_TYPE,
  body,
  headers: { 'Cache-Control': 'no-store' },
})

/** Redirects to another page with GET, after a form (RFC 9110 §15.4.4). `location` is a path with the base path. */
export const seeOther = (location: string, cookies: readonly string[] = []): HttpResponse => ({
  status: 303,
  headers: { Location: location, 'Cache-Control': 'no-store' },
  cookies,
})
