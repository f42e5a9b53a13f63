import { expect } from 'vitest'
import { button, linkTo, openList } from './steps.ts'
import { type Person, type Story, tellStories } from './story.ts'

const ROWS = 10

/** Cells of a spreadsheet: facility and region of each site; the region of the fourth is misspelt. */
const CELLS = Array.from({ length: ROWS }, (_, index) =>
  [`Hall ${index + 1}`, index === 3 ? 'Coats' : 'Coast'].join('\t'),
).join('\n')

const siteName = (size: string, index: number): string => `${size}-yard-${index}`

/** A cell by its column, of the row with this number, from 0. */
const cell = ({ page, size }: Person, column: string, row: number) =>
  page.getByRole('textbox', { name: `${siteName(size, row)}: ${column}` }).or(
    // Cells with a list of choices.
    page.getByRole('combobox', { name: `${siteName(size, row)}: ${column}` }),
  )

/** Pastes a text from the clipboard into the element with the focus. */
async function paste({ page }: Person, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('ControlOrMeta+V')
}

const STORIES: readonly Story[] = [
  {
    name: 'grid',
    title: 'Fill 30 cells of a grid',
    task: 25,
    clicks: { desktop: 9, phone: 10 },
    run: async (person) => {
      const { page, api, size, click, type } = person
      await openList(person, 'Organization', 'Sites')
      await type(page.getByPlaceholder('Search in this list…'), `${size}-yard`)
      await person.press('Enter')
      await page.waitForURL(/q=/)
      await click(linkTo(person, 'Grid'))
      await click(cell(person, 'Facility', 0))
      await paste(person, CELLS)
      await page.getByText(`Changed cells: ${2 * ROWS}`).waitFor()
      await type(cell(person, 'Status', 0), 'planned')
      await click(button(person, 'Fill down'))
      await page.getByText(`Changed cells: ${3 * ROWS}`).waitFor()
      await click(button(person, 'Save'))
      const refused = cell(person, 'Region', 3)
      await page.getByText('Not saved.').waitFor()
      expect(await refused.getAttribute('aria-invalid')).toBe('true')
      expect(await refused.evaluate((input) => input.matches(':focus'))).toBe(true)
      await refused.fill('Coast')
      await click(button(person, 'Save'))
      await page.waitForURL(/changed-all/)
      const { json } = await api.ask(
        'GET',
        `/api/dcim/sites/?name__isw=${size}-yard&status=planned&region=coast&facility__isw=Hall`,
      )
      expect(json.count).toBe(ROWS)
      const changes = await api.ask('GET', `/api/core/object-changes/?action=update&limit=${ROWS + 1}`)
      const requests = (changes.json.results ?? []).map(({ request_id: id }) => id)
      expect(requests.filter((id) => id === requests[0])).toHaveLength(ROWS)
    },
  },
]

tellStories('grids', STORIES, async (api) => {
  await api.ask('POST', '/api/dcim/regions/', { body: { name: 'Coast', slug: 'coast' } })
  for (const size of ['desktop', 'phone']) {
    const sites = Array.from({ length: ROWS }, (_, index) => ({
      name: siteName(size, index),
      slug: siteName(size, index),
    }))
    const { status, text } = await api.ask('POST', '/api/dcim/sites/', { body: sites })
    expect(status, text).toBe(201)
  }
})
