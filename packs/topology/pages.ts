import { packPages } from 'cadastre/web'
import { TOPOLOGY, topologyListLink, topologyPart } from './topology-link.ts'
import { topologyPage } from './topology-page.ts'

export default packPages({
  pages: [[TOPOLOGY, 'GET', topologyPage]],
  parts: [topologyPart],
  listLinks: [topologyListLink],
})
