import { AsyncLocalStorage } from 'node:async_hooks'
import { ENGLISH, type Language } from './language.ts'

const languages = new AsyncLocalStorage<Language>()

/** Result of `work`, in which `translate` answers in this language, and so does all that it calls. */
export const inLanguage = <Result>(language: Language, work: () => Result): Result =>
  languages.run(language, work)

/** Language of the page that is being made; English outside a page. */
export const currentLanguage = (): Language => languages.getStore() ?? ENGLISH
