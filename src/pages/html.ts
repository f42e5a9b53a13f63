import { raw, html as tag } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Markup that may stand in a page as it is. */
export type Html = HtmlEscapedString

/** What a template takes: texts are escaped, absent things leave nothing behind. */
export type Content = Html | string | number | false | undefined | readonly Content[]

/** Markup out of a template; every text that is put in is escaped, in attributes too. */
export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Html =>
  // The package gives a promise only where one is among the values, and Content holds none.
  tag(strings, ...values) as Html

/** Markup that the service has made itself, such as a drawing. Never to be used on what a client sent. */
export const trusted = (markup: string): Html => raw(markup)
