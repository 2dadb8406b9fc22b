// Flows with the official Go client, unmodified, against a service that is running.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"time"

	"github.com/workos/workos-go/v6/pkg/workos_errors"
)

const password = "plain tulips over kelp"

var (
	baseURL  = os.Getenv("GATEHOUSE_BASE_URL")
	apiKey   = os.Getenv("GATEHOUSE_API_KEY")
	clientID = os.Getenv("GATEHOUSE_CLIENT_ID")
	outside  = os.Getenv("GATEHOUSE_OUTSIDE")
	ctx      = context.Background()
	caller   = &http.Client{Timeout: 60 * time.Second}
)

// areaStopped is panicked with when a step fails on which the rest of its area builds.
type areaStopped struct{}

// step runs one step and prints it as a line of JSON, which the command that started this counts.
func step[T any](name string, work func() (T, error)) T {
	value, err := work()
	line := map[string]any{"step": name, "ok": err == nil}
	if err != nil {
		line["why"] = err.Error()
	}
	printed, _ := json.Marshal(line)
	fmt.Println(string(printed))
	if err != nil {
		panic(areaStopped{})
	}
	return value
}

// check is a step that gives nothing back.
func check(name string, work func() error) {
	step(name, func() (any, error) { return nil, work() })
}

// equals is a step whose work must give this value.
func equals[T any](name string, expected T, work func() (T, error)) {
	check(name, func() error {
		seen, err := work()
		if err != nil {
			return err
		}
		return same(expected, seen)
	})
}

// same is an error unless two values are the same.
func same(expected, seen any) error {
	if !reflect.DeepEqual(expected, seen) {
		return fmt.Errorf("expected %v, got %v", expected, seen)
	}
	return nil
}

// rejected is a step whose call must end with an HTTP error of this status.
func rejected(name string, status int, work func() error) {
	check(name, func() error {
		err := work()
		var refused workos_errors.HTTPError
		if !errors.As(err, &refused) {
			return fmt.Errorf("was not rejected with an HTTP error: %v", err)
		}
		if refused.RequestID == "" {
			return errors.New("the error has no request id")
		}
		return same(status, refused.Code)
	})
}

// fetch reads an address, or posts JSON to it, and parses its response.
func fetch(url string, body any) (map[string]any, error) {
	text, err := read(url, body)
	if err != nil {
		return nil, err
	}
	parsed := map[string]any{}
	return parsed, json.Unmarshal(text, &parsed)
}

// read reads an address, or posts JSON to it.
func read(url string, body any) ([]byte, error) {
	method, content := http.MethodGet, []byte(nil)
	if body != nil {
		method = http.MethodPost
		content, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	request.Header.Set("content-type", "application/json")
	response, err := caller.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s responded %d: %s", url, response.StatusCode, text)
	}
	return text, err
}

func main() {
	areas := []func(){
		organizationFlow, userFlow, membershipFlow, invitationFlow, signInFlow, browserFlow, sessionFlow, factorFlow,
		vaultFlow, auditLogFlow, pipesFlow, webhookFlow, listFlow, eventFlow,
	}
	for _, area := range areas {
		play(area)
	}
	fmt.Println(`{"end": true}`)
}

func play(area func()) {
	defer func() {
		if stopped := recover(); stopped != nil {
			if _, isStep := stopped.(areaStopped); !isStep {
				panic(stopped)
			}
		}
	}()
	area()
}
