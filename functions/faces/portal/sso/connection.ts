import { formatDateTime } from '../../../kernel/locale.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { findSsoGuide } from '../guide/sso.ts';
import { stateMark } from '../page/render.ts';
import { apiPath } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';

/** The members of a connection in the response of `/x/connections/{id}`. */
export interface ConnectionView {
  id: string;
  name: string;
  connection_type: string;
  state: string;
  updated_at: string;
  saml_options: {
    idp_metadata_url: string | null;
    idp_entity_id: string | null;
    idp_sso_url: string | null;
    idp_signing_certs: { id: string; not_before: string | null; not_after: string | null }[];
    acs_url: string;
    sp_entity_id: string;
    sp_metadata_url: string;
    sp_signing_cert: { id: string } | null;
  } | null;
  oidc_options: {
    discovery_endpoint: string | null;
    client_id: string | null;
    client_secret_last_four: string | null;
    redirect_uri: string;
  } | null;
  attribute_maps: { standard_attributes: Record<string, string | null> };
  settings: { group_roles: { group: string; role_slug: string }[] };
}

/** A response of the identity provider, as `/x/connections/{id}/attempts` lists it. */
export interface AttemptView {
  id: string;
  kind: 'sign_in' | 'unsolicited' | 'test';
  outcome: 'pending' | 'succeeded' | 'failed';
  error: { code: string; message: string } | null;
  checks: { check: string; outcome: string; detail: string | null }[];
  claims: Record<string, unknown>;
  profile: Record<string, unknown> | null;
  consequence: {
    kind: 'sign_in' | 'create_user' | 'own_sign_in' | 'rejected';
    reason: string | null;
    roles: string[];
  } | null;
  created_at: string;
  updated_at: string;
}

/** Reads a connection of the organization. */
export const findConnection = ({ api }: Pick<Visit, 'api'>, id: string): Promise<ConnectionView> =>
  api<ConnectionView>('GET', apiPath`/x/connections/${id}`);

/** The latest responses of the identity provider, the newest first. */
export const findAttempts = async ({ api }: Pick<Visit, 'api'>, id: string): Promise<AttemptView[]> =>
  (await api<{ data: AttemptView[] }>('GET', `${apiPath`/x/connections/${id}/attempts`}?limit=20`)).data;

/** Allowed time in ms between the end of a test and the last write of its connection, which can be in the same transaction. */
const SAME_MOMENT_MS = 5_000;

/** Reports whether a test sign-in has succeeded since the last change of the connection. */
export const isTested = ({ updated_at: changedAt }: ConnectionView, attempts: readonly AttemptView[]): boolean =>
  attempts.some(
    ({ kind, outcome, updated_at: testedAt }) =>
      kind === 'test' && outcome === 'succeeded' && Date.parse(testedAt) + SAME_MOMENT_MS >= Date.parse(changedAt),
  );

/** Reports whether the identity provider of a connection is configured, so that it can be tested. */
export const isConfigured = ({ saml_options: saml, oidc_options: oidc }: ConnectionView): boolean =>
  saml === null
    ? (oidc?.client_id ?? null) !== null
    : saml.idp_entity_id !== null && saml.idp_sso_url !== null && saml.idp_signing_certs.length > 0;

/** Reports whether a connection has never been active, so that no user signs in through it. */
export const isDraft = ({ state }: Pick<ConnectionView, 'state'>): boolean =>
  ['draft', 'requires_type'].includes(state);

/** The state of a connection. */
export function renderState({ translate }: Pick<Visit, 'translate'>, state: string): Html {
  if (state === 'active') return stateMark(translate('state.active'), 'good');
  return state === 'inactive' ? stateMark(translate('state.inactive'), 'bad') : stateMark(translate('state.draft'));
}

/** The name of the provider of a connection. */
export const nameProvider = ({ connection_type: type }: Pick<ConnectionView, 'connection_type'>): string =>
  findSsoGuide(type).name;

/** The certificates of a connection with the times of their expiry. */
export const renderCertificates = ({ translate, locale }: Visit, { saml_options: saml }: ConnectionView): Html =>
  html`${(saml?.idp_signing_certs ?? []).map(
    ({ not_after: end }) =>
      html`<div>
        <dt>${translate('sso.certificate')}</dt>
        <dd>${end === null ? '–' : translate('sso.valid_until', { time: formatDateTime(locale, end) })}</dd>
      </div>`,
  )}`;
