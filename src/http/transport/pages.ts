import { messagePage } from '../../pages/message.ts'
import { type Answer, HTML_TYPE } from '../answer.ts'

/** A path at which nothing answers: a page for people, since a mistyped address is a person's. */
export const pageNotFound = (basePath: string): Answer =>
  page(404, basePath, 'Not found', 'Nothing is at this address.')

/** To the same path with a slash at the end. `path` is below the base path, query and all. */
export const redirectTo = (basePath: string, path: string): Answer => ({
  ...page(302, basePath, 'Moved', 'The address of a resource ends with a slash.'),
  headers: { Location: `${basePath}${path}`, Vary: 'Accept-Language, Cookie, origin' },
})

const page = (status: number, basePath: string, title: string, text: string): Answer => ({
  status,
  type: HTML_TYPE,
  body: messagePage(basePath, title, text),
})
