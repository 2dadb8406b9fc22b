import { field } from '../../../kernel/pages/fields.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { html } from '../../../kernel/pages/html.ts';
import { FormRejection, type Sent } from '../page/page-operations.ts';
import { portalForm } from '../page/render.ts';
import { apiPath } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';
import type { ConnectionView } from './connection.ts';

/** The form for the data of an OpenID provider. The stored secret is never shown. */
export function oidcForm(visit: Visit, { id, oidc_options: oidc }: ConnectionView, sent: Sent) {
  const { translate, surroundings } = visit;
  const suffix = oidc?.client_secret_last_four ?? null;
  const text = (name: 'discovery_endpoint' | 'client_id', label: string, more: object) =>
    field(
      {
        name,
        label,
        autocomplete: 'off',
        value: sent[name] ?? oidc?.[name] ?? '',
        more: { spellcheck: 'false' },
        ...more,
      },
      surroundings.language,
    );
  return portalForm(
    visit,
    `sso/${id}/configure`,
    html`<input type="hidden" name="do" value="provider" /> ${text('discovery_endpoint', translate('oidc.discovery'), {
        hint: translate('oidc.discovery_hint'),
        maxLength: 2_048,
        more: { inputmode: 'url', spellcheck: 'false' },
      })}
      ${text('client_id', translate('oidc.client_id'), { maxLength: 1_024 })}
      ${field(
        {
          name: 'client_secret',
          label: translate('oidc.client_secret'),
          type: 'password',
          autocomplete: 'off',
          optional: suffix !== null,
          maxLength: 8_192,
          hint: suffix === null ? undefined : translate('oidc.secret_kept', { suffix }),
        },
        surroundings.language,
      )}
      ${submit(translate('form.save'))}`,
  );
}

/** Saves that data: the service reads the discovery document before it stores anything. */
export async function saveProvider({ api, translate }: Visit, connection: ConnectionView, sent: Sent): Promise<void> {
  const { discovery_endpoint = '', client_id = '', client_secret = '' } = sent;
  const { oidc_options: oidc } = connection;
  const hasSecret = (oidc?.client_secret_last_four ?? null) !== null && oidc?.discovery_endpoint === discovery_endpoint;
  if (discovery_endpoint === '' || client_id === '' || (client_secret === '' && !hasSecret)) {
    throw new FormRejection(translate('oidc.incomplete'));
  }
  // Many providers state the email address in the response of their userinfo endpoint only.
  const secret = client_secret === '' ? {} : { client_secret };
  const oidc_options = { discovery_endpoint, client_id, ...secret, fetch_user_info: true };
  await api('PATCH', apiPath`/connections/${connection.id}`, { oidc_options });
}
