import type { Transporter } from 'nodemailer'
import { ConfigurationError } from '../../base/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { firstCharacters } from '../../schema/shortened.ts'

/** Milliseconds without a message after which the connection to the server is closed. */
const IDLE = 2_000

/** Maximum number of characters of a server's reply that are shown. */
const LONGEST_REASON = 300

/** A message to one recipient, as plain text. */
export interface Message {
  /** Unique part of its Message-ID, by which mail servers recognise a repeated message. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** An SMTP server that accepts messages. */
export interface MailServer {
  /** Hands a message over. Throws MailFailure. */
  send(message: Message): Promise<void>
}

/**
 * Why a message was not accepted: `server` is unreachable, or accepts no messages at all; `message`: another attempt
 * may succeed; `refused`: the server accepts none for this recipient.
 */
type FailureScope = 'server' | 'message' | 'refused'

/** A message was not accepted. Its text contains no secret. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  readonly scope: FailureScope

  constructor(text: string, scope: FailureScope) {
    super(text)
    this.scope = scope
  }
}

/** The SMTP server of these settings; undefined if there is none. Throws ConfigurationError. */
export function mailServerOf(settings: Settings): MailServer | undefined {
  const { emailServer: host, emailPort: port, emailFrom: from } = settings
  if (host === undefined) return undefined
  const problem = problemOf(settings)
  if (from === undefined || problem !== undefined) throw new ConfigurationError(problem ?? '')
  const { emailUsername: user, emailPassword: pass } = settings
  const timeout = settings.emailTimeout * 1_000
  let transport: Promise<Transporter> | undefined
  let closing: NodeJS.Timeout | undefined
  let underWay = 0
  /** Greeting, encryption and login take longer than a message, so messages in quick succession share a connection. */
  const withTransport = async (work: (transport: Transporter) => Promise<unknown>) => {
    clearTimeout(closing)
    underWay += 1
    try {
      transport ??= opened()
      await work(await transport)
    } finally {
      underWay -= 1
      if (underWay === 0) closing = setTimeout(close, IDLE).unref()
    }
  }
  const close = () => {
    void transport?.then((transporter) => transporter.close())
    transport = undefined
  }
  // Loaded with the first message: few services send any.
  const opened = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host,
      port,
      // Attempts are repeated by jobs, which say so.
      ...{ pool: true, maxConnections: 1, maxRequeues: 0 },
      secure: settings.emailUseSsl,
      requireTLS: settings.emailUseTls,
      ignoreTLS: !settings.emailUseTls,
      ...(user !== undefined && pass !== undefined && { auth: { user, pass } }),
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
      dnsTimeout: timeout,
      // Texts of the inventory must not make the library read files or fetch addresses.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  const domain = from.replace(/^.*@/, '').replace('>', '')
  return {
    send: async ({ id, to, subject, text }) => {
      try {
        await withTransport((transporter) =>
          transporter.sendMail({
            from,
            // As an object it is a single address, whatever characters it contains.
            to: { name: '', address: to },
            subject,
            text,
            messageId: `<${id}@${domain}>`,
            // Prevents automatic replies (RFC 3834).
            headers: { 'Auto-Submitted': 'auto-generated' },
          }),
        )
      } catch (error) {
        throw failureOf(error)
      }
    },
  }
}

/** The error in these settings, as a sentence; undefined if there is none. */
function problemOf({
  emailFrom,
  emailUsername,
  emailPassword,
  emailUseSsl,
  emailUseTls,
}: Settings): string | undefined {
  if (emailFrom === undefined) return 'EMAIL_SERVER needs EMAIL_FROM too.'
  if (emailUseSsl && emailUseTls) return 'Set only one of EMAIL_USE_SSL and EMAIL_USE_TLS.'
  if ((emailUsername === undefined) !== (emailPassword === undefined)) {
    return 'Set both EMAIL_USERNAME and EMAIL_PASSWORD, or neither.'
  }
  return undefined
}

interface SmtpError {
  readonly code?: unknown
  readonly responseCode?: unknown
  readonly response?: unknown
}

function failureOf(error: unknown): MailFailure {
  const { code, responseCode, response } = (error instanceof Error ? error : {}) as SmtpError // nodemailer adds these
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    // The server's reply may repeat what was sent to it.
    return new MailFailure('The mail server did not accept user name and password', 'server')
  }
  if ((code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number') {
    const reason = firstCharacters(String(response).replaceAll(/\s+/g, ' '), LONGEST_REASON)
    return new MailFailure(
      `The mail server refused the message: ${reason}`,
      responseCode >= 500 ? 'refused' : 'message',
    )
  }
  if (code === 'EENVELOPE') return new MailFailure('The address is not valid', 'refused')
  return new MailFailure(`The mail server cannot be used (${String(code ?? error)})`, 'server')
}
