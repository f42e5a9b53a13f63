import { basePath, identifiedRequest, requestErrorText } from '../components/api-request.client.ts'
import { makeButton } from '../components/button.client.ts'
import { translated } from '../components/translated.client.ts'

// Allocates the next free prefix of a length at once; without it, the form leads to the form for a prefix.

interface CreatedPrefix {
  readonly id: number
}

/** Values that the new prefix shares with its parent: ids, and the type of one of them. */
const inherited = (form: HTMLFormElement): Record<string, string | number> =>
  Object.fromEntries(
    [...form.querySelectorAll<HTMLInputElement>('input[type="hidden"]')]
      .filter(({ name }) => name !== 'return_url')
      .map(({ name, value }) => [name, /^\d+$/.test(value) ? Number(value) : value]),
  )

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-island="allocate"]')) {
  const sizes = form.querySelector<HTMLSelectElement>('select[name="prefix"]')
  const status = form.querySelector('.allocate-status')
  const path = form.dataset.allocate
  if (!sizes || !status || path === undefined) continue
  const take = makeButton(translated('Allocate'), async () => {
    take.disabled = true
    try {
      const length = Number(sizes.selectedOptions[0]?.dataset.length)
      const { document: taken, requestId } = await identifiedRequest<CreatedPrefix>('POST', path, {
        body: { ...inherited(form), prefix_length: length },
      })
      const saved = `saved=created&saved_id=${taken.id}&saved_request=${requestId}`
      location.assign(`${basePath()}/ipam/prefixes/${taken.id}/?${saved}`)
    } catch (error) {
      status.textContent = requestErrorText(error)
      take.disabled = false
    }
  })
  take.className = ''
  form.querySelector('.buttons')?.prepend(take)
}
