import type { ApiRequest } from '../api-request.ts'
import type { Endpoint } from '../endpoint.ts'
import type { HttpResponse } from '../response.ts'
import { framed, type PageFrame } from './page-frame.ts'

/** The endpoint of a page; its refusals are pages too. */
export function pageEndpoint(
  frame: PageFrame,
  methods: 'GET' | 'GET POST',
  page: (request: ApiRequest) => Promise<HttpResponse>,
): Endpoint {
  const handler = framed(frame, page)
  return {
    name: 'Page',
    description: 'A page for people.',
    isOpen: true,
    negotiates: true,
    needsWriter: true,
    methods: methods === 'GET' ? { GET: handler } : { GET: handler, POST: handler },
  }
}
