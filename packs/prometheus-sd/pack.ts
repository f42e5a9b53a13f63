import { packCode } from 'cadastre'
import { PROMETHEUS_ENDPOINTS } from './targets.ts'

export default packCode({ endpoints: PROMETHEUS_ENDPOINTS })
