/** Elements without an end tag. */
const VOID: ReadonlySet<string> = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

/** A tag as pages write it: each value of an attribute in double quotes, without a raw `<` in it. */
const TAG = /<(\/?)([a-z][\w-]*)((?:\s+[A-Za-z_:][\w:.-]*(?:="[^"<]*")?)*)\s*(\/?)>/y

const COMMENT = /<!--.*?-->|<!doctype html>/iy

/**
 * Faults in the markup of a page: characters that should have been escaped, elements that are not closed or are closed
 * twice, elements whose name contains `unwanted`. Empty for a sound page.
 */
export function markupFaults(page: string, unwanted: string): readonly string[] {
  const faults: string[] = []
  const open: string[] = []
  let at = page.indexOf('<')
  while (at >= 0) {
    const [comment] = matchAt(COMMENT, page, at) ?? []
    const tag = comment === undefined ? matchAt(TAG, page, at) : undefined
    if (comment === undefined && !tag) faults.push(`not a tag: ${page.slice(at, at + 120)}`)
    if (tag) {
      const [, end, name = '', attributes = '', isClosed] = tag
      if (name.includes(unwanted) || attributes.includes(`${unwanted}=`)) faults.push(tag[0])
      if (end === '/') {
        if (open.pop() !== name) return [...faults, `</${name}> closes nothing: ${around(page, at)}`]
      } else if (isClosed !== '/' && !VOID.has(name)) open.push(name)
    }
    at = page.indexOf('<', at + (comment?.length ?? tag?.[0].length ?? 1))
  }
  return open.length > 0 ? [...faults, `not closed: ${open.join(' ')}`] : faults
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

const around = (text: string, at: number): string => text.slice(Math.max(0, at - 160), at + 20)
