module cadastre.invalid/clients/go-netbox

go 1.22

require github.com/netbox-community/go-netbox/v4 v4.3.0

require gopkg.in/validator.v2 v2.0.1 // indirect
