import type { Control } from '../components/control.ts'
import type { ControlGroup } from './edit-controls.ts'
import { type FormTexts, isSame, shownTexts } from './form-texts.ts'

/** Name under which a form sends back the texts with which it was shown. */
export const SHOWN = '_shown'

/** The texts of untouched controls as one text, for the form to send back. */
export const shownDocument = (groups: readonly ControlGroup[]): string =>
  JSON.stringify(Object.fromEntries(controlsIn(groups).map((control) => [control.name, shownTexts(control)])))

/** The texts with which the form was shown; those of the controls if the form does not contain them. */
export function textsShown(groups: readonly ControlGroup[], texts: FormTexts): FormTexts {
  const stored = new Map(controlsIn(groups).map((control) => [control.name, shownTexts(control)]))
  const sent = documentOf(texts.get(SHOWN)?.[0])
  return new Map([...stored].map(([name, texts]) => [name, sent.get(name) ?? texts]))
}

function documentOf(text: string | undefined): FormTexts {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    if (typeof value !== 'object' || value === null) return new Map()
    return new Map(
      Object.entries(value).flatMap(([name, texts]) =>
        Array.isArray(texts) ? [[name, texts.map(String)] as const] : [],
      ),
    )
  } catch {
    return new Map()
  }
}

/**
 * Controls whose values are to be sent. For an existing object, those that the user edited; for a new one, also those
 * that were already filled in.
 */
export function touchedControls(
  base: readonly ControlGroup[],
  groups: readonly ControlGroup[],
  texts: FormTexts,
  isExisting: boolean,
): readonly Control[] {
  const initial = textsShown(base, texts)
  const entered = (name: string): readonly string[] => texts.get(name) ?? []
  const isTouched = (name: string): boolean => !isSame(entered(name), initial.get(name) ?? [])
  return controlsIn(groups).filter(({ name, sentAs }) => {
    if (sentAs === 'none') return false
    if (sentAs === 'file') return true
    const isFilled = entered(name).some((text) => text !== '')
    if (!isExisting && isFilled) return true
    // A list of objects is sent with their type.
    const type = `${name}_type`
    return isTouched(name) || (initial.has(type) && isTouched(type))
  })
}

const controlsIn = (groups: readonly ControlGroup[]): readonly Control[] => groups.flatMap(({ controls }) => controls)
