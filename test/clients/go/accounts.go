package main

import (
	"fmt"
	"time"

	"github.com/workos/workos-go/v6/pkg/common"
	"github.com/workos/workos-go/v6/pkg/organization_domains"
	"github.com/workos/workos-go/v6/pkg/organizations"
	"github.com/workos/workos-go/v6/pkg/usermanagement"
)

var (
	orgs  = &organizations.Client{APIKey: apiKey, Endpoint: baseURL}
	users = newUsers(apiKey)
)

func newUsers(key string) *usermanagement.Client {
	client := usermanagement.NewClient(key)
	client.Endpoint = baseURL
	return client
}

func newEmail() string {
	return fmt.Sprintf("u%d@go.example", time.Now().UnixNano())
}

func newOrganization() (organizations.Organization, error) {
	return orgs.CreateOrganization(ctx, organizations.CreateOrganizationOpts{Name: "Acme"})
}

// newUser makes a user with a password and a proved address.
func newUser(email string) func() (usermanagement.User, error) {
	return func() (usermanagement.User, error) {
		return users.CreateUser(ctx, usermanagement.CreateUserOpts{Email: email, Password: password, EmailVerified: true})
	}
}

func organizationFlow() {
	made := step("organizations: create", func() (organizations.Organization, error) {
		return orgs.CreateOrganization(ctx, organizations.CreateOrganizationOpts{
			Name:       "Acme",
			ExternalID: "acme",
			DomainData: []organizations.OrganizationDomainData{{Domain: "acme.example", State: organizations.Verified}},
		})
	})
	read := func() (organizations.Organization, error) {
		return orgs.GetOrganization(ctx, organizations.GetOrganizationOpts{Organization: made.ID})
	}
	equals("organizations: read", "Acme", func() (string, error) { one, err := read(); return one.Name, err })
	equals("organizations: found by external id", made.ID, func() (string, error) {
		one, err := orgs.GetOrganizationByExternalID(ctx, organizations.GetOrganizationByExternalIDOpts{ExternalID: "acme"})
		return one.ID, err
	})
	equals("organizations: update", "Acme Two", func() (string, error) {
		one, err := orgs.UpdateOrganization(ctx, organizations.UpdateOrganizationOpts{Organization: made.ID, Name: "Acme Two"})
		return one.Name, err
	})
	equals("organizations: update keeps the rest", 1, func() (int, error) { one, err := read(); return len(one.Domains), err })
	domains := &organization_domains.Client{APIKey: apiKey, Endpoint: baseURL}
	equals("organizations: a domain", made.ID, func() (string, error) {
		options := organization_domains.CreateOrganizationDomainOpts{OrganizationID: made.ID, Domain: "go.example"}
		one, err := domains.CreateDomain(ctx, options)
		return one.OrganizationID, err
	})
	rejected("organizations: an unknown id", 404, func() error {
		_, err := orgs.GetOrganization(ctx, organizations.GetOrganizationOpts{Organization: "org_missing"})
		return err
	})
	rejected("organizations: no name", 422, func() error {
		_, err := orgs.CreateOrganization(ctx, organizations.CreateOrganizationOpts{})
		return err
	})
	check("organizations: delete", func() error {
		return orgs.DeleteOrganization(ctx, organizations.DeleteOrganizationOpts{Organization: made.ID})
	})
	rejected("organizations: a deleted one", 404, func() error { _, err := read(); return err })
}

func userFlow() {
	email := newEmail()
	made := step("users: create", func() (usermanagement.User, error) {
		return users.CreateUser(ctx, usermanagement.CreateUserOpts{Email: email, FirstName: "Ada"})
	})
	read := func() (usermanagement.User, error) {
		return users.GetUser(ctx, usermanagement.GetUserOpts{User: made.ID})
	}
	equals("users: read", "Ada", func() (string, error) { one, err := read(); return one.FirstName, err })
	equals("users: found by address", 1, func() (int, error) {
		page, err := users.ListUsers(ctx, usermanagement.ListUsersOpts{Email: email})
		return len(page.Data), err
	})
	value := "b"
	equals("users: update", "Lovelace", func() (string, error) {
		one, err := users.UpdateUser(ctx, usermanagement.UpdateUserOpts{
			User:     made.ID,
			LastName: "Lovelace",
			Metadata: map[string]*string{"kept": &value},
		})
		return one.LastName, err
	})
	check("users: verification mail", func() error {
		_, err := users.SendVerificationEmail(ctx, usermanagement.SendVerificationEmailOpts{User: made.ID})
		return err
	})
	equals("users: identities", 0, func() (int, error) {
		all, err := users.ListIdentities(ctx, usermanagement.ListIdentitiesOpts{ID: made.ID})
		return len(all), err
	})
	check("users: delete", func() error { return users.DeleteUser(ctx, usermanagement.DeleteUserOpts{User: made.ID}) })
	rejected("users: a deleted one", 404, func() error { _, err := read(); return err })
}

