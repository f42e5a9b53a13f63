/** A name as a part of an address, in forms and in objects that are created without one: `Zürich 1` becomes `zurich-1`. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/[\s-]+/g, '-')
    .slice(0, 100)
