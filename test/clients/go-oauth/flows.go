// Flows of an application with golang.org/x/oauth2 and go-oidc, unmodified, against a service that is running.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

const redirectURI = "https://reports.example.org/callback"

var ctx = oidc.ClientContext(context.Background(), caller)

// newApplication makes a third-party application of a new organization, with a secret unless it is public.
func newApplication(kind string, isPublic bool) (id, secret string, err error) {
	organization, err := post(baseURL+"/organizations", map[string]any{"name": "Vendor"})
	if err != nil {
		return "", "", err
	}
	body := map[string]any{"name": "Reports", "application_type": kind, "organization_id": organization["id"]}
	if kind == "oauth" {
		body["is_first_party"] = false
		body["redirect_uris"] = []map[string]any{{"uri": redirectURI}}
	}
	made, err := post(baseURL+"/connect/applications", body)
	if err != nil || isPublic {
		return fmt.Sprint(made["client_id"]), "", err
	}
	key, err := post(fmt.Sprintf("%s/connect/applications/%s/client_secrets", baseURL, made["id"]), map[string]any{})
	return fmt.Sprint(made["client_id"]), fmt.Sprint(key["secret"]), err
}

// signIn signs a user in, gives consent, and returns the parameters of the response.
func signIn(address, email string) (url.Values, error) {
	body := map[string]any{"url": address, "email": email, "password": password}
	received, err := post(outside+"/sign-in", body)
	if err != nil {
		return nil, err
	}
	location, err := url.Parse(fmt.Sprint(received["location"]))
	if err != nil {
		return nil, err
	}
	return location.Query(), nil
}

// code returns the OAuth error code of a rejected token request.
func code(err error) (string, error) {
	var rejected *oauth2.RetrieveError
	if !errors.As(err, &rejected) {
		return "", fmt.Errorf("was not rejected by the token endpoint: %v", err)
	}
	return rejected.ErrorCode, nil
}

// newConfig makes an application with the endpoints that go-oidc has discovered.
func newConfig(provider *oidc.Provider, style oauth2.AuthStyle, isPublic bool) (*oauth2.Config, error) {
	id, secret, err := newApplication("oauth", isPublic)
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = style
	scopes := []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess}
	return &oauth2.Config{ClientID: id, ClientSecret: secret, Endpoint: endpoint, RedirectURL: redirectURI, Scopes: scopes}, err
}

// refresh uses a refresh token, whatever the lifetime of its access token.
func refresh(config *oauth2.Config, token *oauth2.Token) (*oauth2.Token, error) {
	return config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
}

// revoke revokes a token at the endpoint of the metadata, because x/oauth2 has no function for RFC 7009.
func revoke(endpoint string, config *oauth2.Config, token string) (int, error) {
	form := url.Values{"token": {token}, "client_id": {config.ClientID}}
	if config.ClientSecret != "" {
		form.Set("client_secret", config.ClientSecret)
	}
	response, err := caller.PostForm(endpoint, form)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// application plays one application from its authorization request to the rejection of its revoked refresh token.
func application(kind string, provider *oidc.Provider, style oauth2.AuthStyle, isPublic bool) {
	email := kind + "@go.example"
	user := step(kind+": a user", func() (map[string]any, error) {
		return post(baseURL+"/user_management/users", map[string]any{"email": email, "password": password, "email_verified": true})
	})
	config := step(kind+": an application", func() (*oauth2.Config, error) { return newConfig(provider, style, isPublic) })
	verifier := oauth2.GenerateVerifier()
	address := config.AuthCodeURL("state-1", oauth2.S256ChallengeOption(verifier), oidc.Nonce("nonce-1"))
	received := step(kind+": the user signs in", func() (url.Values, error) { return signIn(address, email) })
	equals(kind+": the state of the response", "state-1", func() (string, error) { return received.Get("state"), nil })
	token := step(kind+": a code is exchanged", func() (*oauth2.Token, error) {
		return config.Exchange(ctx, received.Get("code"), oauth2.VerifierOption(verifier))
	})
	identity := step(kind+": the ID token is valid", func() (*oidc.IDToken, error) {
		raw, _ := token.Extra("id_token").(string)
		return provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw)
	})
	equals(kind+": the ID token is about the user", user["id"].(string), func() (string, error) { return identity.Subject, nil })
	equals(kind+": the nonce of the ID token", "nonce-1", func() (string, error) { return identity.Nonce, nil })
	equals(kind+": the hash of the access token", nil, func() (error, error) {
		return nil, identity.VerifyAccessToken(token.AccessToken)
	})
	equals(kind+": userinfo", email, func() (string, error) {
		info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			return "", err
		}
		return info.Email, nil
	})
	renewed := step(kind+": a refresh", func() (*oauth2.Token, error) { return refresh(config, token) })
	equals(kind+": a refresh gives another access token", false, func() (bool, error) {
		return renewed.AccessToken == token.AccessToken, nil
	})
	var metadata struct {
		Revocation string `json:"revocation_endpoint"`
	}
	equals(kind+": the revocation of the refresh token", http.StatusOK, func() (int, error) {
		if err := provider.Claims(&metadata); err != nil {
			return 0, err
		}
		return revoke(metadata.Revocation, config, renewed.RefreshToken)
	})
	equals(kind+": a refresh after the revocation is rejected", "invalid_grant", func() (string, error) {
		_, err := refresh(config, renewed)
		return code(err)
	})
	equals(kind+": userinfo rejects the access token of the revoked grant", false, func() (bool, error) {
		_, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(renewed))
		return err == nil, nil
	})
}

