/**
 * Where a login leads: to `next`, if that is a path of this service, else to the start page. Whoever
 * sends people a link to the login must not be able to send them on to somewhere else.
 */
export function localPath(next: string | undefined, url: URL, basePath: string): string {
  const start = `${basePath}/`
  if (!next?.startsWith('/') || !URL.canParse(next, url.origin)) return start
  // Read as browsers will read it: they take \ for / and pass over tabs and line ends.
  const { origin, pathname, search, hash } = new URL(next, url.origin)
  const isOwn = origin === url.origin && pathname.startsWith(start) && !pathname.startsWith('//')
  return isOwn ? `${pathname}${search}${hash}` : start
}
