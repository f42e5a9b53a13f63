import type { FormValues } from '../../api/transport/body.ts'

/** The texts that the form has under the name. */
export const textsIn = (form: FormValues, name: string): readonly string[] =>
  (form.get(name) ?? []).filter((each) => typeof each === 'string')

/** The last of them; empty where there is none. */
export const textIn = (form: FormValues, name: string): string => textsIn(form, name).at(-1) ?? ''
