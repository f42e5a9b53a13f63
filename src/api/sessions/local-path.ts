/**
 * Target of the redirect after a login: `next` if it is a path of this service, otherwise the start page. A link to
 * the login page must not be able to redirect to another site.
 */
export function localPath(next: string | undefined, url: URL, basePath: string): string {
  const start = `${basePath}/`
  if (!next?.startsWith('/') || !URL.canParse(next, url.origin)) return start
  // Parsed in the same way as in browsers, which treat \ as / and ignore tabs and line breaks.
  const { origin, pathname, search, hash } = new URL(next, url.origin)
  const isOwn = origin === url.origin && pathname.startsWith(start) && !pathname.startsWith('//')
  return isOwn ? `${pathname}${search}${hash}` : start
}
