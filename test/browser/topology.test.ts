import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

inBrowser('the map of devices', () => {
  const { openSignedIn } = setUp()
  const MAP = '/dcim/topology/?site_id=1'
  const boxOf = (map: Locator): Promise<string | null> => map.locator('svg').getAttribute('viewBox')
  const placeOf = (node: Locator): Promise<string | null> => node.getAttribute('transform')

  it('is moved and zoomed with the keyboard, and so are its nodes, whose positions are saved', async () => {
    const page = await openSignedIn()
    await page.goto(MAP)
    const map = page.getByRole('region', { name: 'Topology' })
    const whole = await boxOf(map)
    await map.focus()
    await page.keyboard.press('+')
    const zoomed = await boxOf(map)
    expect(zoomed).not.toBe(whole)
    await page.keyboard.press('ArrowRight')
    expect(await boxOf(map)).not.toBe(zoomed)
    const node = map.locator('.node').first()
    await node.getByRole('link').focus()
    const before = await placeOf(node)
    await page.keyboard.press('Alt+ArrowDown')
    const after = await placeOf(node)
    expect(after).not.toBe(before)
    await page.getByText('Positions saved.').waitFor()
    await page.reload()
    expect(await placeOf(node)).toBe(after)
    await map.getByRole('button', { name: 'Reset positions' }).click()
    await page.waitForURL(/topology/)
    await expect.poll(() => placeOf(node)).toBe(before)
  })

  it('is dragged and zoomed with the mouse; a drag does not open a page', async () => {
    const page = await openSignedIn()
    await page.goto(MAP)
    const map = page.getByRole('region', { name: 'Topology' })
    const node = map.locator('.node').first()
    const before = await placeOf(node)
    const area = await node.boundingBox()
    if (!area) throw new Error('The node is not visible')
    const [x, y] = [area.x + area.width / 2, area.y + area.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 60, y + 30, { steps: 4 })
    await page.mouse.up()
    expect(await placeOf(node)).not.toBe(before)
    expect(page.url()).toContain('/dcim/topology/')
    const whole = await boxOf(map)
    await page.mouse.wheel(0, -200)
    await expect.poll(() => boxOf(map)).not.toBe(whole)
  })

  it('has its links in a table when scripts are disabled', async () => {
    const page = await openSignedIn({ javaScriptEnabled: false })
    await page.goto(MAP)
    expect(await page.locator('svg .node').count()).toBeGreaterThan(2)
    expect(await page.getByRole('heading', { name: 'Links' }).count()).toBe(1)
  })

  /** The shown names of ports. */
  const shownPorts = (map: Locator): Promise<readonly string[]> => map.locator('.end.placed').allTextContents()

  it('names the ports of few links, which follow their box', async () => {
    const page = await openSignedIn()
    await page.goto(MAP)
    const map = page.getByRole('region', { name: 'Topology' })
    expect((await shownPorts(map)).toSorted()).toEqual(['Z', 'ge-0/1', 'lan0', 'xe0'])
    const name = map.locator('.end', { hasText: 'lan0' })
    const before = await name.getAttribute('x')
    await map.getByRole('link', { name: 'hh-router' }).focus()
    await page.keyboard.press('Alt+ArrowRight')
    await expect.poll(() => name.getAttribute('x')).not.toBe(before)
  })

  it('names the ports of many links for the box or the line that is pointed at or focused', async () => {
    const page = await openSignedIn()
    // As if there were more links than are always named.
    await page.route('**/dcim/topology/**', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace(' data-named', '') })
    })
    await page.goto(MAP)
    const map = page.getByRole('region', { name: 'Topology' })
    expect(await shownPorts(map)).toEqual([])
    await map.getByRole('link', { name: 'hh-router' }).focus()
    expect((await shownPorts(map)).toSorted()).toEqual(['ge-0/1', 'lan0'])
    await map.focus()
    expect(await shownPorts(map)).toEqual([])
    // In the middle between the boxes: an upright line has no width that could be pointed at.
    const areas = await Promise.all(
      ['hh-router', 'hh-switch'].map((name) => map.getByRole('link', { name }).boundingBox()),
    )
    const [[x = 0, y = 0] = [], [right = 0, bottom = 0] = []] = areas.map((area) =>
      area ? [area.x + area.width / 2, area.y + area.height / 2] : [],
    )
    await page.mouse.move((x + right) / 2, (y + bottom) / 2)
    expect((await shownPorts(map)).toSorted()).toEqual(['ge-0/1', 'lan0'])
  })
})