// codes plays exchanges that must be rejected: another verifier, and a code a second time.
func codes(provider *oidc.Provider) {
	config := step("PKCE: an application", func() (*oauth2.Config, error) {
		return newConfig(provider, oauth2.AuthStyleInParams, true)
	})
	step("PKCE: a user", func() (map[string]any, error) {
		return post(baseURL+"/user_management/users", map[string]any{"email": "pkce@go.example", "password": password, "email_verified": true})
	})
	verifier := oauth2.GenerateVerifier()
	newCode := func() (url.Values, error) {
		return signIn(config.AuthCodeURL("s", oauth2.S256ChallengeOption(verifier)), "pkce@go.example")
	}
	first := step("PKCE: the user signs in", newCode)
	equals("PKCE: a code with another verifier is rejected", "invalid_grant", func() (string, error) {
		_, err := config.Exchange(ctx, first.Get("code"), oauth2.VerifierOption(oauth2.GenerateVerifier()))
		return code(err)
	})
	second := step("PKCE: the user signs in again", newCode)
	token := step("PKCE: a code is exchanged", func() (*oauth2.Token, error) {
		return config.Exchange(ctx, second.Get("code"), oauth2.VerifierOption(verifier))
	})
	equals("PKCE: a code is rejected at its second use", "invalid_grant", func() (string, error) {
		_, err := config.Exchange(ctx, second.Get("code"), oauth2.VerifierOption(verifier))
		return code(err)
	})
	equals("PKCE: the second use of a code revoked its refresh token", "invalid_grant", func() (string, error) {
		_, err := refresh(config, token)
		return code(err)
	})
}

// machine plays an application that acts for its organization.
func machine(provider *oidc.Provider) {
	var config clientcredentials.Config
	step("machine: credentials", func() (any, error) {
		id, secret, err := newApplication("m2m", false)
		config = clientcredentials.Config{ClientID: id, ClientSecret: secret, TokenURL: provider.Endpoint().TokenURL}
		return nil, err
	})
	equals("machine: a token", "Bearer", func() (string, error) {
		token, err := config.Token(ctx)
		if err != nil {
			return "", err
		}
		return token.Type(), nil
	})
	equals("machine: a wrong secret is rejected", "invalid_client", func() (string, error) {
		wrong := config
		wrong.ClientSecret = "wrong"
		_, err := wrong.Token(ctx)
		return code(err)
	})
}

func main() {
	play(func() {
		provider := step("discovery: the metadata", func() (*oidc.Provider, error) {
			return oidc.NewProvider(ctx, baseURL+"/user_management/"+clientID)
		})
		play(func() { application("basic", provider, oauth2.AuthStyleInHeader, false) })
		play(func() { application("form", provider, oauth2.AuthStyleInParams, false) })
		play(func() { application("public", provider, oauth2.AuthStyleInParams, true) })
		play(func() { codes(provider) })
		play(func() { machine(provider) })
	})
	fmt.Println(`{"end": true}`)
}
