/** Result of one check. */
export interface Finding {
  /** Subject of the check: `clock`. */
  readonly subject: string
  /** A problem prevents the service from working, now or soon; a warning may be intended. */
  readonly state: 'ok' | 'warning' | 'problem'
  /** One sentence. */
  readonly text: string
  /** How to fix it. */
  readonly advice?: string
}

export const ok = (subject: string, text: string): Finding => ({ subject, state: 'ok', text })

export const warning = (subject: string, text: string, advice: string): Finding => ({
  subject,
  state: 'warning',
  text,
  advice,
})

export const problem = (subject: string, text: string, advice: string): Finding => ({
  subject,
  state: 'problem',
  text,
  advice,
})
