import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import Provider from 'oidc-provider'
import { freePort } from '../support/free-port.ts'

/** A user of the provider: the subject and the claims. */
export interface Account {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** A real OpenID Connect provider without a login page: `account` signs in. */
export interface TestProvider {
  readonly issuer: string
  /** The next account to sign in; undefined: the user cancels the login. */
  account: Account | undefined
  /** Whether it accepts requests for tokens but never responds. */
  hangs: boolean
  /** Replaces the ID token that it returns. */
  forge: ((idToken: string) => string | Promise<string>) | undefined
  /** What it returns at /graph/me/getMemberObjects, as Microsoft Graph does, for the person's access token. */
  graph: (response: ServerResponse) => void
  close(): Promise<void>
}

export const CLIENT_ID = 'cadastre'
export const CLIENT_SECRET = 'a-secret-of-the-client-that-is-long-enough'
const SCOPES = 'openid profile email groups'

/** Starts a provider that redirects browsers only to `callbacks`. */
export async function startProvider(callbacks: readonly string[]): Promise<TestProvider> {
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const accounts = new Map<string, Account>()
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [...callbacks] }],
    scopes: SCOPES.split(' '),
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'given_name', 'family_name'],
      email: ['email', 'email_verified'],
      groups: ['groups', 'hasgroups'],
    },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key for the cookies of the provider'] },
    findAccount: async (_context, sub) => ({
      accountId: sub,
      claims: async () => accounts.get(sub) ?? { sub },
    }),
    // Every user has consented to every scope.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: CLIENT_ID,
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope(SCOPES)
      await grant.save()
      return grant
    },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  })
  const state: TestProvider = {
    issuer,
    account: undefined,
    hangs: false,
    forge: undefined,
    graph: (response) => response.writeHead(404).end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if (state.hangs) server.closeAllConnections()
      }),
  }
  const login = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { account } = state
    if (account) accounts.set(account.sub, account)
    const result = account ? { login: { accountId: account.sub } } : { error: 'access_denied' }
    await provider.interactionFinished(request, response, result, {
      mergeWithLastSubmission: false,
    })
  }
  const graph = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const token = await provider.AccessToken.find(request.headers.authorization?.replace(/^Bearer /, '') ?? '')
    const body = JSON.parse(await text(request))
    if (token === undefined || request.method !== 'POST' || !('securityEnabledOnly' in body)) {
      response.writeHead(401).end()
    } else state.graph(response)
  }
  provider.use(async (context, next) => {
    await next()
    const { id_token: token } = Object(context.body)
    if (state.forge && typeof token === 'string') {
      context.body = { ...Object(context.body), id_token: await state.forge(token) }
    }
  })
  const answer = provider.callback()
  const server = createServer((request, response) => {
    if (state.hangs && request.url?.startsWith('/token')) return undefined
    if (request.url === '/graph/me/getMemberObjects') {
      graph(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
      return undefined
    }
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    login(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return state
}
