package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/workos/workos-go/v6/pkg/auditlogs"
	"github.com/workos/workos-go/v6/pkg/events"
	"github.com/workos/workos-go/v6/pkg/organizations"
	"github.com/workos/workos-go/v6/pkg/pipes"
	"github.com/workos/workos-go/v6/pkg/vault"
	"github.com/workos/workos-go/v6/pkg/webhooks"
)

// create posts to an operation that this version of the client does not have.
func create(path string, body any) (map[string]any, error) {
	content, _ := json.Marshal(body)
	request, err := http.NewRequest(http.MethodPost, baseURL+path, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	request.Header.Set("authorization", "Bearer "+apiKey)
	request.Header.Set("content-type", "application/json")
	response, err := caller.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	made := map[string]any{}
	err = json.NewDecoder(response.Body).Decode(&made)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s responded %d: %v", path, response.StatusCode, made)
	}
	return made, err
}

func registerRedirectURI(uri string) error {
	_, err := create("/user_management/redirect_uris", map[string]string{"uri": uri})
	return err
}

func vaultFlow() {
	client := &vault.Client{APIKey: apiKey, Endpoint: baseURL}
	vault.DefaultClient = client
	context := vault.KeyContext{"environment": "go"}
	made := step("vault: create", func() (vault.ObjectMetadata, error) {
		return client.CreateObject(ctx, vault.CreateObjectOpts{Name: "token", Value: "first ✓", KeyContext: context})
	})
	read := func() (vault.Object, error) { return client.ReadObject(ctx, vault.ReadObjectOpts{Id: made.Id}) }
	equals("vault: read", "first ✓", func() (string, error) { one, err := read(); return one.Value, err })
	equals("vault: read by name", made.Id, func() (string, error) {
		one, err := client.ReadObjectByName(ctx, vault.ReadObjectByNameOpts{Name: "token"})
		return one.Id, err
	})
	equals("vault: update", "token", func() (string, error) {
		one, err := client.UpdateObject(ctx, vault.UpdateObjectOpts{Id: made.Id, Value: "second"})
		return one.Name, err
	})
	equals("vault: versions", 2, func() (int, error) {
		versions, err := client.ListObjectVersions(ctx, vault.ReadObjectOpts{Id: made.Id})
		return len(versions.Data), err
	})
	sealed := step("vault: local encryption", func() (string, error) {
		return vault.Encrypt(ctx, vault.EncryptOpts{Data: "secret ✓", KeyContext: context, AssociatedData: "row 1"})
	})
	equals("vault: local decryption", "secret ✓", func() (string, error) {
		return vault.Decrypt(ctx, vault.DecryptOpts{Data: sealed, AssociatedData: "row 1"})
	})
	check("vault: delete", func() error {
		_, err := client.DeleteObject(ctx, vault.DeleteObjectOpts{Id: made.Id})
		return err
	})
	rejected("vault: a deleted one", 404, func() error { _, err := read(); return err })
}

func auditLogFlow() {
	client := &auditlogs.Client{
		APIKey: apiKey, EventsEndpoint: baseURL + "/audit_logs/events", ExportsEndpoint: baseURL + "/audit_logs/exports"}
	organization := step("audit logs: an organization", newOrganization)
	check("audit logs: a schema, which this client cannot make", func() error {
		targets := []map[string]string{{"type": "document"}}
		_, err := create("/audit_logs/actions/document.read/schemas", map[string]any{"targets": targets})
		return err
	})
	check("audit logs: an event", func() error {
		return client.CreateEvent(ctx, auditlogs.CreateEventOpts{
			OrganizationID: organization.ID,
			Event: auditlogs.Event{
				Action:     "document.read",
				OccurredAt: time.Now(),
				Actor:      auditlogs.Actor{ID: "user_1", Type: "user"},
				Targets:    []auditlogs.Target{{ID: "document_1", Type: "document"}},
				Context:    auditlogs.Context{Location: "192.0.2.1"},
			},
		})
	})
	export := step("audit logs: an export", func() (auditlogs.AuditLogExport, error) {
		return client.CreateExport(ctx, auditlogs.CreateExportOpts{
			OrganizationID: organization.ID,
			RangeStart:     time.Now().Add(-time.Hour).UTC().Format(time.RFC3339),
			RangeEnd:       time.Now().Add(time.Hour).UTC().Format(time.RFC3339),
		})
	})
	check("audit logs: its CSV", func() error {
		if _, err := fetch(baseURL+"/_local/idle?wait_ms=30000", nil); err != nil {
			return err
		}
		ready, err := client.GetExport(ctx, auditlogs.GetExportOpts{ExportID: export.ID})
		if err != nil {
			return err
		}
		csv, err := read(ready.URL, nil)
		if err == nil && !strings.Contains(string(csv), "document_1") {
			err = fmt.Errorf("the CSV is %s", csv)
		}
		return err
	})
}

