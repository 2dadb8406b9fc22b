/**
 * The declarations that no test covers yet, in the words of `unseen.ts`, as of the day when a whole run was first compared with them.
 * A whole run fails for an operation without a test of its behaviour that is not in this list, and prints every other declaration
 * that is not in it. A change that adds a test removes its lines.
 */
export const gaps: ReadonlySet<string> = new Set([
  'authentication.authenticate never emitted action.user_registration.denied',
  'scim.create_user or scim.replace_user or scim.patch_user or scim.delete_user never emitted dsync.group.user_added',
  'scim.create_group never emitted dsync.group.updated',
  'scim.create_group never emitted dsync.group.user_removed',
  'social.callback or social.callback_form never emitted action.authentication.denied',
  'social.callback or social.callback_form never emitted radar.challenge_created',
  'sso.continue or sso.decide never emitted action.authentication.denied',
  'sso.continue or sso.decide never emitted authentication.radar_risk_detected',
]);
