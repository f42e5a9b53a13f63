import type { Model } from '../../../schema/registry.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { ID } from '../../routes.ts'
import type { PageFrame } from '../page-frame.ts'
import { MARKS, markPage } from './marks.ts'

/** A page of a model: its address below that of the list, methods, what makes it. */
export type ModelPageRow = readonly [
  path: string,
  methods: 'GET' | 'GET POST',
  page: (frame: PageFrame, request: ApiRequest, model: Model) => Promise<HttpResponse>,
]

/** The pages of an object beside those that every model has. */
export const objectPages = (model: Model): readonly ModelPageRow[] =>
  MARKS.filter(({ feature }) => model.has(feature)).map(
    (mark): ModelPageRow => [`${ID}/${mark.path}/`, 'GET POST', markPage(mark)],
  )
