import { behaviour } from '../../schema/rule.ts'
import { refuseNegative } from './not-negative.rules.ts'
import {
  dropUnusedUnit,
  maximumWeightNeedsUnit,
  outerDimensionNeedsUnit,
} from './rack-dimensions.rules.ts'
import { passOnDimensions } from './rack-type.effects.ts'
import { rackType } from './rack-type.ts'
import { weightNeedsUnit } from './weight.rules.ts'

export const rackTypeBehaviour = behaviour(rackType, {
  modelRules: [
    weightNeedsUnit,
    refuseNegative('weight'),
    outerDimensionNeedsUnit,
    maximumWeightNeedsUnit,
  ],
  beforeSave: [dropUnusedUnit],
  afterWrite: [passOnDimensions],
})
