package main

import (
	"errors"
	"fmt"
	"net/url"

	"github.com/workos/workos-go/v6/pkg/mfa"
	"github.com/workos/workos-go/v6/pkg/usermanagement"
	"github.com/workos/workos-go/v6/pkg/workos_errors"
)

func withPassword(email string) (usermanagement.AuthenticateResponse, error) {
	return users.AuthenticateWithPassword(
		ctx, usermanagement.AuthenticateWithPasswordOpts{ClientID: clientID, Email: email, Password: password})
}

// refusedAs is a step whose call must end with this error of the client.
func refusedAs[E error](name string, work func() error) E {
	return step(name, func() (E, error) {
		var refused E
		err := work()
		if !errors.As(err, &refused) {
			return refused, fmt.Errorf("ended with %T: %v", err, err)
		}
		return refused, nil
	})
}

func signInFlow() {
	email := newEmail()
	user := step("authentication: a user with a password", newUser(email))
	equals("authentication: by password", user.ID, func() (string, error) {
		signedIn, err := withPassword(email)
		return signedIn.User.ID, err
	})
	rejected("authentication: a wrong password", 400, func() error {
		_, err := users.AuthenticateWithPassword(
			ctx, usermanagement.AuthenticateWithPasswordOpts{ClientID: clientID, Email: email, Password: "wrong"})
		return err
	})
	magic := step("authentication: a magic code", func() (usermanagement.MagicAuth, error) {
		return users.CreateMagicAuth(ctx, usermanagement.CreateMagicAuthOpts{Email: email})
	})
	equals("authentication: by magic code", user.ID, func() (string, error) {
		signedIn, err := users.AuthenticateWithMagicAuth(
			ctx, usermanagement.AuthenticateWithMagicAuthOpts{ClientID: clientID, Code: magic.Code, Email: email})
		return signedIn.User.ID, err
	})
	reset := step("authentication: a password reset", func() (usermanagement.PasswordReset, error) {
		return users.CreatePasswordReset(ctx, usermanagement.CreatePasswordResetOpts{Email: email})
	})
	equals("authentication: a new password by its token", user.ID, func() (string, error) {
		options := usermanagement.ResetPasswordOpts{Token: reset.PasswordResetToken, NewPassword: "crimson kites at dusk"}
		changed, err := users.ResetPassword(ctx, options)
		return changed.User.ID, err
	})
	unproved := newEmail()
	step("authentication: a user whose address is not proved", func() (usermanagement.User, error) {
		return users.CreateUser(ctx, usermanagement.CreateUserOpts{Email: unproved, Password: password})
	})
	refused := refusedAs[*workos_errors.EmailVerificationRequiredError](
		"authentication: the address is to be proved first",
		func() error { _, err := withPassword(unproved); return err })
	verification := step("authentication: the mailed code", func() (usermanagement.EmailVerification, error) {
		options := usermanagement.GetEmailVerificationOpts{EmailVerification: refused.EmailVerificationID}
		return users.GetEmailVerification(ctx, options)
	})
	equals("authentication: by the mailed code", true, func() (bool, error) {
		signedIn, err := users.AuthenticateWithEmailVerificationCode(
			ctx, usermanagement.AuthenticateWithEmailVerificationCodeOpts{
				ClientID: clientID, Code: verification.Code, PendingAuthenticationToken: refused.PendingAuthenticationToken})
		return signedIn.User.EmailVerified, err
	})
	rejected("authentication: an unknown API key", 401, func() error {
		_, err := newUsers("sk_unknown").ListUsers(ctx, usermanagement.ListUsersOpts{})
		return err
	})
	organizationSelection()
}

func organizationSelection() {
	email := newEmail()
	user := step("selection: a user of two organizations", newUser(email))
	ids := []string{}
	for range 2 {
		organization := step("selection: an organization", newOrganization)
		check("selection: a membership", func() error {
			_, err := users.CreateOrganizationMembership(ctx, usermanagement.CreateOrganizationMembershipOpts{
				UserID: user.ID, OrganizationID: organization.ID})
			return err
		})
		ids = append(ids, organization.ID)
	}
	refused := refusedAs[*workos_errors.OrganizationSelectionRequiredError](
		"selection: an organization is to be chosen",
		func() error { _, err := withPassword(email); return err })
	chosen := step("selection: by choosing one", func() (usermanagement.AuthenticateResponse, error) {
		return users.AuthenticateWithOrganizationSelection(ctx, usermanagement.AuthenticateWithOrganizationSelectionOpts{
			ClientID: clientID, PendingAuthenticationToken: refused.PendingAuthenticationToken, OrganizationID: ids[0]})
	})
	check("selection: the chosen one", func() error { return same(ids[0], chosen.OrganizationID) })
}

// codeOf has a person sign in on the hosted pages.
func codeOf(address, email string) (string, error) {
	visited, err := fetch(outside+"/sign-in", map[string]string{"url": address, "email": email, "password": password})
	if err != nil {
		return "", err
	}
	location, err := url.Parse(visited["location"].(string))
	return location.Query().Get("code"), err
}

