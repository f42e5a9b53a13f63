import { type ApiRequest, lastValue } from '../../api/api-request.ts'
import type { Endpoint, Handler } from '../../api/endpoint.ts'
import { requestAsOf } from '../../api/past-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import type { Actor } from '../../identity/actor.ts'
import { type Grants, grantKey } from '../../identity/grants.ts'
import { AS_OF } from '../../read/as-of/moment.ts'
import type { Registry } from '../../schema/registry.ts'
import { inPageLanguage } from '../texts/page-language.ts'
import { framed, type PageFrame } from './page-frame.ts'

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

/** The handler of a page, which reads the rows of the time that `as_of` names; its sender can do no more than view. */
const asOfTime =
  (endpoint: Pick<Endpoint, 'hasNoHistory'>, handler: Handler): Handler =>
  async (request) => {
    const asOf = lastValue(request.search, AS_OF)
    if (!asOf) return await handler({ ...request, hasPast: endpoint.hasNoHistory !== true })
    const past = await requestAsOf(request, endpoint)
    return await handler({ ...past, asOf, actor: readerOf(past) })
  }

/** The sender without permissions that change anything, so that pages offer no such thing. */
function readerOf({ actor, service }: ApiRequest): Actor {
  if (actor.kind === 'anonymous') return actor
  const grants = actor.isSuperuser ? viewAll(service.registry) : viewOnly(actor.grants)
  return { ...actor, isSuperuser: false, writeEnabled: false, grants }
}

const viewAll = ({ models }: Registry): Grants =>
  new Map([...models.keys()].map((model) => [grantKey('view', model), [{}]]))

const viewOnly = (grants: Grants = new Map()): Grants =>
  new Map([...grants].filter(([key]) => key.startsWith(grantKey('view', ''))))
