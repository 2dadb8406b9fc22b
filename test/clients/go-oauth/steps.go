package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"time"
)

const password = "plain tulips over kelp"

var (
	baseURL  = os.Getenv("GATEHOUSE_BASE_URL")
	apiKey   = os.Getenv("GATEHOUSE_API_KEY")
	clientID = os.Getenv("GATEHOUSE_CLIENT_ID")
	outside  = os.Getenv("GATEHOUSE_OUTSIDE")
	caller   = &http.Client{Timeout: 60 * time.Second}
)

// areaStopped is the value of the panic after a failed step, because the rest of its area builds on it.
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

// equals is a step whose work must return this value.
func equals[T any](name string, expected T, work func() (T, error)) {
	step(name, func() (T, error) {
		seen, err := work()
		if err == nil && !reflect.DeepEqual(expected, seen) {
			err = fmt.Errorf("expected %v, got %v", expected, seen)
		}
		return seen, err
	})
}

// play runs an area up to its first failed step.
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

// post sends JSON with the environment's key and parses the response; a status of 300 or more is an error.
func post(url string, body any) (map[string]any, error) {
	content, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("authorization", "Bearer "+apiKey)
	response, err := caller.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		return nil, fmt.Errorf("%s responded %d: %s", url, response.StatusCode, text)
	}
	parsed := map[string]any{}
	return parsed, json.Unmarshal(text, &parsed)
}
