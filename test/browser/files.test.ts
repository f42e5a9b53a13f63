import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

inBrowser('packs with files, labels and floor plans', () => {
  const { openSignedIn, api } = setUp({ PACKS: 'attachments,labels,floorplan' })

  it('take files that are dragged to the form of an object', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/sites/1/files/')
    const data = await page.evaluateHandle(`
      const transfer = new DataTransfer()
      transfer.items.add(new File(['Keys are at the gate.'], 'access.txt'))
      transfer
    `)
    await page.dispatchEvent('form[data-drop]', 'drop', { dataTransfer: data })
    await page.getByText('The file was added.').waitFor()
    expect(await page.locator('.files').textContent()).toContain('access.txt')
  })

  it('draw a floor plan with the mouse and the keyboard, undo steps, and save it', async () => {
    const plan = await api().make('plugins/floorplan/floorplans', { site: 1, width: 8, height: 5 })
    await api().make('plugins/floorplan/tiles', {
      floorplan: plan,
      kind: 'outlet',
      x: 1,
      y: 4,
      width: 0.5,
      height: 0.5,
    })
    const page = await openSignedIn()
    await page.goto(`/plugins/floorplan/floorplans/${plan}/`)
    const outlet = page.locator('.t-outlet')
    const place = () => outlet.getAttribute('transform')
    const before = await place()
    await outlet.scrollIntoViewIfNeeded()
    const area = await outlet.boundingBox()
    if (!area) throw new Error('The tile is not visible')
    await page.mouse.move(area.x + 5, area.y + 5)
    await page.mouse.down()
    await page.mouse.move(area.x + 105, area.y - 45, { steps: 4 })
    await page.mouse.up()
    const dragged = await place()
    expect(dragged).not.toBe(before)
    await page.keyboard.press('Shift+ArrowRight')
    expect(await place()).not.toBe(dragged)
    await page.keyboard.press('Control+z')
    expect(await place()).toBe(dragged)
    await page.keyboard.press('Control+z')
    expect(await place()).toBe(before)
    await page.keyboard.press('Control+y')
    await page.locator('[data-add]').selectOption('camera')
    await page.getByLabel('Label', { exact: true }).fill('Cam 1')
    await page.getByLabel('X', { exact: true }).fill('5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('2 tiles').waitFor()
    await expect.poll(() => page.locator('.t-camera').getAttribute('transform')).toContain('translate(500')
    expect((await place())?.split(')')[0]).toBe(dragged?.split(')')[0])
    // The form of a tile links it with an object, and leads back to the plan.
    await page.locator('.t-camera').focus()
    await page.locator('.plan-tools').getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('combobox', { name: 'Linked object' }).fill('hh-switch')
    await page.getByRole('option', { name: /^hh-switch / }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(`**/floorplans/${plan}/?saved=*`)
    await page.locator('.plan summary').click()
    expect(await page.locator('.plan li', { hasText: 'Cam 1' }).textContent()).toContain('hh-switch')
  })

  it('show labels in their true size', async () => {
    await api().make('plugins/labels/label-templates', {
      name: 'Site',
      object_type: 'dcim.site',
      width: 100,
      height: 40,
    })
    const page = await openSignedIn()
    await page.goto('/dcim/sites/1/')
    await page.getByRole('link', { name: 'Labels' }).first().click()
    const size = await page.locator('.label-list svg').boundingBox()
    // 96 pixels are an inch.
    expect([Math.round(size?.width ?? 0), Math.round(size?.height ?? 0)]).toEqual([378, 151])
  })
})
