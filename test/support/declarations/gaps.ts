/**
 * The declarations that no test covers yet, in the words of `unseen.ts`, as of the day when a whole run was first compared with them.
 * A whole run fails for an operation without a test of its behaviour that is not in this list, and prints every other declaration
 * that is not in it. A change that adds a test removes its lines.
 */
export const gaps: ReadonlySet<string> = new Set([
  'agent_identity.token never responded 400 expired_token: test/areas/agents',
  'connections.update never responded 400 discovery_endpoint_must_use_https: test/areas/sso',
  'sso.oidc_callback never responded 400 sign_in_ended: test/areas/sso',
  'sso.token never responded 422 idp_keys_unavailable: test/areas/sso',
  'sso.logout never responded 400 connection_invalid: test/areas/sso',
  'sso.logout never responded 400 unauthorized_client: test/areas/sso',
  'sso_test_sign_ins.create never responded 409 connection_deletion_in_progress: test/areas/sso',
  'organization_domain.verified was never delivered to a receiver() of test/support; organization_domains.verify emits it',
  'authentication.passkey_succeeded was never delivered to a receiver() of test/support; pages.show_sign_in emits it',
  'authentication.passkey_failed was never delivered to a receiver() of test/support; pages.show_sign_in emits it',
  'role.deleted was never delivered to a receiver() of test/support; authorization_model.put emits it',
  'pages.show_passkey never succeeded in a test outside of test/contract: test/areas/pages',
  'portal.show_finish never succeeded in a test outside of test/contract: test/areas/portal',
  'account.change_confirm never emitted authentication.mfa_failed',
  'authentication.authenticate never emitted action.user_registration.denied',
  'external_auth.complete never emitted session.revoked',
  'directories.update never emitted dsync.activated',
  'scim.create_user or scim.replace_user or scim.patch_user or scim.delete_user never emitted dsync.group.user_added',
  'scim.create_group never emitted dsync.group.updated',
  'scim.create_group never emitted dsync.group.user_removed',
  'authorization_model.put never emitted permission.updated',
  'social.callback or social.callback_form never emitted action.authentication.denied',
  'social.callback or social.callback_form never emitted radar.challenge_created',
  'sso.continue or sso.decide never emitted action.authentication.denied',
  'sso.continue or sso.decide never emitted authentication.radar_risk_detected',
]);
