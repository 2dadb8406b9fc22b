import static java.util.stream.Collectors.toList;

import com.workos.common.exceptions.BadRequestException;
import com.workos.common.exceptions.NotFoundException;
import com.workos.common.exceptions.UnprocessableEntityException;
import com.workos.common.http.Page;
import com.workos.models.Organization;
import com.workos.models.OrganizationDomainData;
import com.workos.models.OrganizationMembership;
import com.workos.models.UserCreateResponse;
import com.workos.organizationmembership.CreateUserRole;
import com.workos.types.OrganizationDomainDataState;
import com.workos.usermanagement.CreateUserPassword;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Organizations, users, memberships, invitations and API keys. */
final class Accounts {
  private Accounts() {}

  static Organization newOrganization() {
    return Steps.client.getOrganizations().create("Acme");
  }

  /** Makes a user with a password and a proved address. */
  static UserCreateResponse newUser(String email) {
    CreateUserPassword password = new CreateUserPassword.Plaintext(Steps.PASSWORD);
    return Steps.client.getUserManagement().create(password, email, null, null, null, true);
  }

  static <T> List<String> ids(Page<T> page, Function<T, String> id) {
    return page.data.stream().map(id).collect(toList());
  }

  static void organizations() {
    var api = Steps.client.getOrganizations();
    var domain = new OrganizationDomainData("acme.example", OrganizationDomainDataState.Verified);
    var made =
        Steps.step(
            "organizations: create",
            () -> api.create("Acme", null, null, List.of(domain), Map.of("plan", "enterprise"), "acme"));
    Steps.check("organizations: read", () -> Steps.equal("enterprise", api.get(made.getId()).getMetadata().get("plan")));
    Steps.check("organizations: found by external id", () -> Steps.equal(made.getId(), api.getByExternalId("acme").getId()));
    Steps.check("organizations: update", () -> Steps.equal("Acme Two", api.update(made.getId(), "Acme Two").getName()));
    Steps.check("organizations: update keeps the rest", () -> Steps.equal("acme", api.get(made.getId()).getExternalId()));
    Steps.check("organizations: list", () -> Steps.must(ids(api.list(), Organization::getId).contains(made.getId()), made));
    var other =
        Steps.step("organizations: a domain", () -> Steps.client.getOrganizationDomains().create("j.example", made.getId()));
    Steps.check(
        "organizations: the domain is read",
        () -> Steps.equal(made.getId(), Steps.client.getOrganizationDomains().get(other.getId()).getOrganizationId()));
    var error = Steps.rejected("organizations: an unknown id", NotFoundException.class, () -> api.get("org_missing"));
    Steps.check("organizations: the error carries a request id", () -> Steps.must(error.requestId != null, error));
    Steps.rejected("organizations: no name", UnprocessableEntityException.class, () -> api.create(""));
    Steps.check("organizations: delete", () -> api.delete(made.getId()));
    Steps.rejected("organizations: a deleted one", NotFoundException.class, () -> api.get(made.getId()));
  }

  static void users() {
    var api = Steps.client.getUserManagement();
    String email = Steps.newEmail();
    var made = Steps.step("users: create", () -> api.create(null, email, "Ada"));
    Steps.check("users: read", () -> Steps.equal("Ada", api.get(made.getId()).getFirstName()));
    Steps.check("users: update", () -> Steps.equal("Lovelace", api.update(made.getId(), null, null, null, "Lovelace").getLastName()));
    Steps.check(
        "users: found by address",
        () -> Steps.equal(List.of(made.getId()), ids(api.list(null, null, null, null, null, null, email), u -> u.getId())));
    var error =
        Steps.rejected("users: an address that is none", UnprocessableEntityException.class, () -> api.create(null, "nobody"));
    Steps.check("users: the error names the member", () -> Steps.must(error.rawBody.contains("email"), error.rawBody));
    Steps.check("users: verification mail", () -> Steps.equal(made.getId(), api.sendVerificationEmail(made.getId()).getUser().getId()));
    Steps.check("users: a change of address", () -> Steps.equal("n" + email, api.sendEmailChange(made.getId(), "n" + email).getNewEmail()));
    Steps.check("users: identities", () -> Steps.equal(0, api.getIdentities(made.getId()).size()));
    Steps.check("users: delete", () -> api.delete(made.getId()));
    Steps.rejected("users: a deleted one", NotFoundException.class, () -> api.get(made.getId()));
  }