func browserFlow() {
	const redirectURI = "https://app.example.com/callback"
	email := newEmail()
	user := step("hosted pages: a user", newUser(email))
	check("hosted pages: a redirect URI, which this client cannot register", func() error {
		return registerRedirectURI(redirectURI)
	})
	address := step("hosted pages: the address of sign-in", func() (*url.URL, error) {
		return users.GetAuthorizationURL(
			usermanagement.GetAuthorizationURLOpts{ClientID: clientID, Provider: "authkit", RedirectURI: redirectURI})
	})
	code := step("hosted pages: a person signs in", func() (string, error) { return codeOf(address.String(), email) })
	equals("hosted pages: the code is exchanged", user.ID, func() (string, error) {
		signedIn, err := users.AuthenticateWithCode(
			ctx, usermanagement.AuthenticateWithCodeOpts{ClientID: clientID, Code: code})
		return signedIn.User.ID, err
	})
	rejected("hosted pages: a code twice", 400, func() error {
		_, err := users.AuthenticateWithCode(ctx, usermanagement.AuthenticateWithCodeOpts{ClientID: clientID, Code: code})
		return err
	})
}

func sessionFlow() {
	email := newEmail()
	user := step("sessions: a user", newUser(email))
	signedIn := step("sessions: sign-in", func() (usermanagement.AuthenticateResponse, error) { return withPassword(email) })
	session := step("sessions: list", func() (usermanagement.Session, error) {
		page, err := users.ListSessions(ctx, user.ID, usermanagement.ListSessionsOpts{})
		if err == nil && len(page.Data) != 1 {
			err = fmt.Errorf("%d sessions", len(page.Data))
		}
		if err != nil {
			return usermanagement.Session{}, err
		}
		return page.Data[0], nil
	})
	refresh := func(token string) (usermanagement.RefreshAuthenticationResponse, error) {
		return users.AuthenticateWithRefreshToken(
			ctx, usermanagement.AuthenticateWithRefreshTokenOpts{ClientID: clientID, RefreshToken: token})
	}
	fresh := step("sessions: refresh", func() (usermanagement.RefreshAuthenticationResponse, error) {
		return refresh(signedIn.RefreshToken)
	})
	check("sessions: revoke", func() error {
		return users.RevokeSession(ctx, usermanagement.RevokeSessionOpts{SessionID: session.ID})
	})
	rejected("sessions: a revoked one", 400, func() error { _, err := refresh(fresh.RefreshToken); return err })
	check("sessions: the keys that sign tokens", func() error {
		address, err := users.GetJWKSURL(clientID)
		if err != nil {
			return err
		}
		_, err = fetch(address.String(), nil)
		return err
	})
}

func factorFlow() {
	email := newEmail()
	user := step("MFA: a user", newUser(email))
	factors := &mfa.Client{APIKey: apiKey, Endpoint: baseURL}
	enrolled := step("MFA: enroll an authenticator app", func() (usermanagement.EnrollAuthFactorResponse, error) {
		return users.EnrollAuthFactor(
			ctx, usermanagement.EnrollAuthFactorOpts{User: user.ID, Type: mfa.TOTP, TOTPIssuer: "Acme", TOTPUser: email})
	})
	code := func(seconds int) (string, error) {
		app, err := fetch(outside+"/totp", map[string]any{"secret": enrolled.Factor.TOTP.Secret, "in_seconds": seconds})
		if err != nil {
			return "", err
		}
		return app["code"].(string), nil
	}
	check("MFA: prove it", func() error {
		first, err := code(0)
		if err != nil {
			return err
		}
		verified, err := factors.VerifyChallenge(
			ctx, mfa.VerifyChallengeOpts{ChallengeID: enrolled.Challenge.ID, Code: first})
		if err != nil {
			return err
		}
		return same(true, verified.Valid)
	})
	refused := refusedAs[*workos_errors.MFAChallengeError](
		"MFA: sign-in asks for it", func() error { _, err := withPassword(email); return err })
	challenge := step("MFA: challenge", func() (mfa.Challenge, error) {
		return factors.ChallengeFactor(ctx, mfa.ChallengeFactorOpts{FactorID: refused.AuthenticationFactors[0].ID})
	})
	equals("MFA: sign-in with the code", user.ID, func() (string, error) {
		if _, err := fetch(baseURL+"/_local/clock", map[string]int{"advance_seconds": 30}); err != nil {
			return "", err
		}
		next, err := code(30)
		if err != nil {
			return "", err
		}
		signedIn, err := users.AuthenticateWithTOTP(ctx, usermanagement.AuthenticateWithTOTPOpts{
			ClientID: clientID, Code: next, AuthenticationChallengeID: challenge.ID,
			PendingAuthenticationToken: refused.PendingAuthenticationToken})
		return signedIn.User.ID, err
	})
}
