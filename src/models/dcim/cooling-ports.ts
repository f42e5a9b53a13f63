import { description } from '../../schema/common.ts'
import { foreignKey } from '../../schema/field.ts'
import { behaviour, type Rule } from '../../schema/rule.ts'
import { type RegisteredModel, registered, words } from '../../schema/view.ts'
import { component, fillComponentPlace, labelled, ofDeviceOrModule, staysInDevice } from './component.ts'
import { areOfOneType, belongsToOneType, componentTemplate, staysInType } from './component-template.ts'
import { connector, dropUnits, maxFlow, measureNeedsUnit } from './cooling.ts'

const OUTFLOW = [
  ...(['id', 'url', 'display_url', 'display'] as const),
  ['device', ['id', 'url', 'display_url', 'display', 'name']],
  'name',
] as const

/** A connector through which coolant enters a device. */
export const coolingIntake = component({
  name: 'dcim.coolingintake',
  path: 'dcim/cooling-intakes',
  labels: ['cooling intake', 'cooling intakes'],
  earlier: 'absent',

  fields: {
    ...ofDeviceOrModule('coolingintakes'),
    ...labelled,
    ...connector,
    ...maxFlow,
    cooling_outflow: foreignKey('dcim.coolingoutflow', {
      onDelete: 'setNull',
      related: 'coolingintakes',
      projection: OUTFLOW,
      example: null,
    }),
    description,
  },

  graphql: { enums: { type: ['CoolingConnectorTypeEnum', 'TYPE'], diameter_unit: ['DiameterUnitEnum', 'UNIT'] } },
  brief: ['id', 'url', 'display', 'device', 'name', 'description'],
})

/** A connector through which coolant leaves a device. */
export const coolingOutflow = component({
  name: 'dcim.coolingoutflow',
  path: 'dcim/cooling-outflows',
  labels: ['cooling outflow', 'cooling outflows'],
  earlier: 'absent',

  fields: {
    ...ofDeviceOrModule('coolingoutflows'),
    ...labelled,
    ...connector,
    cooling_intake: foreignKey('dcim.coolingintake', {
      onDelete: 'setNull',
      related: 'coolingoutflows',
      example: null,
    }),
    description,
  },

  brief: ['id', 'url', 'display', 'device', 'name', 'description'],
})

/** Refuses an intake that would be fed by an outflow that it feeds itself. */
const isNoLoop: Rule<typeof coolingIntake.fields> = async ({ next, read }) => {
  const seen = new Set<number>()
  let outflow = next.cooling_outflow
  while (outflow !== null) {
    const { cooling_intake: intake } = await read.get(coolingOutflow, outflow)
    if (intake === null || seen.has(intake)) return
    if (intake === next.id) return { cooling_outflow: 'This outflow is fed by the same intake.' }
    seen.add(intake)
    outflow = (await read.get(coolingIntake, intake)).cooling_outflow
  }
  return
}

export const coolingIntakeModel = registered(coolingIntake, {
  behaviour: behaviour(coolingIntake, {
    modelRules: [staysInDevice, measureNeedsUnit('diameter', 'max_flow'), isNoLoop],
    beforeSave: [fillComponentPlace, dropUnits('diameter', 'max_flow')],
  }),
  columns: words('device module name label type diameter diameter_unit'),
  moreColumns: { without: ['owner.group'], plus: ['max_flow_unit'] },
  panels: words(`
    device module name label type diameter diameter_unit max_flow max_flow_unit cooling_outflow description
  `),
  form: words(`
    device module name label type diameter diameter_unit max_flow max_flow_unit cooling_outflow description tags
  `),
  bulkEdit: { without: words('device module cooling_outflow') },
  importColumns: { cooling_outflow_device: { to: 'dcim.device', narrows: { cooling_outflow: 'device' } } },
  search: { shown: words('device label type description') },
})

const intakeIsInDevice: Rule<typeof coolingOutflow.fields> = async ({ next, read }) => {
  if (next.cooling_intake === null) return
  const intake = await read.get(coolingIntake, next.cooling_intake)
  return intake.device === next.device
    ? undefined
    : { cooling_intake: `The cooling intake ${intake.display} belongs to another device.` }
}

/** As `isNoLoop`, but for the outflow. */
const closesNoLoop: Rule<typeof coolingOutflow.fields> = async ({ next, read }) => {
  const seen = new Set<number>()
  let intake = next.cooling_intake
  while (intake !== null && !seen.has(intake)) {
    seen.add(intake)
    const { cooling_outflow: outflow } = await read.get(coolingIntake, intake)
    if (outflow === null) return
    if (outflow === next.id) return { cooling_intake: 'This intake is fed by the same outflow.' }
    intake = (await read.get(coolingOutflow, outflow)).cooling_intake
  }
  return
}

export const coolingOutflowModel: RegisteredModel = {
  model: coolingOutflow,
  behaviour: behaviour(coolingOutflow, {
    modelRules: [staysInDevice, measureNeedsUnit('diameter'), intakeIsInDevice, closesNoLoop],
    beforeSave: [fillComponentPlace, dropUnits('diameter')],
  }),
}

/** A cooling intake that the devices or modules of a type have. */
export const coolingIntakeTemplate = componentTemplate({
  name: 'dcim.coolingintaketemplate',
  path: 'dcim/cooling-intake-templates',
  labels: ['cooling intake template', 'cooling intake templates'],
  earlier: 'absent',
  fields: { ...connector, ...maxFlow, description },
})

/** A cooling outflow that the devices or modules of a type have. */
export const coolingOutflowTemplate = componentTemplate({
  name: 'dcim.coolingoutflowtemplate',
  path: 'dcim/cooling-outflow-templates',
  labels: ['cooling outflow template', 'cooling outflow templates'],
  earlier: 'absent',
  fields: {
    ...connector,
    cooling_intake: foreignKey('dcim.coolingintaketemplate', {
      onDelete: 'setNull',
      related: 'coolingoutflow_templates',
      example: null,
    }),
    description,
  },
})

export const coolingIntakeTemplateModel: RegisteredModel = {
  model: coolingIntakeTemplate,
  behaviour: behaviour(coolingIntakeTemplate, {
    modelRules: [staysInType, belongsToOneType, measureNeedsUnit('diameter', 'max_flow')],
    beforeSave: [dropUnits('diameter', 'max_flow')],
  }),
}

const intakeIsOfSameType: Rule<typeof coolingOutflowTemplate.fields> = async ({ next, read }) => {
  if (next.cooling_intake === null) return
  const intake = await read.get(coolingIntakeTemplate, next.cooling_intake)
  return areOfOneType(next, intake)
    ? undefined
    : { cooling_intake: `The cooling intake ${intake.display} belongs to another device type.` }
}

export const coolingOutflowTemplateModel: RegisteredModel = {
  model: coolingOutflowTemplate,
  behaviour: behaviour(coolingOutflowTemplate, {
    modelRules: [staysInType, belongsToOneType, measureNeedsUnit('diameter'), intakeIsOfSameType],
    beforeSave: [dropUnits('diameter')],
  }),
}
