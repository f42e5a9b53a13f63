import type { FormValues } from '../../api/transport/body.ts'
import type { ControlGroup } from './edit-controls.ts'

/** The form, with slugs made of the names where they were left empty. */
export function withSlug(groups: readonly ControlGroup[], form: FormValues): FormValues {
  const filled = new Map(form)
  for (const { name, madeFrom } of groups.flatMap(({ controls }) => controls)) {
    if (madeFrom === undefined || firstText(form, name) !== '') continue
    const slug = slugOf(firstText(form, madeFrom))
    if (slug !== '') filled.set(name, [slug])
  }
  return filled
}

const firstText = (form: FormValues, name: string): string => {
  const value = form.get(name)?.[0]
  return typeof value === 'string' ? value.trim() : ''
}

/** A name as a part of an address: `Zürich 1` becomes `zurich-1`. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/[\s-]+/g, '-')
    .slice(0, 100)