func pipesFlow() {
	const returnTo = "https://app.example.com/connected"
	user := step("pipes: a user", newUser(newEmail()))
	check("pipes: an integration, which this client cannot make", func() error {
		if err := registerRedirectURI(returnTo); err != nil {
			return err
		}
		_, err := create("/data-integrations", map[string]any{
			"provider": "go-oauth", "enabled": true, "scopes": []string{"read"},
			"credentials": map[string]string{"type": "custom", "client_id": "id", "client_secret": "third-party-secret"},
			"custom_provider": map[string]string{
				"name": "Third Party", "authorization_url": outside + "/provider/authorize",
				"token_url": outside + "/provider/token"},
		})
		return err
	})
	client := &pipes.Client{APIKey: apiKey, Endpoint: baseURL}
	token := func() (pipes.AccessToken, error) {
		return client.GetAccessToken(ctx, pipes.GetAccessTokenOpts{Provider: "go-oauth", UserID: user.ID})
	}
	check("pipes: no account yet", func() error {
		_, err := token()
		var refused pipes.GetAccessTokenError
		if !errors.As(err, &refused) {
			return fmt.Errorf("ended with %v", err)
		}
		return nil
	})
	check("pipes: the user agrees", func() error {
		started, err := create("/data-integrations/go-oauth/authorize", map[string]string{"user_id": user.ID, "return_to": returnTo})
		if err != nil {
			return err
		}
		_, err = fetch(outside+"/visit", map[string]any{"url": started["url"]})
		return err
	})
	equals("pipes: the provider's token", "token-for-agreed", func() (string, error) {
		one, err := token()
		return one.AccessToken, err
	})
}

func webhookFlow() {
	endpoint := step("webhooks: an endpoint, which this client cannot make", func() (map[string]any, error) {
		return create("/webhook_endpoints", map[string]any{
			"endpoint_url": outside + "/hooks/go", "events": []string{"organization.created"}})
	})
	organization := step("webhooks: something happens", func() (organizations.Organization, error) {
		return orgs.CreateOrganization(ctx, organizations.CreateOrganizationOpts{Name: "Rocket 🚀"})
	})
	type arrival struct {
		Headers map[string]any `json:"headers"`
		Body    string         `json:"body"`
	}
	arrived := step("webhooks: it arrives", func() (arrival, error) {
		all := []arrival{}
		text, err := read(outside+"/arrivals/go?count=1", nil)
		if err == nil {
			err = json.Unmarshal(text, &all)
		}
		if err != nil {
			return arrival{}, err
		}
		return all[0], nil
	})
	client := webhooks.NewClient(endpoint["secret"].(string))
	signature, _ := arrived.Headers["workos-signature"].(string)
	check("webhooks: verified", func() error {
		body, err := client.ValidatePayload(signature, arrived.Body)
		if err == nil && !strings.Contains(body, organization.ID) {
			err = fmt.Errorf("the body is %s", body)
		}
		return err
	})
	check("webhooks: a changed body", func() error {
		if _, err := client.ValidatePayload(signature, arrived.Body+" "); err == nil {
			return errors.New("was not rejected")
		}
		return nil
	})
}

func listFlow() {
	check("lists: 25 organizations", func() error {
		for number := range 25 {
			name := fmt.Sprintf("Page %d", number)
			if _, err := orgs.CreateOrganization(ctx, organizations.CreateOrganizationOpts{Name: name}); err != nil {
				return err
			}
		}
		return nil
	})
	check("lists: to the end", func() error {
		seen := map[string]bool{}
		pages, after := 0, ""
		for {
			page, err := orgs.ListOrganizations(ctx, organizations.ListOrganizationsOpts{Limit: 10, After: after})
			if err != nil {
				return err
			}
			for _, one := range page.Data {
				seen[one.ID] = true
			}
			pages, after = pages+1, page.ListMetadata.After
			if after == "" {
				break
			}
		}
		if len(seen) < 25 || pages < 3 {
			return fmt.Errorf("%d organizations on %d pages", len(seen), pages)
		}
		return nil
	})
}

func eventFlow() {
	client := &events.Client{APIKey: apiKey, Endpoint: baseURL}
	check("events: the work is done", func() error {
		_, err := fetch(baseURL+"/_local/idle?wait_ms=30000", nil)
		return err
	})
	check("events: to the end, oldest first", func() error {
		seen, after, last := map[string]bool{}, "", time.Time{}
		for {
			page, err := client.ListEvents(
				ctx, events.ListEventsOpts{Events: []string{"organization.created"}, Limit: 10, After: after})
			if err != nil {
				return err
			}
			for _, one := range page.Data {
				if one.CreatedAt.Before(last) {
					return errors.New("they are not in their order")
				}
				last = one.CreatedAt
				seen[one.ID] = true
			}
			after = page.ListMetadata.After
			if after == "" {
				break
			}
		}
		if len(seen) < 25 {
			return fmt.Errorf("%d events", len(seen))
		}
		return nil
	})
}