  static void memberships() {
    var api = Steps.client.getOrganizationMembership();
    var organization = Steps.step("memberships: an organization", Accounts::newOrganization);
    var user = Steps.step("memberships: a user", () -> newUser(Steps.newEmail()));
    CreateUserRole role = new CreateUserRole.Single("admin");
    var made = Steps.step("memberships: create", () -> api.create(role, user.getId(), organization.getId()));
    Steps.check("memberships: read", () -> Steps.equal("admin", api.get(made.getId()).getRole().getSlug()));
    Steps.check(
        "memberships: list",
        () ->
            Steps.equal(
                List.of(made.getId()),
                ids(api.list(null, null, null, null, organization.getId()), m -> m.getId())));
    Steps.check(
        "memberships: update",
        () -> Steps.equal("member", api.update(made.getId(), new CreateUserRole.Single("member")).getRole().getSlug()));
    Steps.check("memberships: deactivate", () -> Steps.equal("inactive", api.deactivate(made.getId()).getStatus().getValue()));
    Steps.check("memberships: reactivate", () -> Steps.equal("active", api.reactivate(made.getId()).getStatus().getValue()));
    Steps.check("memberships: delete", () -> api.delete(made.getId()));
    Steps.rejected("memberships: a deleted one", NotFoundException.class, () -> api.get(made.getId()));
  }

  /** The client's Idempotency-Key is a hash of the request, so the same arguments are the same key. */
  static void madeAgain() {
    var memberships = Steps.client.getOrganizationMembership();
    var organization = Steps.step("made again: an organization", Accounts::newOrganization);
    String email = Steps.newEmail();
    var user = Steps.step("made again: a user", () -> newUser(email));
    OrganizationMembership first =
        Steps.step("made again: a membership", () -> memberships.create(null, user.getId(), organization.getId()));
    Steps.check("made again: it is deleted", () -> memberships.delete(first.getId()));
    var second =
        Steps.step("made again: the same membership", () -> memberships.create(null, user.getId(), organization.getId()));
    Steps.check("made again: it is another one", () -> Steps.must(!first.getId().equals(second.getId()), second.getId()));
    Steps.check("made again: it is there", () -> Steps.equal("active", memberships.get(second.getId()).getStatus().getValue()));
    Steps.check("made again: the user is deleted", () -> Steps.client.getUserManagement().delete(user.getId()));
    var again = Steps.step("made again: the same user", () -> newUser(email));
    Steps.check("made again: the user is another one", () -> Steps.must(!user.getId().equals(again.getId()), again.getId()));
    Steps.check("made again: the user is there", () -> Steps.client.getUserManagement().get(again.getId()));
    var vault = Steps.client.getVault();
    var value = Steps.step("made again: a vault object", () -> vault.createKv(Map.of("e", "java"), "again", "x"));
    Steps.check("made again: the object is deleted", () -> vault.deleteKv(value.getId()));
    var other = Steps.step("made again: the same object", () -> vault.createKv(Map.of("e", "java"), "again", "x"));
    Steps.check("made again: the object is another one", () -> Steps.must(!value.getId().equals(other.getId()), other.getId()));
    Steps.check("made again: the object is there", () -> Steps.equal("x", vault.getKv(other.getId()).getValue()));
  }

  static void invitations() {
    var api = Steps.client.getUserManagement();
    var organization = Steps.step("invitations: an organization", Accounts::newOrganization);
    String email = Steps.newEmail();
    var made = Steps.step("invitations: send", () -> api.sendInvitation(email, organization.getId()));
    Steps.check("invitations: read", () -> Steps.equal("pending", api.getInvitation(made.getId()).getState().getValue()));
    Steps.check("invitations: found by token", () -> Steps.equal(made.getId(), api.findInvitationByToken(made.getToken()).getId()));
    Steps.check("invitations: resend", () -> Steps.equal(made.getId(), api.resendInvitation(made.getId()).getId()));
    var user = Steps.step("invitations: the invited user", () -> newUser(email));
    Steps.check("invitations: accept", () -> Steps.equal(user.getId(), api.acceptInvitation(made.getId()).getAcceptedUserId()));
    Steps.rejected("invitations: an accepted one", BadRequestException.class, () -> api.revokeInvitation(made.getId()));
    var other = Steps.step("invitations: another", () -> api.sendInvitation(Steps.newEmail()));
    Steps.check("invitations: revoke", () -> Steps.equal("revoked", api.revokeInvitation(other.getId()).getState().getValue()));
  }

  static void apiKeys() {
    var api = Steps.client.getApiKeys();
    var organization = Steps.step("API keys: an organization", Accounts::newOrganization);
    var made =
        Steps.step(
            "API keys: create",
            () -> api.createOrganizationApiKey(organization.getId(), "Build", null, OffsetDateTime.now().plusHours(1)));
    Steps.check("API keys: validate", () -> Steps.equal(made.getId(), api.createValidation(made.getValue()).getApiKey().getId()));
    Steps.check("API keys: an unknown value", () -> Steps.equal(null, api.createValidation("sk_unknown").getApiKey()));
    Steps.check(
        "API keys: list",
        () -> Steps.equal(List.of(made.getId()), ids(api.listOrganizationApiKeys(organization.getId()), k -> k.getId())));
    Steps.check("API keys: expire", () -> Steps.equal(made.getId(), api.createExpire(made.getId()).getId()));
    Steps.check("API keys: an expired one", () -> Steps.equal(null, api.createValidation(made.getValue()).getApiKey()));
    Steps.check("API keys: delete", () -> api.delete(made.getId()));
  }
}
