/** What one look at the service has shown. */
export interface Finding {
  /** What was looked at: `clock`. */
  readonly subject: string
  /** A problem keeps the service from working, or will; a warning deserves a thought. */
  readonly state: 'ok' | 'warning' | 'problem'
  /** One sentence. */
  readonly text: string
  /** What to do about it. */
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
