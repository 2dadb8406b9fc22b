import com.workos.common.exceptions.BadRequestException;
import com.workos.common.exceptions.UnauthorizedException;
import com.workos.common.exceptions.WorkOSGenericException;
import com.workos.models.AuthenticateResponse;
import com.workos.session.AuthenticateSessionResult;
import com.workos.session.RefreshSessionResult;
import com.workos.session.Session;
import com.workos.usermanagement.AuthKitAuthUrlsKt;
import com.workos.usermanagement.AuthKitAuthorizationUrlOptions;
import com.workos.usermanagement.CreateUserPassword;
import com.workos.usermanagement.UserManagement;
import com.workos.WorkOS;
import java.util.Map;
import java.util.regex.Pattern;

/** Authentication in each way that the client has, sessions and second factors. */
final class SignIn {
  private static final String REDIRECT_URI = "https://app.example.com/callback";
  private static final UserManagement api = Steps.client.getUserManagement();

  private SignIn() {}

  static AuthenticateResponse withPassword(String email) {
    return api.authenticateWithPassword(email, Steps.PASSWORD);
  }

  /** A member of a refusal's body: the client's class for it has only the text. */
  static String member(WorkOSGenericException error, String name) throws Exception {
    return Steps.parsed(error.rawBody).path(name).asText();
  }

  static void authentication() {
    String email = Steps.newEmail();
    var user = Steps.step("authentication: a user with a password", () -> Accounts.newUser(email));
    Steps.check("authentication: by password", () -> Steps.equal(user.getId(), withPassword(email).getUser().getId()));
    Steps.rejected(
        "authentication: a wrong password", BadRequestException.class, () -> api.authenticateWithPassword(email, "wrong"));
    var magic = Steps.step("authentication: a magic code", () -> api.createMagicAuth(email));
    Steps.check(
        "authentication: by magic code",
        () -> Steps.equal(user.getId(), api.authenticateWithMagicAuth(magic.getCode(), email).getUser().getId()));
    Steps.rejected(
        "authentication: a magic code twice",
        BadRequestException.class,
        () -> api.authenticateWithMagicAuth(magic.getCode(), email));
    var reset = Steps.step("authentication: a password reset", () -> api.resetPassword(email));
    String password = "crimson kites at dusk";
    Steps.check(
        "authentication: a new password by its token",
        () -> Steps.equal(user.getId(), api.confirmPasswordReset(reset.getPasswordResetToken(), password).getUser().getId()));
    Steps.check(
        "authentication: by the new password",
        () -> Steps.equal(user.getId(), api.authenticateWithPassword(email, password).getUser().getId()));
    var stranger = WorkOS.builder().apiKey("sk_unknown").clientId(Steps.CLIENT_ID).apiBaseUrl(Steps.BASE_URL).build();
    Steps.rejected(
        "authentication: an unknown API key", UnauthorizedException.class, () -> stranger.getUserManagement().list());
  }

  static void verification() {
    String email = Steps.newEmail();
    Steps.step(
        "verification: a user whose address is not proved",
        () -> api.create(new CreateUserPassword.Plaintext(Steps.PASSWORD), email));
    var error =
        Steps.rejected(
            "verification: the address is to be proved first", WorkOSGenericException.class, () -> withPassword(email));
    Steps.check("verification: the error's code", () -> Steps.equal("email_verification_required", error.code));
    var signedIn =
        Steps.step(
            "verification: by the mailed code",
            () -> {
              Steps.local("idle?wait_ms=30000", null);
              String code = Steps.local("messages?to=" + email, null).at("/data/0/code").asText();
              return api.authenticateWithEmailVerification(code, member(error, "pending_authentication_token"));
            });
    Steps.check("verification: the address is proved now", () -> Steps.equal(true, signedIn.getUser().getEmailVerified()));
  }

  static void organizationSelection() {
    String email = Steps.newEmail();
    var user = Steps.step("selection: a user", () -> Accounts.newUser(email));
    var first = Steps.step("selection: an organization", Accounts::newOrganization);
    var second =
        Steps.step("selection: another organization", () -> Steps.client.getOrganizations().create("Acme of the south"));
    for (var organization : new String[] {first.getId(), second.getId()}) {
      Steps.step(
          "selection: a membership",
          () -> Steps.client.getOrganizationMembership().create(null, user.getId(), organization));
    }
    var error =
        Steps.rejected("selection: an organization is to be chosen", WorkOSGenericException.class, () -> withPassword(email));
    var chosen =
        Steps.step(
            "selection: by choosing one",
            () ->
                api.authenticateWithOrganizationSelection(
                    member(error, "pending_authentication_token"), first.getId()));
    Steps.check("selection: the chosen one", () -> Steps.equal(first.getId(), chosen.getOrganizationId()));
    var other =
        Steps.step(
            "selection: a refresh changes the organization",
            () -> api.authenticateWithRefreshToken(chosen.getRefreshToken(), second.getId()));
    Steps.check("selection: the other one", () -> Steps.equal(second.getId(), other.getOrganizationId()));
  }

  private static String codeOf(String url, String email) throws Exception {
    var location = Steps.outside("/sign-in", Map.of("url", url, "email", email, "password", Steps.PASSWORD));
    var code = Pattern.compile("[?&]code=([^&]+)").matcher(location.path("location").asText());
    Steps.must(code.find(), location);
    return code.group(1);
  }