func membershipFlow() {
	organization := step("memberships: an organization", newOrganization)
	user := step("memberships: a user", newUser(newEmail()))
	made := step("memberships: create", func() (usermanagement.OrganizationMembership, error) {
		return users.CreateOrganizationMembership(ctx, usermanagement.CreateOrganizationMembershipOpts{
			UserID: user.ID, OrganizationID: organization.ID, RoleSlug: "admin",
		})
	})
	read := func() (usermanagement.OrganizationMembership, error) {
		options := usermanagement.GetOrganizationMembershipOpts{OrganizationMembership: made.ID}
		return users.GetOrganizationMembership(ctx, options)
	}
	equals("memberships: read", common.RoleResponse{Slug: "admin"}, func() (common.RoleResponse, error) {
		one, err := read()
		return one.Role, err
	})
	equals("memberships: list", 1, func() (int, error) {
		page, err := users.ListOrganizationMemberships(ctx, usermanagement.ListOrganizationMembershipsOpts{UserID: user.ID})
		return len(page.Data), err
	})
	equals("memberships: update", "member", func() (string, error) {
		one, err := users.UpdateOrganizationMembership(
			ctx, made.ID, usermanagement.UpdateOrganizationMembershipOpts{RoleSlug: "member"})
		return one.Role.Slug, err
	})
	equals("memberships: deactivate", usermanagement.Inactive, func() (usermanagement.OrganizationMembershipStatus, error) {
		one, err := users.DeactivateOrganizationMembership(
			ctx, usermanagement.DeactivateOrganizationMembershipOpts{OrganizationMembership: made.ID})
		return one.Status, err
	})
	equals("memberships: reactivate", usermanagement.Active, func() (usermanagement.OrganizationMembershipStatus, error) {
		one, err := users.ReactivateOrganizationMembership(
			ctx, usermanagement.ReactivateOrganizationMembershipOpts{OrganizationMembership: made.ID})
		return one.Status, err
	})
	check("memberships: delete", func() error {
		options := usermanagement.DeleteOrganizationMembershipOpts{OrganizationMembership: made.ID}
		return users.DeleteOrganizationMembership(ctx, options)
	})
	rejected("memberships: a deleted one", 404, func() error { _, err := read(); return err })
}

func invitationFlow() {
	organization := step("invitations: an organization", newOrganization)
	made := step("invitations: send", func() (usermanagement.Invitation, error) {
		options := usermanagement.SendInvitationOpts{Email: newEmail(), OrganizationID: organization.ID}
		return users.SendInvitation(ctx, options)
	})
	equals("invitations: found by token", made.ID, func() (string, error) {
		options := usermanagement.FindInvitationByTokenOpts{InvitationToken: made.Token}
		one, err := users.FindInvitationByToken(ctx, options)
		return one.ID, err
	})
	equals("invitations: list", 1, func() (int, error) {
		options := usermanagement.ListInvitationsOpts{OrganizationID: organization.ID}
		page, err := users.ListInvitations(ctx, options)
		return len(page.Data), err
	})
	equals("invitations: resend", made.ID, func() (string, error) {
		one, err := users.ResendInvitation(ctx, usermanagement.ResendInvitationOpts{Invitation: made.ID})
		return one.ID, err
	})
	equals("invitations: revoke", usermanagement.Revoked, func() (usermanagement.InvitationState, error) {
		one, err := users.RevokeInvitation(ctx, usermanagement.RevokeInvitationOpts{Invitation: made.ID})
		return one.State, err
	})
}
