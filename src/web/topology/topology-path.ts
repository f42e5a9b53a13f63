/** Path of the map of devices, below the base path. */
export const TOPOLOGY = '/dcim/topology/'
