import type { ApiRequest } from '../../api/api-request.ts'
import type { Endpoint, Handler, Operation } from '../../api/endpoint.ts'
import { requestAsOf } from '../../api/past-request.ts'
import type { Actor } from '../../identity/actor.ts'
import { type Grants, grantKey } from '../../identity/grants.ts'
import { AS_OF } from '../../read/as-of/past-timestamp.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { inPageLanguage } from '../texts/page-language.ts'
import { inChosenBranch } from './page-branch.ts'
import { framed, type PageFrame, type PageResponse, refusalPage } from './page-frame.ts'

/** Methods of a page: one with a form has POST. */
type PageMethods = 'GET' | 'GET POST'

/** A page: its pattern, methods and handler. */
export type PageRow = readonly [
  path: string,
  methods: PageMethods,
  page: (request: ApiRequest) => Promise<PageResponse>,
  /** The page is about data that branches share. */
  options?: { readonly isShared: boolean },
]

/** Handler of a page of a model. */
export type ModelPage = (request: ApiRequest, model: Model) => Promise<PageResponse>

/** A page of a model: path below that of the list, methods, handler. */
export type ModelPageRow = readonly [path: string, methods: PageMethods, page: ModelPage]

/** The endpoint of a page, by its pattern. Its refusals are pages too. */
export function pageEndpoint(
  frame: PageFrame,
  [path, methods, page, options]: PageRow,
): readonly [path: string, Endpoint] {
  // Pages with forms change something, or concern the user's own data.
  const hasNoHistory = methods !== 'GET'
  const inFrame: Handler = async (request) => {
    const response = await page(request)
    return 'title' in response ? await frame(request, response) : response
  }
  const isShared = options?.isShared === true
  const inTime = framed(frame, asOfTime({ hasNoHistory }, inFrame))
  const operation: Operation = {
    handle: inPageLanguage(
      framed(
        frame,
        inChosenBranch(isShared, inTime, (request, error) => refusalPage(frame, request, error)),
      ),
    ),
  }
  const endpoint: Endpoint = {
    name: 'Page',
    description: 'A page for people.',
    access: 'open',
    kind: 'page',
    methods: methods === 'GET' ? { GET: operation } : { GET: operation, POST: operation },
  }
  return [path, endpoint]
}

/** The handler of a page, which reads the rows of the time that `as_of` names; its sender can only view. */
const asOfTime =
  (endpoint: Pick<Endpoint, 'hasNoHistory'>, handler: Handler): Handler =>
  async (request) => {
    const asOf = lastValue(request.search, AS_OF)
    if (!asOf) {
      // Past states of a branch are not stored.
      return await handler({ ...request, hasPast: endpoint.hasNoHistory !== true && !request.service.branch })
    }
    const past = await requestAsOf(request, endpoint)
    return await handler({ ...past, asOf, actor: readerOf(past.actor, past.service.registry) })
  }

/** The sender without permissions to change anything, so that pages offer no changes. */
const readerOf = oncePer((actor: Actor, registry: Registry): Actor => {
  if (actor.kind === 'anonymous') return actor
  const grants = actor.isSuperuser ? viewAll(registry) : viewOnly(actor.grants)
  return { ...actor, isSuperuser: false, writeEnabled: false, grants }
})

const viewAll = ({ models }: Registry): Grants =>
  new Map([...models.keys()].map((model) => [grantKey('view', model), [{}]]))

const viewOnly = (grants: Grants = new Map()): Grants =>
  new Map([...grants].filter(([key]) => key.startsWith(grantKey('view', ''))))
