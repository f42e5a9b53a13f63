import { expect } from 'vitest'
import { toolsOf } from '../../agents/client.ts'
import { createdId } from '../../support/requests.ts'
import { button, checkIn, content, field, goTo, jumpTo, linkTo, openForm, send } from './steps.ts'
import { type Person, type Story, tellStories } from './story.ts'

const SCRIPT = `
from extras.scripts import IntegerVar, Script

class CountSites(Script):
    class Meta:
        name = "Count sites"

    least = IntegerVar(min_value=0, default=1)

    def run(self, data, commit):
        self.log_success(f"At least {data['least']}")
`

/** The sites to which an assistant wants to give another facility. */
const SITES = { desktop: 'Harbour House', phone: 'Gull Rock Lighthouse' } as const

/** A row of the table of fields in the form of a new type. */
async function defineField({ page, type, pick }: Person, row: number, name: string, kind: string): Promise<void> {
  await type(page.getByRole('textbox', { name: `Name: row ${row}` }), name)
  await pick(page.getByRole('combobox', { name: `Kind: row ${row}` }), kind)
}

const STORIES: readonly Story[] = [
  {
    name: 'own-model',
    title: 'Define a kind of objects with four fields, and add the first one',
    clicks: { desktop: 8, phone: 10 },
    run: async (person) => {
      const { page, api, size, fill, click } = person
      await goTo(person, 'Customization', 'Custom Object Types')
      await click(linkTo(person, /^(\+ )?Add/))
      await fill(page.getByRole('textbox', { name: 'Name', exact: true }), `Lamp ${size}`)
      await defineField(person, 2, 'Lit since', 'Date')
      await defineField(person, 3, 'Range', 'Integer')
      await defineField(person, 4, 'Remarks', 'Text (long)')
      await click(button(person, 'Create'))
      await page.getByRole('heading', { level: 1, name: `Lamp ${size}` }).waitFor()
      await click(linkTo(person, new RegExp(`^(\\+ )?Add lamp ${size}`, 'i')))
      await fill(field(person, 'Name'), 'First light')
      await fill(field(person, 'Range'), '12')
      await send(person, `Create lamp ${size}`)
      const { json } = await api.ask('GET', `/api/plugins/custom-objects/lamp-${size}s/`)
      expect(json.results).toMatchObject([{ name: 'First light', range: 12, lit_since: null }])
    },
  },
  {
    name: 'computed-field',
    title: 'Compute the number of racks of a site, with suggestions while typing',
    clicks: { desktop: 2, phone: 5 },
    run: async (person) => {
      const { page, api, size, fill, pick } = person
      await openForm(person, 'Customization', 'Computed Fields')
      await pick(field(person, 'Object type'), 'Site')
      await fill(field(person, 'Name'), `racks_${size}`)
      const area = page.locator('[data-field="expression"] textarea')
      await area.pressSequentially('count(rac')
      await page.getByRole('option').filter({ hasText: 'racks' }).first().waitFor()
      await person.press('Tab')
      await area.pressSequentially(')')
      await page.getByText('Result: Integer').waitFor()
      await send(person, 'Create computed field')
      const { json } = await api.ask('GET', `/api/dcim/sites/?name=Harbour House&fields=racks_${size}`)
      expect(json.results?.[0]?.[`racks_${size}`]).toBeGreaterThan(0)
    },
  },
  {
    name: 'date-rule',
    title: 'Be told thirty days before circuits end',
    clicks: { desktop: 5, phone: 8 },
    run: async (person) => {
      const { page, api, size, fill, pick, click } = person
      await openForm(person, 'Operations', 'Event Rules')
      await fill(field(person, 'Name'), `Ending ${size}`)
      await checkIn(person, 'object_types', 'Circuit')
      await click(page.getByRole('checkbox', { name: 'Date reached' }))
      await fill(page.getByRole('spinbutton', { name: 'Time' }), '30')
      await pick(page.getByRole('combobox', { name: 'Date', exact: true }), 'Terminates')
      await pick(field(person, 'Action'), 'Keepers')
      await send(person, 'Create event rule')
      const { json } = await api.ask('GET', `/api/extras/event-rules/?name=Ending ${size}`)
      expect(json.results).toMatchObject([{ event_types: ['date_reached'], action_type: { value: 'notification' } }])
    },
  },
  {
    name: 'upload-script',
    title: 'Upload a script, and run it with the values of its form',
    clicks: { desktop: 6, phone: 8 },
    run: async (person) => {
      const { page, api, size, click, fill } = person
      await goTo(person, 'Customization', 'Scripts')
      await click(linkTo(person, 'Upload a file'))
      const name = `count_${size}.py`
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name, mimeType: 'text/x-python', buffer: Buffer.from(SCRIPT) })
      await click(button(person, 'Upload'))
      await click(linkTo(person, 'CountSites'))
      await click(linkTo(person, 'Run'))
      await fill(field(person, 'Least'), '3')
      await click(button(person, 'Run script'))
      await page.waitForURL(/\/core\/jobs\/\d+\/$/)
      await api.background.runUntilIdle()
      await page.getByText('At least 3').first().waitFor()
    },
  },
  {
    name: 'agent-plan',
    title: 'Review what an assistant plans, and merge it',
    clicks: { desktop: 4, phone: 6 },
    run: async (person) => {
      const { page, api, size, click } = person
      await goTo(person, 'Operations', 'Change Requests')
      await click(linkTo(person, `Facility of ${SITES[size]}`))
      expect(await content(person)).toMatch(new RegExp(`Facility[\\s\\S]*Lantern ${size}`))
      await click(linkTo(person, 'Merge'))
      await click(button(person, 'Merge'))
      await page.locator('.notice.good').waitFor()
      const { json } = await api.ask('GET', `/api/dcim/sites/?name=${SITES[size]}`)
      expect(json.results?.[0]?.facility).toBe(`Lantern ${size}`)
    },
  },
  {
    name: 'inline',
    title: 'Change a value where it stands, and undo it',
    clicks: { desktop: 4, phone: 4 },
    run: async (person) => {
      const { page, api, click, fill } = person
      const status = async () =>
        (await api.ask('GET', '/api/dcim/sites/?q=Seal Point')).json.results?.[0]?.status?.value
      await jumpTo(person, 'Seal Point', /^Seal Point/)
      await click(page.getByRole('button', { name: 'Edit Status' }))
      await fill(page.locator('.inline-edit').getByRole('combobox'), 'Retired')
      await person.press('Enter')
      await page.locator('.notice.good').waitFor()
      expect(await status()).toBe('retired')
      await click(page.locator('.notice.good').getByRole('link', { name: 'Undo' }))
      await click(button(person, /^Undo/))
      await page.locator('.notice.good').waitFor()
      expect(await status()).toBe('active')
    },
  },
  {
    name: 'move-rack',
    title: 'Move a rack with its devices to another site, and undo it',
    clicks: { desktop: 5, phone: 5 },
    run: async (person) => {
      const { page, api, click, pick } = person
      const site = async () => (await api.ask('GET', '/api/dcim/devices/?name=hh-router')).json.results?.[0]?.site?.name
      const { json } = await api.ask('GET', '/api/dcim/devices/?name=hh-router')
      const rack = json.results?.[0]?.rack
      await jumpTo(person, String(rack?.name), new RegExp(`^${rack?.name}`))
      await click(linkTo(person, 'Edit'))
      await page.locator('[data-field="location"]').getByRole('combobox').fill('')
      await pick(field(person, 'Site'), 'Gull Rock Lighthouse')
      await send(person, 'Save')
      expect(await site()).toBe('Gull Rock Lighthouse')
      await click(page.locator('.notice.good').getByRole('link', { name: 'Undo' }))
      await click(button(person, /^Undo/))
      await page.locator('.notice.good').waitFor()
      expect(await site()).toBe('Harbour House')
    },
  },
]

tellStories(
  'Stories of models, automation and assistants',
  STORIES,
  async (api) => {
    await createdId(api, 'extras/notification-groups', { name: 'Keepers', users: [1] })
    const call = toolsOf(api)
    for (const [size, name] of Object.entries(SITES)) {
      const { json } = await api.ask('GET', `/api/dcim/sites/?name=${name}`)
      const write = {
        method: 'PATCH',
        path: `dcim/sites/${json.results?.[0]?.id}/`,
        body: { facility: `Lantern ${size}` },
      }
      const { isError, text } = await call('plan', { title: `Facility of ${name}`, writes: [write] })
      expect(isError, text).toBe(false)
    }
  },
  { settings: { MCP_ENABLED: 'true' } },
)
