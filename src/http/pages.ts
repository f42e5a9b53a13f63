import { type Answer, HTML_TYPE } from './answer.ts'

/** A path at which nothing answers: a page for people, since a mistyped address is a person's. */
export const pageNotFound = (): Answer => page(404, 'Not found', 'Nothing is at this address.')

/** To the same path with a slash at the end. `location` begins with a slash. */
export const redirectTo = (location: string): Answer => ({
  ...page(302, 'Moved', 'The address of a resource ends with a slash.'),
  headers: { Location: location, Vary: 'Accept-Language, Cookie, origin' },
})

function page(status: number, title: string, text: string): Answer {
  return {
    status,
    type: HTML_TYPE,
    body: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>\n`,
  }
}
