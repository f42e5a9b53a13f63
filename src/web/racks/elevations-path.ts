/** Path of the page that shows racks side by side. */
export const ELEVATIONS = '/dcim/rack-elevations/'
