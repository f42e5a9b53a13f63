import type { ApiRequest } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { HttpResponse } from '../../api/response.ts'
import { inPageLanguage } from '../texts/page-language.ts'
import { framed, type PageFrame } from './page-frame.ts'
import { asOfTime } from './past-page.ts'

/** The endpoint of a page; its refusals are pages too. */
export function pageEndpoint(
  frame: PageFrame,
  methods: 'GET' | 'GET POST',
  page: (request: ApiRequest) => Promise<HttpResponse>,
): Endpoint {
  // Pages with forms change something, or are about what the user has.
  const hasNoHistory = methods !== 'GET'
  const handler = inPageLanguage(framed(frame, asOfTime({ hasNoHistory }, page)))
  return {
    name: 'Page',
    description: 'A page for people.',
    isOpen: true,
    isPage: true,
    negotiates: true,
    needsWriter: true,
    methods: methods === 'GET' ? { GET: handler } : { GET: handler, POST: handler },
  }
}
