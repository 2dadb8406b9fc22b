import type { Described } from '../navigation/navigation.ts';

/** Why no test executes the calls of some paths. */
const BY_PATH: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^\/(hosted|console|device|portal\/(links|\{))/, 'Only a browser opens this page.'],
  [/^\/(docs|openapi|llms)/, 'The response is a document: open it in a browser.'],
  [
    /^\/scim\//,
    'The identity provider of a directory sends it, with a token of the directory (`POST /x/directories/{id}/tokens`).',
  ],
];

/** Why no test executes the calls that another credential than an API key authenticates. */
const BY_CREDENTIAL: Readonly<Record<string, string>> = {
  operator: 'It needs the session of an operator, not an API key.',
  client_token: 'It needs the token of a client session (`POST /client/token`), not an API key.',
  widget_token: 'It needs the token of a widget (`POST /widgets/token`), not an API key.',
};

const REDIRECT = 'A browser sends this request: the response is a redirect.';
const BY_PROVIDER = 'The browser comes from the provider, with values that only the provider knows.';
const MAILED = 'It needs a code that was sent by mail.';
const ACCESS_TOKEN = 'It needs, as `Authorization: Bearer`, the access token of an application, not an API key.';
const REGISTRATION_TOKEN = 'It needs, as `Authorization: Bearer`, the `registration_access_token` of the registration.';

/** Why no test executes the call of an operation. */
const BY_ID: Readonly<Record<string, string>> = {
  'agent_identity.complete_claim': 'It needs the code that a signed-in person reads on the page of the claim.',
  'agent_identity.guide': 'The response is a document in Markdown, which agents read.',
  'authentication.authorize': REDIRECT,
  'data_integrations.finish': BY_PROVIDER,
  'email_change.confirm': MAILED,
  'email_verification.confirm': MAILED,
  'it_contacts.show_invitation': REDIRECT,
  'oauth2.authorize': REDIRECT,
  'oauth2.authorize_by_post': REDIRECT,
  'oauth2.delete_registration': REGISTRATION_TOKEN,
  'oauth2.end_session': REDIRECT,
  'oauth2.read_registration': REGISTRATION_TOKEN,
  'oauth2.userinfo': ACCESS_TOKEN,
  'oauth2.userinfo_by_post': ACCESS_TOKEN,
  'pipes.callback': BY_PROVIDER,
  'pipes.confirm_authorization': 'A person confirms it on the page that the link opens.',
  'pipes.show_authorization': 'Only a browser opens this page.',
  'radar.script': 'The response is a script, which a page loads.',
  'sessions.logout': REDIRECT,
  'social.callback': BY_PROVIDER,
  'social.callback_form': BY_PROVIDER,
  'social.start': REDIRECT,
  'sso.authorize': REDIRECT,
  'sso.continue': REDIRECT,
  'sso.continue_social': REDIRECT,
  'sso.decide': REDIRECT,
  'sso.logout': REDIRECT,
  'sso.logout_authorize': 'It needs the profile of a person who signed in at an identity provider.',
  'sso.oidc_back_channel_logout': 'The identity provider sends it, signed.',
  'sso.oidc_callback': BY_PROVIDER,
  'sso.profile': 'It needs, as `Authorization: Bearer`, the access token that `POST /sso/token` returned.',
  'sso.saml_acs': BY_PROVIDER,
  'sso.saml_metadata': 'The response is an XML document, which identity providers read.',
  'sso.start': REDIRECT,
  'sso.token': 'It needs the code that a sign-in at an identity provider brought to your redirect URI.',
  'sso_test_sign_ins.open': REDIRECT,
};

/**
 * The reason why the call of an operation is shown as a pattern that no test executes; undefined for every other operation, whose
 * example must be recorded.
 */
export function whyUnexecuted({
  id,
  path,
  operation,
}: Pick<Described, 'id' | 'path' | 'operation'>): string | undefined {
  const schemes = ((operation.security ?? []) as Record<string, unknown>[]).flatMap((own) => Object.keys(own));
  const credential = schemes.map((scheme) => BY_CREDENTIAL[scheme]).find((reason) => reason !== undefined);
  return BY_PATH.find(([pattern]) => pattern.test(path))?.[1] ?? credential ?? BY_ID[id];
}

/** The ids of the operations that have a reason of their own. */
export const UNEXECUTED_IDS: readonly string[] = Object.keys(BY_ID);
