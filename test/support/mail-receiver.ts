import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A message that an SMTP server has accepted. */
export interface ReceivedMessage {
  readonly recipients: readonly string[]
  /** Subject, decoded if it is plain. */
  readonly subject: string
  readonly messageId: string
  /** Headers and body as received. */
  readonly source: string
}

export interface MailReceiver {
  /** Settings for a service that sends its e-mails here. */
  readonly environment: Readonly<Record<string, string>>
  readonly received: readonly ReceivedMessage[]
}

/** An SMTP server for one test. `options` may refuse messages. */
export async function mailReceiverOfTest(options: SMTPServerOptions = {}): Promise<MailReceiver> {
  const received: ReceivedMessage[] = []
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    logger: false,
    onData: async (stream, { envelope }, done) => {
      const source = await text(stream)
      received.push({
        recipients: envelope.rcptTo.map(({ address }) => address),
        subject: headerOf(source, 'Subject'),
        messageId: headerOf(source, 'Message-ID'),
        source,
      })
      done()
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo // It listens on a port.
  return {
    environment: {
      EMAIL_SERVER: '127.0.0.1',
      EMAIL_PORT: String(port),
      EMAIL_FROM: 'Cadastre <cadastre@example.com>',
    },
    received,
  }
}

const headerOf = (source: string, name: string): string =>
  new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'mi').exec(source)?.[1]?.replaceAll(/\r\n/g, '') ?? ''
