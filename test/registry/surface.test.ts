import { expect, it } from 'vitest'
import { apiSurface } from './surface.ts'

/**
 * A change of the surface shows in review as a change of surface.txt, which `npm run surface` rewrites.
 */
it('the surface of the API matches surface.txt, which npm run surface rewrites', async () => {
  await expect(await apiSurface()).toMatchFileSnapshot('surface.txt')
})