  static void browserSignIn() {
    String email = Steps.newEmail();
    var user = Steps.step("hosted pages: a user", () -> Accounts.newUser(email));
    Steps.step("hosted pages: a redirect URI", () -> api.createRedirectUri(REDIRECT_URI));
    var options = new AuthKitAuthorizationUrlOptions(REDIRECT_URI, Steps.CLIENT_ID, "authkit");
    String url = Steps.step("hosted pages: the address of sign-in", () -> AuthKitAuthUrlsKt.getAuthorizationUrl(api, options));
    String code = Steps.step("hosted pages: a person signs in", () -> codeOf(url, email));
    Steps.check(
        "hosted pages: the code is exchanged",
        () -> Steps.equal(user.getId(), api.authenticateWithCode(code).getUser().getId()));
    Steps.rejected("hosted pages: a code twice", BadRequestException.class, () -> api.authenticateWithCode(code));
    var started =
        Steps.step("hosted pages: with PKCE", () -> AuthKitAuthUrlsKt.getAuthorizationUrlWithPKCE(api, options));
    String proved = Steps.step("hosted pages: a person signs in there", () -> codeOf(started.getUrl(), email));
    Steps.check(
        "hosted pages: the code is exchanged with the verifier",
        () -> Steps.equal(user.getId(), api.authenticateWithCode(proved, started.getCodeVerifier()).getUser().getId()));
  }

  static void sessions() {
    String email = Steps.newEmail();
    var user = Steps.step("sessions: a user", () -> Accounts.newUser(email));
    var signedIn = Steps.step("sessions: sign-in", () -> withPassword(email));
    var session = Steps.step("sessions: list", () -> api.listSessions(user.getId()).data.get(0));
    Steps.check("sessions: an active one", () -> Steps.equal("active", session.getStatus().getValue()));
    var fresh = Steps.step("sessions: refresh", () -> api.authenticateWithRefreshToken(signedIn.getRefreshToken()));
    Steps.check("sessions: the keys that sign tokens", () -> Steps.must(!api.getJwks(Steps.CLIENT_ID).getKeys().isEmpty(), ""));
    Steps.check("sessions: revoke", () -> api.revokeSession(session.getId()));
    var error =
        Steps.rejected(
            "sessions: a revoked one",
            BadRequestException.class,
            () -> api.authenticateWithRefreshToken(fresh.getRefreshToken()));
    Steps.check("sessions: the error's name", () -> Steps.must(error.rawBody.contains("invalid_grant"), error.rawBody));
  }

  static void sealedSession() {
    String email = Steps.newEmail();
    Steps.step("sealed session: a user", () -> Accounts.newUser(email));
    var signedIn = Steps.step("sealed session: sign-in", () -> withPassword(email));
    String cookiePassword = "a cookie password of thirty-two characters";
    var session = new Session(Steps.client);
    String sealed = Steps.step("sealed session: seal", () -> session.sealAuthResponse(signedIn, cookiePassword));
    AuthenticateSessionResult read =
        Steps.step("sealed session: authenticate", () -> session.authenticateWithSessionCookie(sealed, cookiePassword));
    Steps.check("sealed session: authenticated", () -> Steps.must(read instanceof AuthenticateSessionResult.Success, read));
    RefreshSessionResult fresh =
        Steps.step("sealed session: refresh", () -> session.refreshSession(sealed, cookiePassword));
    Steps.check("sealed session: refreshed", () -> Steps.must(fresh instanceof RefreshSessionResult.Success, fresh));
    String tampered = sealed.substring(0, sealed.length() - 8) + "AAAAAAAA";
    Steps.check(
        "sealed session: a tampered one",
        () ->
            Steps.must(
                session.authenticateWithSessionCookie(tampered, cookiePassword)
                    instanceof AuthenticateSessionResult.Failure,
                tampered));
  }

  static void mfa() {
    String email = Steps.newEmail();
    var factors = Steps.client.getMultiFactorAuth();
    var user = Steps.step("MFA: a user", () -> Accounts.newUser(email));
    var enrolled =
        Steps.step("MFA: enroll an authenticator app", () -> factors.createUserAuthFactor(user.getId(), "totp", "Acme", email));
    String secret = enrolled.getAuthenticationFactor().getTotp().getSecret();
    String code = Steps.step("MFA: the app's code", () -> Steps.outside("/totp", Map.of("secret", secret)).path("code").asText());
    Steps.check(
        "MFA: prove it",
        () -> Steps.equal(true, factors.verifyChallenge(enrolled.getAuthenticationChallenge().getId(), code).getValid()));
    Steps.check("MFA: the user's factors", () -> Steps.equal(1, factors.listUserAuthFactors(user.getId()).data.size()));
    var error = Steps.rejected("MFA: sign-in asks for it", WorkOSGenericException.class, () -> withPassword(email));
    Steps.check("MFA: the error's code", () -> Steps.equal("mfa_challenge", error.code));
    var challenge =
        Steps.step("MFA: challenge", () -> factors.challengeFactor(enrolled.getAuthenticationFactor().getId()));
    Steps.check(
        "MFA: sign-in with the code",
        () -> {
          Steps.local("clock", Map.of("advance_seconds", 30));
          String next = Steps.outside("/totp", Map.of("secret", secret, "in_seconds", 30)).path("code").asText();
          var signedIn =
              api.authenticateWithTotp(next, member(error, "pending_authentication_token"), challenge.getId());
          Steps.equal(user.getId(), signedIn.getUser().getId());
        });
  }
}
