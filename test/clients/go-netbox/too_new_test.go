package clients

// tooNew says what this client, made for version 4.3 of the API, cannot decode of answers of versions 4.6 and 4.7,
// whoever gives them: the recorded answers of the reference are the same.
var tooNew = map[string][]string{
	// Brief forms hold less than its document says.
	"CircuitsVirtualCircuitsList": {"required property virtual_circuit_count"},
	"DcimModuleBaysList":          {"required property device"},
	"ExtrasScriptsList":           {"required property url"},
	"IpamServicesList":            {"required property nat_outside"},
	"VpnIkePoliciesList":          {"required property authentication_method"},
	// It takes an empty text for none; the user of a job may be null.
	"CoreJobsList":              {"required property error", "required property id"},
	"ExtrasConfigContextsList":  {"required property data_path"},
	"ExtrasConfigTemplatesList": {"required property data_path"},
	"ExtrasExportTemplatesList": {"required property data_path"},
	// Types of its document that never were those of the answers.
	"ExtrasCustomFieldChoiceSetsList": {"choices_count of type string"},
	// The label of a boolean field is another one in 4.7.
	"ExtrasCustomFieldsList": {
		"choices_count of type string", "validation_minimum of type int64", "is not a valid CustomFieldTypeLabel",
	},
	"IpamVlanGroupsList": {"vid_ranges of type []int32"},
	// Choices that are newer than it; device contexts of an interface stand in their brief form.
	"DcimInterfaceTemplatesList": {"is not a valid InterfaceType"},
	"DcimInterfacesList":         {"is not a valid InterfaceType", "required property status"},
	"DcimPowerOutletsList":       {"is not a valid PowerOutletType"},
	// Front ports are mapped to several rear ports by now.
	"DcimFrontPortTemplatesList": {"required property rear_port"},
	"DcimFrontPortsList":         {"required property rear_port"},
	// Has moved to core.
	"ExtrasObjectTypesList": {"404 Not Found"},
}
