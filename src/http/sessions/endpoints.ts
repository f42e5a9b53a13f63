import type { Authentication } from '../../auth/authenticate.ts'
import type { Endpoint } from '../endpoint.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'

/** What browsers sign in and out with, by path. */
export const sessionEndpoints = (authentication: Authentication): ReadonlyMap<string, Endpoint> =>
  new Map([
    ['/login/', login(authentication)],
    ['/logout/', logout(authentication)],
  ])
