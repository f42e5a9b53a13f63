import { packCode } from 'cadastre'
import { schemaApply, schemaPreview } from './portable-schema.ts'

export default packCode({ actions: [schemaApply, schemaPreview] })
