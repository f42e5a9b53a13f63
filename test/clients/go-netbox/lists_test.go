package clients

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const pageSize = 100

// Every list of every API of the client decodes into its structs, for all objects that there are.
func TestListsDecode(t *testing.T) {
	api := client(t)
	fields := reflect.ValueOf(api).Elem()
	for i := range fields.NumField() {
		if !strings.HasSuffix(fields.Type().Field(i).Name, "API") {
			continue
		}
		service := fields.Field(i).Elem()
		for j := range service.NumMethod() {
			name := service.Type().Method(j).Name
			list := service.Method(j)
			// Lists below an object need its id besides the context.
			if strings.HasSuffix(name, "List") && list.Type().NumIn() == 1 {
				t.Run(name, func(t *testing.T) { decodePages(t, list) })
			}
		}
	}
}

func decodePages(t *testing.T, list reflect.Value) {
	for offset := int32(0); ; offset += pageSize {
		request := list.Call([]reflect.Value{reflect.ValueOf(context.Background())})[0]
		if !request.MethodByName("Limit").IsValid() {
			t.Skip("no page: needs more than its address")
		}
		page, err := decode(with(with(request, "Limit", pageSize), "Offset", offset))
		if err != nil {
			if strings.HasPrefix(err.Error(), "404") && isKnown(t.Name(), err) {
				t.Skip("has another address by now")
			}
			decodeEach(t, list, offset)
			continue
		}
		count := page.MethodByName("GetCount").Call(nil)[0].Int()
		found := page.MethodByName("GetResults").Call(nil)[0].Len()
		if int64(offset)+int64(found) >= count {
			return
		}
		if found == 0 {
			t.Fatalf("nothing at offset %d of %d", offset, count)
		}
	}
}

// decodeEach decodes the objects of a page one by one: all but those that the client is too old for.
func decodeEach(t *testing.T, list reflect.Value, offset int32) {
	for end := offset + pageSize; offset < end; offset++ {
		request := list.Call([]reflect.Value{reflect.ValueOf(context.Background())})[0]
		_, err := decode(with(with(request, "Limit", 1), "Offset", offset))
		if err != nil && !isKnown(t.Name(), err) {
			t.Fatalf("object %d: %v", offset, err)
		}
	}
}

func isKnown(test string, err error) bool {
	return slices.ContainsFunc(tooNew[strings.TrimPrefix(test, "TestListsDecode/")], func(text string) bool {
		return strings.Contains(err.Error(), text)
	})
}

func with(request reflect.Value, parameter string, value int32) reflect.Value {
	return request.MethodByName(parameter).Call([]reflect.Value{reflect.ValueOf(value)})[0]
}

func decode(request reflect.Value) (reflect.Value, error) {
	answer := request.MethodByName("Execute").Call(nil)
	err, _ := answer[2].Interface().(error)
	return answer[0], err
}
