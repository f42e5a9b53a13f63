import { type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { EMPTY } from './value.ts'

/** A part of a whole that is in use. */
export interface Utilization {
  /** Of what: `Space`. */
  readonly label: string
  /** Share in use, 0 and up; 1 is all. Undefined if the whole is unknown. */
  readonly share: number | undefined
  /** Share that is reserved in addition to the used share. */
  readonly reserved?: number
  /** False: it may be full by design, so a high share is no warning. */
  readonly canRunOut?: boolean
  /** The numbers behind the share: `31 of 42 units`. */
  readonly text: string
}

/** Thresholds of the share for "little left" and "nearly nothing left". */
const HIGH = 0.7
const FULL = 0.9

/** The utilization as a bar with its numbers. */
export const utilizationMeter = (utilization: Utilization): Html =>
  html`<div class="utilization"><span class="utilization-label">${utilization.label}</span>
<span class="utilization-text">${utilization.share !== undefined && html`<strong>${percent(utilization.share)}</strong> `}${utilization.text}</span>
${utilization.share !== undefined && utilizationBar(utilization)}</div>`

/** The bar alone, for cells of tables. An unknown share is an empty bar. */
export function utilizationBar({ label, share, reserved = 0, canRunOut = true }: Utilization): Html {
  const used = Math.min(Math.max(share ?? 0, 0), 1)
  const aside = Math.min(reserved, 1 - used)
  const level = !canRunOut ? 'neutral' : used >= FULL ? 'full' : used >= HIGH ? 'high' : 'low'
  return html`<svg class="utilization-bar ${level}" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${label}: ${share === undefined ? translate('unknown') : percent(share)}"><rect class="whole" width="100" height="8"/><rect class="used" width="${(used * 100).toFixed(2)}" height="8"/>${aside > 0 && html`<rect class="aside" x="${(used * 100).toFixed(2)}" width="${(aside * 100).toFixed(2)}" height="8"/>`}</svg>`
}

/** A share in a cell of a table; nothing for an unknown one. */
export const utilizationCell = (label: string, share: number | undefined, canRunOut = true): Html =>
  share === undefined
    ? EMPTY
    : html`<span class="utilization-cell">${utilizationBar({ label, share, text: '', canRunOut })} ${percent(share)}</span>`

/** Rounds to a whole percentage; a non-zero share never rounds to 0 %. */
export function percent(share: number): string {
  const whole = Math.round(share * 100)
  if (whole === 0 && share > 0) return '< 1 %'
  return `${whole} %`
}
